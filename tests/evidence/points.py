"""What all evidence shares: points and their verdicts, runs whose output is kept, parts by name."""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EVIDENCE = ROOT / "build/evidence"
NAME = pathlib.Path(sys.argv[0]).name

points = []


def point(name, figure, threshold, holds):
    points.append({"point": name, "figure": figure, "threshold": threshold, "holds": bool(holds)})
    print(f"{'holds' if holds else 'falls short':<12} {name}: {figure} (wanted: {threshold})",
          flush=True)


def told(name, figure):
    points.append({"point": name, "figure": figure})
    print(f"{'':<12} {name}: {figure}", flush=True)


def run(*command, **options):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True,
                          errors="replace", env=environment, **options)
    with open(EVIDENCE / f"{NAME}.log", "a") as log:
        log.write(f"$ {' '.join(map(str, command))}\n{done.stdout}{done.stderr}\n")
    return done


def last_line(done):
    return (done.stdout.strip().splitlines() or ["nothing was run"])[-1].strip()


def script(path):
    """A program of this repository as a module."""
    loader = importlib.machinery.SourceFileLoader(path.name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.name, loader))
    loader.exec_module(module)
    return module


def main(parts, others={}):
    """Runs the parts that the command line names, or all of them but `others`, and ends the program."""
    EVIDENCE.mkdir(parents=True, exist_ok=True)
    (EVIDENCE / f"{NAME}.log").unlink(missing_ok=True)
    wanted = sys.argv[1:] or list(parts)
    parts = parts | others
    for name in wanted:
        if name not in parts:
            sys.exit(f"tests/evidence/{NAME}: no part '{name}': write {', '.join(parts)}")
    begin = time.monotonic()
    for name in wanted:
        parts[name]()
        (EVIDENCE / f"{'-'.join([NAME, 'points', *sys.argv[1:]])}.json").write_text(
            json.dumps(points, indent=1) + "\n")
    judged = [each for each in points if "holds" in each]
    short = sum(not each["holds"] for each in judged)
    print(f"{len(judged) - short} points hold, {short} fall short, "
          f"{(time.monotonic() - begin) / 60:.0f} min")
    sys.exit(1 if short else 0)
