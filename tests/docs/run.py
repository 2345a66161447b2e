#!/usr/bin/env python3
"""The documents hold: links lead somewhere, every verb has a man page without warnings, commands and variables are those
that exist, the reference of the interfaces has no warning. Exits with 77 where a tool is missing.

  tests/docs/run.py --tutti build/core/bin/tutti --out build/core/docs [TEST...]
"""

import argparse
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


class Missing(Exception):
    """A tool that is not installed."""


def printed(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def need(program):
    if shutil.which(program) is None:
        raise Missing(program)


def shown(path):
    return path.relative_to(ROOT)


def anchors(path):
    """What the headings of a document are called in links, as GitHub does."""
    heads = re.findall(r"^#+ (.*)$", FENCE.sub("", path.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head)).strip().lower().replace(" ", "-")
            for head in heads}


def links(options):
    """Links point to files and headings that are there."""
    for document in DOCUMENTS:
        text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", document.read_text()))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, heading = target.partition("#")
            path = (document.parent / name).resolve() if name else document
            if not path.exists():
                yield f"{shown(document)}: no file {target}"
            elif heading and heading not in anchors(path):
                yield f"{shown(document)}: no heading {target}"
    for picture in [*ROOT.glob("docs/gallery/*.svg"), *ROOT.glob("docs/gallery/*.png")]:
        if f"({picture.name})" not in (ROOT / "docs/gallery/README.md").read_text():
            yield f"docs/gallery/README.md does not show {picture.name}: run make docs"


def help_of(options, verb=None):
    return printed(options.tutti, *filter(None, [verb]), "--help")


def verbs(options):
    listed = re.search(r"^Verbs:\n((?:  .*\n)+)", help_of(options), re.MULTILINE).group(1)
    return re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)


def options_of(text):
    """The options of a help text."""
    return {name for names in re.findall(r"^  (-\S+)", text, re.MULTILINE) for name in names.split(",")}


def man(options):
    """Every verb has a page, which tells all of its options; man shows all pages without a warning."""
    need("help2man")
    need("man")
    out = options.out / "man"
    printed(ROOT / "tools/make-man", "--tutti", options.tutti, "--out", out)
    for page in ["tutti.1", "tutti-environment.7", *(f"tutti-{verb}.1" for verb in verbs(options))]:
        if not (out / page).exists():
            yield f"no page {page}"
            continue
        # So wide that no line is broken; all warnings.
        done = subprocess.run(["man", "--warnings", "--local-file", out / page], capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "1000", "MANROFFOPT": "-ww"})
        if done.returncode or done.stderr:
            yield f"man {page}: {done.stderr.strip()}"
        for head in ["NAME", "DESCRIPTION", "SEE ALSO"] + ["SYNOPSIS", "OPTIONS", "EXIT STATUS"] * page.endswith(".1"):
            if f"\n{head}\n" not in done.stdout:
                yield f"{page}: no section {head}"
        if page.startswith("tutti-") and page.endswith(".1"):
            text = help_of(options, page[len("tutti-"):-len(".1")])
            lost = [name for name in options_of(text) if not re.search(rf"^ +.*{name}\b", done.stdout, re.MULTILINE)]
            lost += [line for line in re.findall(r"^EXAMPLES\n((?:  .*\n)+)", text, re.MULTILINE)[0].splitlines()
                     if f"$ {line.strip()}" not in done.stdout]
            if lost:
                yield f"{page} does not tell of {', '.join(lost)}"


def variables(options):
    """The table of docs/environment.md names the variables that the sources read, and no others."""
    read = set()
    for source in [*ROOT.glob("src/**/*.cpp"), *ROOT.glob("src/**/*.hpp")]:
        read |= set(re.findall(r'"(TUTTI_[A-Z_]+)[":=]', source.read_text()))
    text = (ROOT / "docs/environment.md").read_text()
    told = set(re.findall(r"^\| `(TUTTI_[A-Z_]+)` \|", text, re.MULTILINE))
    if not read or not told:
        yield f"found {len(read)} variables in src and {len(told)} in docs/environment.md: has their form changed?"
    yield from (f"docs/environment.md does not tell of {name}" for name in sorted(read - told))
    yield from (f"docs/environment.md tells of {name}, which nobody reads" for name in sorted(told - read))
    collectives = {each["collective"].upper() for each in json.loads(printed(options.tutti, "list", "--json"))}
    yield from (f"docs/environment.md does not name {name}" for name in sorted(collectives)
                if not re.search(rf"\b{name}\b", text))


def commands_in(text):
    """What stands in blocks of code and in code within sentences, a command each; continued lines are one."""
    lines = [line for block in FENCE.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`([^`\n]+)`", FENCE.sub("", text))
    return [command for line in lines for command in re.split(r" (?:&&|\||;) ", line)]


def words_of(line):
    """The verb and its words, if a line calls tutti: up to a comment, or to the program that is run."""
    found = re.search(r"(?:^|[\s/])tutti(?:-mpi)? +([a-z].*)", line)
    if found is None:
        return None
    try:
        words = shlex.split(found.group(1), comments=True)
    except ValueError:  # an apostrophe in what a command printed
        return None
    return words[:words.index("--")] if "--" in words else words


def commands(options):
    """Commands in the documents name verbs and options that exist."""
    known = {verb: options_of(help_of(options, verb)) for verb in verbs(options)}
    seen = 0
    for document in DOCUMENTS:
        for line in commands_in(document.read_text()):
            words = words_of(line)
            if not words or words[0] == "VERB":
                continue
            verb, *words = words
            seen += 1
            if verb not in known:
                yield f"{shown(document)}: no verb {verb}: {line}"
                continue
            for word in words:
                name = word.split("=")[0]
                if re.match(r"--?[a-z]", name) and name not in known[verb]:
                    yield f"{shown(document)}: tutti {verb} has no option {name}: {line}"
    if seen < 100:
        yield f"only {seen} commands were found in the documents: has their form changed?"


def api(options):
    """doxygen has nothing to say about the headers."""
    need("doxygen")
    configuration = (ROOT / "docs/Doxyfile").read_text() + f"\nOUTPUT_DIRECTORY = {options.out}\n"
    done = subprocess.run(["doxygen", "-"], cwd=ROOT, input=configuration, capture_output=True, text=True)
    yield from done.stderr.splitlines()
    for page in ["classtutti_1_1Communicator.html", "classtutti_1_1Grid.html", "tutti_8h.html", "icc_8h.html"]:
        if not (options.out / "api" / page).exists():
            yield f"no page api/{page}"


TESTS = {test.__name__: test for test in (links, man, variables, commands, api)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tutti", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("tests", nargs="*", metavar="TEST", choices=[*TESTS, []])
    options = parser.parse_args()
    options.tutti, options.out = options.tutti.resolve(), options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    failed, missing = 0, 0
    for name in options.tests or TESTS:
        try:
            findings = list(TESTS[name](options))
        except Missing as program:
            missing += 1
            print(f"skipped {name}: {program} is not installed")
            continue
        failed += bool(findings)
        print("FAILED " if findings else "passed ", f"{name}: {TESTS[name].__doc__}")
        for finding in findings:
            print("       ", finding)
    sys.exit(1 if failed else 77 if missing else 0)


main()
