"""What `tutti bench` writes and says, on few ranks. Times are not judged.

A kind of test for run.py, which hands itself over as `run`.
"""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from settings import Wrong, expect

DISTRIBUTIONS = ["regular", "broadcast", "spike", "half_full", "decreasing", "geometric"]
IRREGULAR = {"scatterv", "gatherv", "allgatherv", "reduce_scatter", "alltoallv", "alltoallw"}
# A small grid, and its cells: the grid quick has two distributions.
SMALL = ["--collectives", "allreduce,allgatherv,barrier", "-n", "8,1K", "--repetitions", "3"]
CELLS = {("barrier", 0, "regular"), ("allreduce", 8, "regular"), ("allreduce", 1024, "regular"),
         *(("allgatherv", n, d) for n in (8, 1024) for d in ("regular", "broadcast"))}
# Not done before someone interrupts it.
LONG = ["--grid", "standard", "--budget", "0.2"]
FEW = 100  # cells; it has three times as many


class Ended:
    """A run that has ended, and the file it was to write."""

    def __init__(self, code, output, errors, file):
        self.code, self.output, self.errors, self.file = code, output, errors, file

    def one_line(self, pattern):
        told = [x for x in (self.output + self.errors).splitlines() if x.startswith("tutti: ")]
        expect(len(told) == 1, f"{len(told)} lines of Tutti, not 1")
        expect(re.search(pattern, told[0]), f"no line like '{pattern}'")

    def json(self):
        try:
            return json.loads(self.file.read_text())
        except (OSError, ValueError) as error:
            raise Wrong(f"{self.file.name}: {error}") from None


def is_composition(entry):
    return any(p["name"] == "inner" for p in entry["parameters"])


class Bench:
    def __init__(self, run):
        self.run, self.tutti = run, run.build / "bin/tutti"
        self.folder = run.work / f"bench-{os.getpid()}"
        self.folder.mkdir()
        self.file = self.folder / "results.json"
        everything = json.loads(run.catalogue().read_text())
        # Compositions are measured where there are several nodes.
        self.catalogue = [entry for entry in everything if not is_composition(entry)]
        self.compositions = [entry for entry in everything if is_composition(entry)]
        # MPICH never yields: more ranks than cores take long.
        self.few = 3 if run.mpi == "openmpi" else 2

    def algorithms(self, collective, p):
        """What can run on p ranks, and the MPI's own."""
        power = p & (p - 1) == 0
        return {"native", *(f"{collective}/{entry['algorithm']}" for entry in self.catalogue
                            if entry["collective"] == collective
                            and (power or not entry["valid"].startswith("p = 2^k")))}

    def words(self, p, arguments, variables=None):
        return self.run.words(p, [self.tutti, "bench", *arguments], variables)

    def has_page(self):
        """The results, as they are, make a page."""
        done = subprocess.run([self.tutti, "report", self.file, "-o", self.folder / "report.html"],
                              capture_output=True, text=True)
        expect(done.returncode == 0, f"tutti report: {done.stderr}")

    def report(self, what, p, begin, judge, ended):
        why = None
        try:
            expect(ended.code is not None, "not finished in time")
            judge(ended)
        except Wrong as wrong:
            why = str(wrong)
        self.run.report(f"{self.run.mpi} p = {p} bench: {what}", time.monotonic() - begin, why,
                        ended.output + ended.errors)
        for path in self.folder.iterdir():
            path.rmdir() if path.is_dir() else path.unlink()

    def launch(self, what, p, arguments, judge, codes=(0,), variables=None, limit=120):
        """Passed: one of these exit codes in time, and `judge` does not raise Wrong."""
        begin = time.monotonic()
        code, output, errors, _ = self.run.execute(self.words(p, arguments, variables), limit)

        def whole(ended):
            expect(code in codes, f"exit code {code}")
            judge(ended)

        self.report(what, p, begin, whole, Ended(code, output, errors, self.file))

    def disturb(self, what, p, arguments, act, judge, limit=120):
        """Runs until `act`, which is asked often, has done its work; then to the end."""
        begin = time.monotonic()
        # A session of its own, so that a signal for all of it does not hit this one.
        process = self.run.start(self.words(p, arguments), start_new_session=True)
        acted = False
        while process.poll() is None and time.monotonic() < begin + limit and not acted:
            acted = act(process)
            time.sleep(0.01)
        try:
            output, errors = process.communicate(timeout=60)
            code = process.returncode
        except subprocess.TimeoutExpired:
            output, errors = self.run.stop(process)
            code = None

        def whole(ended):
            expect(acted, "it ended too early")
            judge(ended)

        self.report(what, p, begin, whole, Ended(code, output, errors, self.file))

    def has_cells(self):
        """Whether the file is there with cells: it is whole at any time."""
        return self.file.exists() and bool(json.loads(self.file.read_text())["cells"])

    def right(self, cells, repetitions):
        """Every algorithm that can run is there and right."""
        expect(cells, "no cells")
        for cell in cells:
            where = f"{cell['collective']} {cell['bytes']} {cell['distribution']} p = {cell['p']}"
            rows = {row["algorithm"]: row for row in cell["rows"]}
            expect(len(rows) == len(cell["rows"]), f"{where}: a row is there twice")
            wanted = self.algorithms(cell["collective"], cell["p"])
            expect(rows.keys() == wanted, f"{where}: {sorted(rows.keys() ^ wanted)}")
            expect(cell["best"] in wanted - {"native"}, f"{where}: the best is {cell['best']}")
            for name, row in rows.items():
                expect(row["correct"], f"{where}: {name} is not correct")
                expect(row["repetitions"] == repetitions,
                       f"{where}: {name} has {row['repetitions']} samples")
                value, low, high = row["us"]
                expect(0 < row["us_least"] <= low <= value <= high <= row["us_most"],
                       f"{where}: {name} took {row['us']}")


def bench(run):
    it = Bench(run)
    try:
        results(it)
        ranks(it)
        nodes(it)
        output(it)
        guidelines(it)
        regret(it)
        data(it)
        provenance(it)
    finally:
        shutil.rmtree(it.folder)


def chosen_of(cell):
    return [row["algorithm"] for row in cell["rows"] if row["chosen"]]


def results(it):
    names = {"openmpi": "Open MPI ", "mpich": "MPICH "}

    def judge(ended):
        json_ = ended.json()
        expect(json_["complete"] is True, "not complete")
        cells = json_["cells"]
        found = {(c["collective"], c["bytes"], c["distribution"]) for c in cells}
        expect(len(cells) == len(CELLS) and found == CELLS, f"the cells are {found}")
        it.right(cells, 3)
        for cell in cells:
            expect(len(chosen_of(cell)) == 1 and chosen_of(cell) == [cell["chosen"]],
                   f"chosen: {chosen_of(cell)}")
            for row in cell["rows"]:
                samples = row["us_samples"]
                expect(len(samples) == 3 and sorted(samples)[1] == row["us"][0],
                       f"{row['algorithm']}: {samples}, median {row['us'][0]}")
        expect(json_["mpi"].startswith(names[it.run.mpi]), f"the MPI is {json_['mpi']}")
        expect(json_["ranks"] == 3, f"{json_['ranks']} ranks")
        expect([x["ranks"] for x in json_["layout"]] == ["0-2"] and json_["layout"][0]["host"],
               f"the layout is {json_['layout']}")
        expect(json_["environment"].get("TUTTI_PIECE") == "64K", "TUTTI_PIECE is not there")
        expect(re.fullmatch(r"\S+", json_["commit"]), f"the commit is '{json_['commit']}'")
        expect(json_["command"][1:] == ["bench", *SMALL, "--samples", "-o", str(it.file)],
               f"the command is {json_['command']}")
        expect(json_["method"]["repetitions"] == 3 and json_["method"]["start"], "no method")
        for key in ("version", "date", "mpi_library", "system", "processor", "cores", "line"):
            expect(json_.get(key), f"no {key}")
        it.has_page()
        table(ended)

    def table(ended):
        lines = ended.output.splitlines()
        expect(lines and lines[0].startswith("3 ranks on 1 host, "), "no headline")
        for name, count in (("barrier", 1), ("allreduce", 2), ("allgatherv", 4)):
            found = sum(line.split()[:2] == [name, "3"] for line in lines)
            expect(found == count, f"{found} lines of {name}, not {count}")
        expect("7 cells" in lines[-1] and "wrong results: 0" in lines[-1], "no summary")

    it.launch("JSON file and table", 3, [*SMALL, "--samples", "-o", it.file], judge,
              variables={"TUTTI_PIECE": "64K"})

    def rows_of(text):
        rows = list(csv.reader(text.splitlines()))
        expect(rows and rows[0][0] == "collective", "no head")
        expect(all(len(row) == len(rows[0]) for row in rows), "lines are not equally long")
        rows = [dict(zip(rows[0], row)) for row in rows[1:]]
        wanted = {(c, str(n), d, a) for c, n, d in CELLS for a in it.algorithms(c, 3)}
        found = {(r["collective"], r["bytes"], r["distribution"], r["algorithm"]) for r in rows}
        expect(len(rows) == len(wanted) and found == wanted, f"{sorted(found ^ wanted)[:5]}")
        expect(all(r["correct"] == "1" and r["repetitions"] == "3" for r in rows), "a row is wrong")

    def csv_file(ended):
        rows_of(it.file.read_text())
        table(ended)

    def json_output(ended):
        it.right(json.loads(ended.output)["cells"], 3)

    it.launch("CSV instead of the table", 3, [*SMALL, "--csv"], lambda e: rows_of(e.output))
    it.launch("CSV file and table", 3, [*SMALL, "--csv", "-o", it.file], csv_file)
    it.launch("JSON instead of the table", it.few, [*SMALL, "--json"], json_output)

    def every(ended):
        for entry in it.catalogue:
            if entry["collective"] == "allreduce":
                expect(re.search(fr"^  [ *] {entry['algorithm']} .* 3 times$", ended.output,
                                 re.MULTILINE), f"no line of {entry['algorithm']}")

    it.launch("--all shows every algorithm", it.few, [*SMALL, "--all"], every)

    def one(ended):
        rows = [row["algorithm"] for row in ended.json()["cells"][0]["rows"]]
        expect(rows == ["native", "bcast/chain:segment=16", "bcast/chain:segment=64"], f"{rows}")

    it.launch("only some algorithms", 3,
              ["--collectives", "bcast", "-n", "1K", "--repetitions", 1, "-o", it.file,
               "--algorithm", "bcast/chain:segment=16", "--algorithm", "bcast/chain:segment=64"],
              one)


def ranks(it):
    small = ["--collectives", "alltoall,gather", "-n", "64", "--repetitions", "2"]

    def judge(ended):
        json_ = ended.json()
        found = [(c["collective"], c["p"]) for c in json_["cells"]]
        expect(sorted(found) == [("alltoall", 2), ("alltoall", 3), ("gather", 2), ("gather", 3)],
               f"the cells are {found}")
        expect(json_["complete"] is True and json_["ranks"] == 3, "not complete")
        it.right(json_["cells"], 2)

    it.launch("-p 2,3", 3, [*small, "-p", "2,3", "-o", it.file], judge)
    it.launch("-p 3,2 --root 1", 3, [*small, "-p", "3,2", "--root", 1, "-o", it.file], judge)
    it.launch("one rank", 1, [*SMALL, "-o", it.file],
              lambda e: it.right(e.json()["cells"], 3))
    it.launch("-p 5 of 3 ranks", 3, [*small, "-p", "5"], lambda e: e.one_line("-p 5: .*3 ranks"),
              codes=(2,))
    it.launch("a slip is told by one rank", 3, ["--types", "duoble"],
              lambda e: e.one_line("did you mean 'double'"), codes=(2,))
    it.launch("--root 3 of 3 ranks", 3, [*small, "--root", "3"],
              lambda e: e.one_line("--root 3: .*0 to 2"), codes=(2,))


def nodes(it):
    """Compositions over nodes: where there are several, those that can run; by name a told gap
    where they cannot."""
    p = 4
    small = ["--collectives", "allreduce,scan", "-n", "64", "--repetitions", "1", "-o", it.file]

    def compositions(collective, consecutive):
        return {f"{collective}/{entry['algorithm']}" for entry in it.compositions
                if entry["collective"] == collective
                and (consecutive or "; nodes of consecutive" not in entry["valid"])}

    def measured(flat, composed, consecutive=True):
        def judge(ended):
            for cell in ended.json()["cells"]:
                name = cell["collective"]
                wanted = {"native"} | (it.algorithms(name, p) if flat else set())
                wanted |= compositions(name, consecutive) if composed else set()
                found = {row["algorithm"] for row in cell["rows"]}
                expect(found == wanted, f"{name}: {sorted(found ^ wanted)}")
                for row in cell["rows"]:
                    expect(row["correct"] and row["repetitions"] == 1, f"{row} is wrong")
        return judge

    expect(compositions("scan", True) and not compositions("scan", False),
           "scan has no composition that needs consecutive ranks")
    two = {"TUTTI_TOPOLOGY": "2x2"}
    it.launch("two nodes: compositions, too", p, small, measured(True, True), variables=two)
    it.launch("two nodes of ranks dealt out in turn", p, small, measured(True, True, False),
              variables={"TUTTI_TOPOLOGY": "2x2:cyclic"})
    it.launch("--algorithms flat", p, [*small, "--algorithms", "flat"], measured(True, False),
              variables=two)
    it.launch("--algorithms node", p, [*small, "--algorithms", "node"], measured(False, True),
              variables=two)
    it.launch("--algorithms node on one node", p, [*small, "--algorithms", "node"],
              lambda e: e.one_line("TUTTI_TOPOLOGY"), codes=(2,))

    def chosen_alone(ended):
        for cell in ended.json()["cells"]:
            native, chosen = cell["rows"]
            expect(native["algorithm"] == "native" and not native["chosen"], f"{native} is not native")
            expect(chosen["algorithm"] == "chosen" and chosen["chosen"] and chosen["correct"]
                   and chosen["taken"] == cell["chosen"], f"{chosen} is not what is chosen")

    it.launch("--algorithms chosen", p, [*small, "--algorithms", "chosen"], chosen_alone)

    def too_large(ended):
        small_one, large = ended.json()["cells"]
        expect(small_one["rows"] and "failure" not in small_one, "8 bytes do not fit")
        expect(not large["rows"] and "of memory" in large["failure"], f"{large} was measured")

    it.launch("more than the memory holds", p,
              ["--collectives", "alltoall", "-n", "8,2000G", "--repetitions", "1", "-o", it.file],
              too_large)

    def uncounted(ended):
        cell, = ended.json()["cells"]
        expect(not cell["rows"] and ("can count" in cell["failure"] or "of memory" in cell["failure"]),
               f"{cell} was measured")

    it.launch("more bytes than an int counts", p,
              ["--collectives", "scatterv", "-n", "2049M", "--distributions", "regular",
               "--repetitions", "1", "-o", it.file], uncounted)

    def gap(ended):
        for cell in ended.json()["cells"]:
            rows = {row["algorithm"]: row for row in cell["rows"]}
            if cell["collective"] == "scan":
                expect(rows["scan/leader"].get("unmet") == "needs nodes that hold consecutive ranks"
                       and rows["scan/leader"]["repetitions"] == 0, f"{rows['scan/leader']}")
            else:
                expect(rows["allreduce/leader"]["repetitions"] == 1, f"{rows}")
        line = [x for x in ended.output.splitlines() if x.startswith("scan ")]
        expect(line and "leader needs nodes that hold consecutive" in line[0], "no word of it")
        expect("could not run: 1" in ended.output, "the summary does not count it")

    it.launch("what is named and cannot run is a told gap", p,
              [*small, "--algorithm", "scan/leader", "--algorithm", "allreduce/leader"], gap,
              variables={"TUTTI_TOPOLOGY": "2x2:cyclic"})


def output(it):
    it.launch("a folder that is not there", 3, [*SMALL, "-o", "/nonexistent/x.json"],
              lambda e: e.one_line("'/nonexistent/x.json'"), codes=(2,))
    folder = it.folder / "folder"

    def no_file(ended):
        left = sorted(x.name for x in it.folder.iterdir())
        expect(left == ["folder"], f"it left {left}")
        ended.one_line(f"cannot write '{re.escape(str(folder))}'")

    folder.mkdir()
    it.launch("the file is a folder", 3, [*SMALL, "-o", folder], no_file, codes=(2,))
    it.file.symlink_to("/dev/null")
    it.launch("a device is written to, not replaced", it.few, [*SMALL, "-o", it.file],
              lambda _: expect(it.file.is_symlink(), "it is a file now"))
    # A file is written under another name first, with its process's number; there it meets a device
    # that is always full.
    old = '{"old": 1}\n'

    def part(process):
        return it.folder / f"{it.file.name}.{process}.part"

    def clear():
        for each in it.folder.glob("*.part"):
            each.unlink()

    def whole(ended):
        ended.one_line(re.escape(str(it.file)))
        expect(it.file.read_text() == old, "the old file is not what it was")

    it.file.write_text(old)
    last = int(Path("/proc/loadavg").read_text().split()[-1])
    numbers = int(Path("/proc/sys/kernel/pid_max").read_text())
    for process in range(last + 1, last + min(numbers, 20000)):  # those that come next
        part(process % numbers).symlink_to("/dev/full")
    it.launch("a full disk", 3, [*SMALL, "-o", it.file], whole, codes=(2,))
    clear()

    def fill_disk(_):
        try:
            if it.has_cells():
                for process in Path("/proc").glob("[0-9]*"):
                    if not part(process.name).is_symlink():
                        part(process.name).symlink_to("/dev/full")
                return True
        except FileExistsError:  # it is being written
            pass
        return False

    def kept(ended):
        expect(ended.code == 2, f"exit code {ended.code}")
        ended.one_line(re.escape(str(it.file)))
        part_of_it(ended)

    def part_of_it(ended):
        json_ = ended.json()
        expect(json_["complete"] is False, "it says that it is complete")
        expect(0 < len(json_["cells"]) < FEW, f"{len(json_['cells'])} cells")
        expect(json_["mpi"] and json_["method"], "no provenance")
        for cell in json_["cells"]:
            expect(all(row["correct"] for row in cell["rows"]), "a row is not correct")

    it.disturb("the disk becomes full", 3, [*LONG, "-o", it.file], fill_disk, kept)
    clear()

    def interrupt(process):
        if it.has_cells():
            os.killpg(process.pid, signal.SIGINT)
            return True
        return False

    def interrupted(ended):
        expect(ended.code != 0, "exit code 0")
        part_of_it(ended)

    if it.run.mpi == "openmpi":
        it.disturb("interrupted", 3, [*LONG, "-o", it.file], interrupt, interrupted)


def guidelines(it):
    def judge(ended):
        json_ = ended.json()
        expect(json_["complete"] is True and "cells" not in json_, "not complete")
        found = {}
        for each in json_["guidelines"]:
            found.setdefault((each["rule"], each["bytes"]), []).append(each["who"])
            low, high = each["factor"][1:]
            expect(low <= each["factor"][0] <= high, f"the factor is {each['factor']}")
        for key in (("allreduce <= reduce + bcast", 64), ("bcast 64 <= bcast 1K", 64)):
            expect(key in found, f"no {key}")
        for key, who in found.items():
            expect(sorted(who) == ["native", "tutti"], f"{key} is of {who}")
        for who in ("native", "tutti"):
            expect(re.search(fr"^{who}: [0-9]+ of {len(found)} rules violated$", ended.output,
                             re.MULTILINE), f"no count for {who}")
        it.has_page()

    # 1: a rule is violated, which depends on the time taken.
    it.launch("guidelines", 2, ["--guidelines", "-n", "64,1K", "--repetitions", "3", "-o", it.file],
              judge, codes=(0, 1))


def regret(it):
    """What is chosen has a row of its own, and is held against all others."""
    words = ["--regret", "--collectives", "bcast,allreduce", "-n", "64,64K", "--repetitions", "6"]

    def judge(ended):
        json_ = ended.json()
        expect(json_["complete"] is True and len(json_["cells"]) == 4, "not complete")
        for cell in json_["cells"]:
            rows = {row["algorithm"]: row for row in cell["rows"]}
            wanted = it.algorithms(cell["collective"], cell["p"]) | {"chosen"}
            expect(rows.keys() == wanted, f"{sorted(rows.keys() ^ wanted)}")
            expect([name for name, row in rows.items() if row["chosen"]] == ["chosen"], "chosen")
            expect(rows["chosen"]["taken"] == cell["chosen"] and cell["chosen"] in wanted,
                   f"chosen: {cell['chosen']}")
            found = cell["regret"]
            expect(found["with_native"] > 0 and found["without_native"] > 0 and found["noise"] > 0,
                   f"the regret is {found}")
            expect(found["best"] in wanted - {"chosen"}, f"the best is {found['best']}")
            expect(found["best_without_native"] in wanted - {"chosen", "native"}, "the best of Tutti's")
            expect(cell["best"] in wanted - {"chosen", "native"}, f"the best is {cell['best']}")
        for name in ("with_native", "without_native", "noise"):
            share = json_["regret"][name]
            expect(share["cells"] == 4 and share["median"] <= share["p95"] <= share["most"], f"{share}")
        expect("regret, with the MPI's own as a candidate:" in ended.output, "no summary")

    it.launch("regret", 2, [*words, "-o", it.file], judge)

    def lines(ended):
        rows = list(csv.DictReader(ended.output.splitlines()))
        expect(len(rows) == 4 and all(float(row["regret"]) > 0 for row in rows), f"{rows}")

    it.launch("regret, csv", 2, [*words, "--csv"], lines)


def data(it):
    all_ = ["--collectives", ",".join(sorted(it.run.collectives)), "--repetitions", "1",
            "-o", it.file]

    def every(ended):
        cells = ended.json()["cells"]
        wanted = {(c, d) for c in it.run.collectives
                  for d in (DISTRIBUTIONS if c in IRREGULAR else ["regular"])}
        found = {(c["collective"], c["distribution"]) for c in cells}
        expect(len(cells) == len(wanted) and found == wanted, f"{sorted(found ^ wanted)}")
        it.right(cells, 1)

    it.launch("all collectives and distributions", it.few,
              [*all_, "-n", "240", "--distributions", "all"], every, limit=300)

    def typed(name, collectives):
        def judge(ended):
            cells = ended.json()["cells"]
            found = {c["collective"] for c in cells if c["type"] == name}
            expect(found == collectives, f"{name}: {sorted(found ^ collectives)}")
            it.right(cells, 1)
        return judge

    moved = it.run.collectives - {"barrier", "reduce", "allreduce", "scan", "exscan",
                                  "reduce_scatter", "reduce_scatter_block"}
    for name, collectives in (("strided", moved), ("byte", moved),
                              ("float", it.run.collectives - {"barrier"})):
        it.launch(f"type {name}", it.few,
                  [*all_, "-n", "240", "--types", name, "--distributions", "spike"],
                  typed(name, collectives), limit=300)
    it.launch("no elements for some, or for all", it.few,
              [*all_, "-n", "0,1", "--distributions", "regular"],
              lambda e: it.right(e.json()["cells"], 1), limit=300)


def provenance(it):
    def forced(name):
        def judge(ended):
            cells = ended.json()["cells"]
            it.right(cells, 3)
            for cell in cells:
                if cell["collective"] == "allreduce":
                    expect(chosen_of(cell) == name, f"chosen: {chosen_of(cell)}")
        return judge

    for value, chosen in (("linear", ["allreduce/linear"]), ("native", [])):
        it.launch(f"allreduce is forced to {value}", it.few, [*SMALL, "-o", it.file], forced(chosen),
                  variables={"TUTTI_ALGORITHM_ALLREDUCE": value})

    explained = it.folder / "explained.json"

    def really(ended):
        """Every algorithm ran as often as it was measured, tried and warmed up."""
        rows = json.loads(explained.read_text())["rows"]
        for name in it.algorithms("allreduce", it.few) - {"native"}:
            calls = sum(row["calls"] for row in rows if row["collective"] == "allreduce"
                        and row["algorithm"] == name.split("/")[1])
            expect(calls == 5, f"{name} ran {calls} times")

    it.launch("each algorithm runs, though one is forced", it.few,
              ["--collectives", "allreduce", "-n", "1K", "--repetitions", "3"], really,
              variables={"TUTTI_ALGORITHM_ALLREDUCE": "linear", "TUTTI_EXPLAIN": explained})

    def clock(ended):
        json_ = ended.json()
        expect("clock" in json_["method"]["start"], f"it starts by {json_['method']['start']}")
        it.right(json_["cells"], 3)

    it.launch("--start clock", it.few, [*SMALL, "--start", "clock", "-o", it.file], clock)

    def row(ended):
        json_ = ended.json()
        expect("row" in json_["method"]["start"], f"it starts by {json_['method']['start']}")
        it.right(json_["cells"], 3)

    it.launch("--start row", it.few, [*SMALL, "--start", "row", "-o", it.file], row)

    def shipped(ended):
        expect(ended.json()["line"]["source"] == "myrinet-2000", f"{ended.json()['line']}")

    it.launch("--profile", it.few, [*SMALL, "--profile", "myrinet-2000", "-o", it.file], shipped)
