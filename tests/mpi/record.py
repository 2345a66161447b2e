"""What TUTTI_RECORD writes: calls as a plain counting wrapper counts them, and who waits for whom.

A kind of test for run.py, which hands itself over as `run`.
"""

import json
import os
import pathlib
import subprocess
from collections import Counter

from settings import Probe, expect

# late.c: rounds, and by how much a rank is late in each.
ROUNDS, LATE = 10, 0.04


class Recorded:
    """Runs programs that leave a record."""

    def __init__(self, run):
        self.run, self.probe = run, Probe(run, "record")
        self.file = run.work / f"record-{os.getpid()}.json"
        self.counts = run.work / f"counts-{os.getpid()}"
        self.counting = run.program("counting.c")

    def variables(self, counts=False, **more):
        variables = self.run.drop_in(TUTTI_RECORD=self.file) | more
        if counts:
            variables |= {"COUNTS": self.counts,
                          "LD_PRELOAD": f"{self.counting}:{variables['LD_PRELOAD']}"}
        return variables

    def launch(self, what, p, words, judge, **options):
        self.file.unlink(missing_ok=True)

        def look(result):
            result.record = json.loads(self.file.read_text()) if self.file.exists() else None
            left = list(self.file.parent.glob(self.file.name + "?*"))
            expect(not left, f"there is {left}")
            judge(result)

        self.probe.launch(what, p, words, look, **options)
        self.file.unlink(missing_ok=True)

    def drop_in(self, what, p, command, judge, counts=False, variables=None, **options):
        self.launch(what, p, self.run.words(p, command, self.variables(counts, **(variables or {}))),
                    judge, **options)

    def counted(self, p):
        """What the wrapper counted: by function and size of communicator, all calls and those of a
        communicator's rank 0."""
        calls, as_rank_0 = Counter(), Counter()
        for rank in range(p):
            path = pathlib.Path(f"{self.counts}.{rank}")
            expect(path.exists(), f"rank {rank} has not counted")
            for line in path.read_text().splitlines():
                name, size, number, first = line.split()
                calls[name, int(size)] += int(number)
                as_rank_0[name, int(size)] += int(first)
            path.unlink()
        return calls, +as_rank_0


def rows_of(record, **wanted):
    """Rows with these values; `on`: the communicator's name."""
    return [row for row in record["rows"]
            if all((record["communicators"][row["communicator"]]["name"] if k == "on" else row[k]) == v
                   for k, v in wanted.items())]


def total(rows, field):
    return sum(row[field] for row in rows)


def record(run):
    recorded = Recorded(run)
    same_counts(run, recorded)
    waiting(run, recorded)
    communicators(run, recorded)
    other_clock(run, recorded)
    predictions(run, recorded)
    ends(run, recorded)
    slips(run, recorded)


def same_counts(run, recorded):
    for p in (2, 4) if run.mpi == "openmpi" else (2,):
        for name, more in (("collectives", {}), ("collectives", {"TUTTI_OFF": "all"}),
                           ("forms", {}), ("late", {}), ("communicators", {"TUTTI_COMMUNICATORS": 4})):
            def judge(result):
                calls, as_rank_0 = recorded.counted(p)
                expect(result.record, "no record")
                mine, collectively = Counter(), Counter()
                for row in result.record["rows"]:
                    communicator = result.record["communicators"][row["communicator"]]
                    key = row["collective"], communicator["size"]
                    mine[key] += row["calls_of_all_ranks"]
                    # Of two groups each has a rank 0.
                    collectively[key] += row["calls"] * (2 if "between" in communicator["name"] else 1)
                expect(mine == calls, f"{dict(mine - calls)} too many, {dict(calls - mine)} too few")
                expect(collectively == as_rank_0, f"{collectively}, but {as_rank_0}")

            what = " ".join([f"{name}.c", *(f"{k}={v}" for k, v in more.items())])
            recorded.drop_in(f"{what}: as many calls as a wrapper counts", p, [run.program(f"{name}.c")],
                             judge, counts=True, variables=more)


def judge_late(result, p):
    """At least half of what one rank comes late: the others may come late themselves."""
    record = result.record
    expect(record and record["kind"] == "record" and record["ranks"] == p, "no record")
    allreduces = rows_of(record, collective="allreduce", on="world")
    waited, time = total(allreduces, "waiting_seconds"), total(allreduces, "seconds")
    late = ROUNDS * LATE * (p - 1)
    expect(0.5 * late < waited <= time, f"{waited} s waiting in allreduce, of {time}, for {late}")
    for row in allreduces:
        who = row["waited_for"]
        expect(who["rank"] == p - 1 and who["share"] > 0.8, f"waited for {who}")
        expect(row["sampled_calls"] == row["calls"] == ROUNDS, f"{row}")
    bcasts = rows_of(record, collective="bcast", on="world", bytes_at_most=2 ** 18)
    waited = total(bcasts, "waiting_seconds")
    expect(0.5 * late < waited, f"{waited} s waiting in bcast, for {late}")
    expect(all(row["waited_for"]["rank"] == 1 for row in bcasts), f"{bcasts}")
    expect(total(bcasts, "bytes") == ROUNDS * 2 ** 18, f"{total(bcasts, 'bytes')} bytes")
    expect(ROUNDS * LATE * 2 < record["wall_seconds"] < 60, f"{record['wall_seconds']} s")


def waiting(run, recorded):
    program = run.program("late.c")
    for p in (2, 4) if run.mpi == "openmpi" else (2,):
        recorded.drop_in("a late rank is waited for", p, [program], lambda r: judge_late(r, p))
    recorded.drop_in("a late rank is waited for in the MPI's own", 2, [program],
                     lambda r: judge_late(r, 2), variables={"TUTTI_OFF": "all"})

    def shown(result):
        judge_late(result, 2)
        expect(len(result.told) == 1 and result.told[0].endswith(
            f"tutti report {recorded.file} shows it"), f"{result.told}")
        page = recorded.file.with_suffix(".html")
        done = subprocess.run([run.build / "bin/tutti", "report", recorded.file, "-o", page],
                              capture_output=True, text=True)
        expect(done.returncode == 0, done.stderr)
        expect("of the time of allreduce is waiting for the last rank, mostly for rank 1" in page.read_text(),
               "no advice in the page")
        page.unlink()

    recorded.launch("tutti run --record, and tutti report", 2,
                    run.words(2, [run.build / "bin/tutti", "run", "--record", recorded.file, "--", program]),
                    shown)


def communicators(run, recorded):
    p = 4 if run.mpi == "openmpi" else 2

    def judge(result):
        record = result.record
        expect(record, "no record")
        names = sorted(each["name"] for each in record["communicators"])
        wanted = ["copy", "self", "world"] + (["ranks 0,2", "ranks 1,3"] if p == 4 else [])
        expect(names == sorted(wanted), f"{names}")
        expect(total(rows_of(record, collective="allreduce", on="copy"), "calls") == ROUNDS, "copy")
        expect(total(rows_of(record, collective="allreduce", on="self"), "calls") == p, "self")
        world = next(each for each in record["communicators"] if each["name"] == "world")
        expect((world["topology"], world["ranks"]) == (f"1x{p}", f"0-{p - 1}"), f"{world}")
        for half in ("ranks 0,2", "ranks 1,3") if p == 4 else ():
            rows = rows_of(record, collective="barrier", on=half)
            expect(total(rows, "calls") == ROUNDS and total(rows, "sampled_calls") == ROUNDS, f"{rows}")
        many = rows_of(record, collective="bcast", on="world", bytes_at_most=4)
        expect(total(many, "calls") == 5000 and total(many, "bytes") == 20000, f"{many}")
        expect(all(256 <= row["sampled_calls"] <= 1024 for row in many if row["calls"] > 1024), f"{many}")
        gatherv = rows_of(record, collective="gatherv", on="world")
        expect(total(gatherv, "bytes") == 2 and gatherv[0]["bytes_at_most"] is None, f"{gatherv}")

    recorded.drop_in("communicators and sizes", p, [run.program("late.c")], judge)


def other_clock(run, recorded):
    """A rank in a time namespace has another clock, a thousand seconds ahead."""
    shifted = ["unshare", "--fork", "--time", "--monotonic", "1000", "--boottime", "1000"]
    if subprocess.run([*shifted, "true"], capture_output=True).returncode:
        print("         skipped: no other clock without rights to make a time namespace")
        return
    program, variables = run.program("late.c"), recorded.variables()

    def judge(result):
        expect(result.record and result.record["clocks"]["number"] == 2, "there are not two clocks")
        expect(result.record["clocks"]["error_us"] < 1e6 * LATE / 10, f"{result.record['clocks']}")
        judge_late(result, 2)

    recorded.launch("a rank whose clock is another", 2,
                    [*run.words(1, [program], variables), ":",
                     *run.words(1, [*shifted, program], variables)], judge)


def predictions(run, recorded):
    def judge(result):
        expect(result.record, "no record")
        expect(result.record["profile"] == {"name": "fabric-100g", "measured": False}, "profile")
        for row in rows_of(result.record, on="world"):
            expect(row["best"] and row["best_us"] > 0, f"{row}")
            if row["algorithm"] == "native":
                expect(row["predicted_us"] is None, f"{row}")
            else:
                expect(row["predicted_us"] >= row["best_us"], f"{row}")
        ring = rows_of(result.record, collective="allreduce", algorithm="ring", on="world")
        expect(ring and all(row["best"] != "ring" and row["predicted_us"] > row["best_us"]
                            for row in ring), f"{ring}")

    recorded.drop_in("what the best would take", 4 if run.mpi == "openmpi" else 2,
                     [run.program("late.c")], judge, variables={"TUTTI_ALGORITHM_ALLREDUCE": "ring",
                                                                "TUTTI_OFF": "gatherv"})


def ends(run, recorded):
    """A program that does not come to its end leaves nothing."""
    for how in ("abort", "kill"):
        recorded.drop_in(f"a rank's {how} leaves nothing", 2, [run.program("late.c"), how],
                         lambda r: expect(r.record is None, "there is a record"), fails=True)


def slips(run, recorded):
    program = run.program("collectives.c")
    nowhere = "/no/such/folder/x.json"

    def refused(label):
        def judge(result):
            result.tells_once(f"{label}: cannot write '{nowhere}': there is no folder")
            expect(result.record is None, "there is a record")
        return judge

    recorded.drop_in("no such folder", 2, [program], refused("TUTTI_RECORD"),
                     variables={"TUTTI_RECORD": nowhere}, fails=True)
    recorded.launch("tutti run: no such folder", 2,
                    run.words(2, [run.build / "bin/tutti", "run", "--record", nowhere, "--", program]),
                    refused("TUTTI_RECORD"), fails=True)

    def one_alone(result):
        result.tells_once("the TUTTI_ variables are not the same on all ranks: nothing is recorded")
        expect(result.record is None, "there is a record")

    recorded.launch("one rank alone", 2, [*run.words(1, [program], recorded.variables()), ":",
                                          *run.words(1, [program], run.drop_in())], one_alone)
