#!/usr/bin/env python3
"""What other readers than the compiler say: shellcheck of all shell scripts, clang of the public headers and of
programs that use them, clang-tidy of the public headers. Exits with 77 where a tool is missing.

  tests/lint/run.py shell
  tests/lint/run.py headers --mpi openmpi
  tests/lint/run.py tidy --build build/openmpi
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The wrappers link even where nothing is to be linked.
CLANG = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-command-line-argument", "-fsyntax-only",
         f"-I{ROOT}/include"]


def need(program):
    if shutil.which(program) is None:
        print(f"skipped: {program} is not installed")
        sys.exit(77)


def shell(options):
    """Every script of the repository that a shell reads."""
    need("shellcheck")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    scripts = [name for name in listed.splitlines()
               if re.match(rb"#!/bin/(ba)?sh\b", (ROOT / name).open("rb").readline())]
    if not scripts:
        return ["no scripts were found"]
    print(f"{len(scripts)} scripts")
    done = subprocess.run(["shellcheck", "--severity=warning", *scripts], cwd=ROOT, capture_output=True, text=True)
    return (done.stdout + done.stderr).splitlines()


def headers(options):
    """Each header by itself, those of C as C, too; and the C++ programs of the examples."""
    need("clang++")
    environment = os.environ | {"OMPI_CC": "clang", "OMPI_CXX": "clang++", "MPICH_CC": "clang",
                                "MPICH_CXX": "clang++"}
    found = sorted((ROOT / "include/tutti").iterdir())
    jobs = [("mpicxx", "c++", "c++20", f"#include <tutti/{path.name}>\n") for path in found]
    jobs += [("mpicc", "c", "c99", f"#include <tutti/{path.name}>\n") for path in found if path.suffix == ".h"]
    jobs += [("mpicxx", "c++", "c++20", f'#include "{path}"\n') for path in (ROOT / "examples/mpi").glob("*.cpp")]
    findings = []
    for wrapper, language, standard, text in jobs:
        skip = ["-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"]  # the MPIs' own old C++ interface
        done = subprocess.run([f"{wrapper}.{options.mpi}", "-x", language, f"-std={standard}", *skip, *CLANG, "-"],
                              input=text, capture_output=True, text=True, env=environment)
        if done.returncode or done.stderr:
            findings += [text.strip(), *done.stderr.splitlines()]
    print(f"{len(jobs)} readings")
    return findings


def tidy(options):
    """The public headers, as a program that calls each of them has them; .clang-tidy says what is looked for."""
    need("clang-tidy")
    source = ROOT / "examples/mpi/api.cpp"
    entries = json.loads((options.build / "compile_commands.json").read_text())
    words = shlex.split(next(each["command"] for each in entries if pathlib.Path(each["file"]) == source))
    # What it is to see; the rest is g++'s own.
    seen = [word for before, word in zip(words, words[1:])
            if word.startswith(("-I", "-D", "-std=", "-isystem")) or before == "-isystem"]
    done = subprocess.run(["clang-tidy", "--quiet", f"--header-filter={ROOT}/include/tutti/.*", source, "--", *seen],
                          capture_output=True, text=True)
    return (done.stdout + done.stderr).splitlines() if done.returncode else []


def main():
    tests = {each.__name__: each for each in (shell, headers, tidy)}
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("test", choices=tests)
    parser.add_argument("--mpi", choices=["openmpi", "mpich"], default="openmpi")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/openmpi")
    options = parser.parse_args()
    findings = tests[options.test](options)
    print(*findings, sep="\n")
    sys.exit(1 if findings else 0)


main()
