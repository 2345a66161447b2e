#!/usr/bin/env python3
"""A wrong include does not compile, in any layer: into one file of each target of src/CMakeLists.txt a header
of every folder that the target must not see is planted, and the compiler does not find it. Without the plant
the same command compiles. What needs an MPI, a folder's mpi/, is a folder of its own here.

  tests/layers/run.py --build build/openmpi

What a target must not see are the folders below its own in README's table, and those that its include paths
do not name; a folder's mpi/ stands right below it; targets, files and commands are those of BUILD/compile_commands.json.
The rooms of src/api are one target: that none includes one below it in the table of docs/architecture.md is
read in their files.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SRC = ROOT / "src"


def told_order():
    """Folders of src in the order of README's table."""
    return re.findall(r"^\| `src/(\w+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)


def wrong_rooms():
    """Includes of src/api that point downwards in the table of docs/architecture.md."""
    order = re.findall(r"^\| `src/api/(\w+)` \|", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE)
    if sorted(order) != sorted(path.name for path in (SRC / "api").iterdir()):
        yield "the table of docs/architecture.md and the rooms of src/api differ"
        return
    for path in sorted((SRC / "api").rglob("*.*pp")):
        for room in re.findall(r'^#include "api/(\w+)/', path.read_text(), re.MULTILINE):
            if order.index(room) > order.index(path.relative_to(SRC / "api").parts[0]):
                yield f"{path.relative_to(ROOT)} includes src/api/{room}, which stands below it"


def with_mpi(order):
    return [room for folder in order for room in (folder, f"{folder}/mpi") if (SRC / room).is_dir()]


def room_of(file):
    """The folder of src that a file is in: mpi/ is one of its own."""
    folder, *rest = SRC.joinpath(file).relative_to(SRC).parts
    return f"{folder}/mpi" if rest[0] == "mpi" else folder


def header_of(room):
    """A header of a folder as it would be included, if it has any."""
    found = sorted(path for ending in ("hpp", "def") for path in (SRC / room).rglob(f"*.{ending}")
                   if room_of(path) == room)
    return str(found[0].relative_to(SRC)) if found else None


class Layer:
    """A target, its smallest file, and the command that compiles it."""

    def __init__(self, target, entries, order):
        self.target = target
        rooms = {room_of(entry["file"]) for entry in entries}
        self.room = max(rooms, key=order.index)  # a library holds files of several
        own = [entry for entry in entries if room_of(entry["file"]) == self.room]
        entry = min(own, key=lambda each: os.path.getsize(each["file"]))
        self.file, self.folder = entry["file"], entry["directory"]
        words = shlex.split(entry["command"])
        if pathlib.Path(words[0]).name == "ccache":
            del words[0]
        where = words.index("-o")
        self.command = [word for word in words[:where] + words[where + 2:] if word != "-c"] + ["-fsyntax-only"]
        rooms = {room.replace("/", "_"): room for room in order}  # by their views
        self.seen = {rooms[pathlib.Path(word[2:]).name] for word in words if word.startswith("-I")
                     and "/view/" in word}
        below = order[order.index(self.room) + 1:]
        self.wrong_views = sorted(self.seen & set(below))
        self.hidden = {room: header_of(room) for room in order if room not in self.seen and header_of(room)}

    def compile(self, *more):
        return subprocess.run([*self.command, *more], cwd=self.folder, capture_output=True, text=True)

    def faults(self):
        if self.wrong_views:
            yield f"sees {', '.join(self.wrong_views)}, which stand below {self.room} in README's table"
        alone = self.compile()
        if alone.returncode:
            yield f"{self.file} does not compile even without a plant: {alone.stderr.strip()[:300]}"
        for room, header in self.hidden.items():
            planted = self.compile("-include", header)
            if planted.returncode == 0 or f"{header}: No such file" not in planted.stderr:
                yield f"{self.file} may include {header}"


def alone(entry):
    """The same for each of the files that a command compiles at once."""
    file = pathlib.Path(entry["file"])
    if file.parent.name != "Unity":
        return [entry]
    return [entry | {"file": each, "command": entry["command"].replace(str(file), each)}
            for each in re.findall(r'^#include "(.*)"', file.read_text(), re.MULTILINE)]


def layers(build, order):
    by_target = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        found = re.search(r"-o src/CMakeFiles/([^/ ]+)\.dir/", entry["command"])
        for each in alone(entry) if found else []:
            if SRC in pathlib.Path(each["file"]).parents:
                by_target.setdefault(found[1], []).append(each)
    return [Layer(target, entries, order) for target, entries in sorted(by_target.items())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    build = parser.parse_args().build.resolve()
    order = told_order()
    failed = sorted({path.name for path in SRC.iterdir() if path.is_dir()} ^ set(order))
    if failed:
        sys.exit(f"README's table and the folders of src differ: {', '.join(failed)}")
    if failed := list(wrong_rooms()):
        sys.exit("\n".join(failed))
    order = with_mpi(order)
    found = layers(build, order)
    unseen = sorted(set(order) - {layer.room for layer in found})
    if unseen:
        sys.exit(f"{build} compiles nothing of src/{', src/'.join(unseen)}")
    wrong = plants = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for layer, faults in zip(found, pool.map(lambda each: list(each.faults()), found)):
            plants += len(layer.hidden)
            wrong += bool(faults)
            print(f"{'FAILED' if faults else 'ok    '} {layer.target} (src/{layer.room}): "
                  f"{len(layer.hidden)} folders hidden, {len(layer.seen)} seen", *faults, sep="\n         ")
    print(f"{len(found) - wrong} layers hold, {wrong} failed; {plants} planted includes")
    sys.exit(1 if wrong or not plants else 0)


main()
