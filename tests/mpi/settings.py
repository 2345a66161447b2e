"""What the variables of docs/environment.md do, and that nothing goes to the MPI unsaid.

Three kinds of test for run.py, which hands itself over as `run`.
"""

import json
import os
import re
from collections import Counter

# The columns of the explanation's table.
COLUMNS = ["collective", "ranks", "bytes", "calls", "seconds", "us/call", "algorithm", "why"]
NEIGHBOURS = ["neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall",
              "neighbor_alltoallv", "neighbor_alltoallw"]
# Collectives whose ranks have no common size to choose by.
WITHOUT_SIZE = {"barrier", "scatterv", "gatherv", "alltoallv", "alltoallw"}
# What collectives.c calls more than once.
TWICE = {"allgather", "allreduce"}

CANNOT_COMMUTE = (r"allreduce/ring was asked for in a call of allreduce with 400 bytes on 2 ranks, "
                  r"but it needs a commutative operator")
CANNOT_PAIR = (r"alltoall/pairwise_xor was asked for in a call of alltoall with 12 bytes on "
               r"3 ranks, but it needs a power of two of ranks, not 3")
NOT_THE_SAME = r"the TUTTI_ variables are not the same on all ranks"


class Wrong(Exception):
    """What a judge objects to."""


def expect(holds, what):
    if not holds:
        raise Wrong(what)


class Result:
    def __init__(self, code, output, errors, rows):
        self.code, self.output, self.errors, self.rows = code, output, errors, rows
        self.told = [x for x in errors.splitlines() if x.startswith("tutti: ")]

    def tells_once(self, pattern):
        """The library says this, in one line, and nothing else."""
        expect(len(self.told) == 1, f"{len(self.told)} lines of Tutti, not 1")
        expect(re.search(pattern, self.told[0]), f"no line like '{pattern}'")

    def calls(self, **wanted):
        """Collective calls in the rows that have these values."""
        return sum(row["calls"] for row in self.rows
                   if all(row[k] == v for k, v in wanted.items()))


class Probe:
    """Runs programs one after the other, each looked at by a judge, who raises Wrong."""

    def __init__(self, run, kind):
        self.run, self.kind = run, kind
        self.explained = run.work / f"explained-{os.getpid()}.json"

    def launch(self, what, p, words, judge, fails=False, limit=60):
        code, output, errors, seconds = self.run.execute(words, limit)
        rows = []
        if self.explained.exists():
            rows = json.loads(self.explained.read_text())["rows"]
            self.explained.unlink()
        why = None
        try:
            expect(code is not None, f"not finished after {limit} s")
            expect((code != 0) == fails, f"exit code {code}")
            judge(Result(code, output, errors, rows))
        except Wrong as wrong:
            why = str(wrong)
        self.run.report(f"{self.run.mpi} p = {p} {self.kind}: {what}", seconds, why,
                        output + errors)
        return why is None

    def drop_in(self, what, p, command, judge, variables=None, **options):
        """Through the drop-in, with an explanation."""
        variables = self.run.drop_in(TUTTI_EXPLAIN=self.explained) | (variables or {})
        return self.launch(what, p, self.run.words(p, command, variables), judge, **options)


def calls_of_collectives_c(run):
    return {name: 2 if name in TWICE else 1 for name in run.collectives}


def settings(run):
    probe = Probe(run, "settings")
    collectives, orders = run.program("collectives.c"), run.program("orders.c")
    slips(run, probe, collectives)
    cannot_run(run, probe, collectives, orders)
    every_algorithm(run, probe, collectives)
    off(run, probe, collectives)
    other_forms(run, probe)
    table(run, probe, collectives)
    not_the_same(run, probe, collectives)
    communicators(run, probe)


def slips(run, probe, program):
    for name, value, pattern in [
            ("TUTTI_ALGORITHM_ALLREDUCE", "nonsense",
             r"TUTTI_ALGORITHM_ALLREDUCE: unknown algorithm 'allreduce/nonsense' "
             r"\(tutti list allreduce\)$"),
            ("TUTTI_ALGORITHM_ALLREDUCE", "rnig",
             r"TUTTI_ALGORITHM_ALLREDUCE: .*'allreduce/rnig': did you mean 'allreduce/ring'\?"),
            ("TUTTI_ALGORITHM_BCAST", "chain:segmnt=1K",
             r"TUTTI_ALGORITHM_BCAST: .*segmnt.*did you mean 'segment'\?"),
            ("TUTTI_OFF", "nonsense", r"TUTTI_OFF: unknown collective 'nonsense' \(tutti list\)$"),
            ("TUTTI_OFF", "scna", r"TUTTI_OFF: .*'scna': did you mean 'scan'\?"),
            ("TUTTI_EXPLIAN", "1", r"TUTTI_EXPLIAN: did you mean 'TUTTI_EXPLAIN'\?"),
            ("TUTTI_STRICT", "no", r"TUTTI_STRICT: 'no' is no switch: write 0 or 1$"),
            ("TUTTI_LEARN", "maybe",
             r"TUTTI_LEARN: 'maybe' is no way to learn: write off, on, keep or any$"),
            ("TUTTI_PIECE", "12Q", r"TUTTI_PIECE: '12Q' is not in range: write ")]:
        probe.drop_in(f"{name}={value}", 2, [program], lambda r: r.tells_once(pattern),
                      {name: value}, fails=True)

    def at_once(result):
        result.tells_once("TUTTI_EXPLIAN")
        expect("forms: " not in result.errors, "the program went on after MPI_Init")

    # With one rank this program complains before its first collective.
    probe.drop_in("a slip is told in MPI_Init", 1, [run.program("forms.c")], at_once,
                  {"TUTTI_EXPLIAN": 1}, fails=True)


def cannot_run(run, probe, collectives, orders):
    ring = {"TUTTI_ALGORITHM_ALLREDUCE": "ring"}
    xor = {"TUTTI_ALGORITHM_ALLTOALL": "pairwise_xor"}

    def visible(pattern):
        return lambda r: expect(re.search(pattern, r.output + r.errors), f"no text '{pattern}'")

    def returned(result):
        for rank in range(2):
            expect(len(re.findall(f"rank {rank}: .*{CANNOT_COMMUTE}", result.output)) == 3,
                   f"rank {rank} did not get the text three times from MPI_Error_string")
        expect(result.calls(collective="allreduce") == 0, "the call was made all the same")

    def warned(pattern, collective, asked):
        def judge(result):
            result.tells_once(pattern)
            names = {row["algorithm"] for row in result.rows if row["collective"] == collective}
            expect(names and names.isdisjoint({asked, "native"}), f"{collective} ran with {names}")
        return judge

    probe.drop_in("an operator that does not commute, fatal", 2, [orders],
                  visible(CANNOT_COMMUTE), ring, fails=True)
    probe.drop_in("an operator that does not commute, returned", 2, [orders, "return"], returned,
                  ring)
    probe.drop_in("an operator that does not commute, TUTTI_STRICT=0", 2, [orders],
                  warned(CANNOT_COMMUTE, "allreduce", "ring"), ring | {"TUTTI_STRICT": 0})
    probe.drop_in("three ranks are no power of two, fatal", 3, [collectives], visible(CANNOT_PAIR),
                  xor, fails=True)
    probe.drop_in("three ranks are no power of two, TUTTI_STRICT=0", 3, [collectives],
                  warned(CANNOT_PAIR, "alltoall", "pairwise_xor"), xor | {"TUTTI_STRICT": 0})


def every_algorithm(run, probe, program):
    """Forces each algorithm of the catalogue once, one of each collective at a time."""
    names = {}
    for entry in json.loads(run.catalogue().read_text()):
        names.setdefault(entry["collective"], []).append(entry["algorithm"])
    p = 4 if run.mpi == "openmpi" else 2  # MPICH never yields
    seen, wanted = set(), {(c, a) for c, list_ in names.items() for a in list_}
    for k in range(max(map(len, names.values()))):
        forced = {c: list_[k % len(list_)] for c, list_ in names.items()}

        def judge(result):
            for collective, calls in calls_of_collectives_c(run).items():
                name = forced[collective]
                expect(result.calls(collective=collective, algorithm=name, why="asked for",
                                    ranks=p) == calls,
                       f"{collective}/{name} did not run {calls} times")
                expect(result.calls(collective=collective) == calls,
                       f"{collective} ran with another algorithm, too")
                seen.add((collective, name))

        variables = {f"TUTTI_ALGORITHM_{c.upper()}": a for c, a in forced.items()}
        probe.drop_in(f"forced algorithms, {k + 1}", p, [program], judge, variables)
    missing = sorted("/".join(each) for each in wanted - seen)
    run.report(f"{run.mpi} p = {p} settings: {len(seen)} of {len(wanted)} algorithms ran", 0,
               f"not seen: {', '.join(missing)}" if missing else None)


def off(run, probe, program):
    def only(names):
        def judge(result):
            for collective, calls in calls_of_collectives_c(run).items():
                native = result.calls(collective=collective, algorithm="native", why="off")
                expect(native == (calls if collective in names else 0),
                       f"{collective}: {native} calls were off")
                expect(result.calls(collective=collective) == calls, f"{collective}: not {calls}")
        return judge

    def all_ranks(result):
        only({"scan"})(result)
        for row in result.rows:
            expect(row["calls_of_all_ranks"] == 3 * row["calls"], f"{row} is not of three ranks")

    probe.drop_in("TUTTI_OFF=all", 3, [program], only(run.collectives), {"TUTTI_OFF": "all"})
    probe.drop_in("TUTTI_OFF=scan", 3, [program], all_ranks, {"TUTTI_OFF": "scan"})
    probe.drop_in("native is forced", 3, [program], only({"gather"}),
                  {"TUTTI_ALGORITHM_GATHER": "native"})
    probe.launch("tutti run --off", 3,
                 run.words(3, [run.build / "bin/tutti", "run", "--off", "scan,exscan",
                               f"--explain={probe.explained}", "--", program]),
                 only({"scan", "exscan"}))


def other_forms(run, probe):
    """forms.c calls everything that is not blocking, or not for Tutti, once; with large counts a
    second time, where the MPI has them."""
    def judge(result):
        native = Counter()
        for row in result.rows:
            if row["algorithm"] == "native":
                native[row["collective"], row["why"]] += row["calls"]
        large = run.mpi == "mpich"  # MPI 4
        for name in [*run.collectives, *NEIGHBOURS]:
            times = 2 if large and name != "barrier" else 1
            forms = [(f"i{name}", "nonblocking", times)]
            if large:
                forms.append((f"{name}_init", "persistent", times))
            if name in NEIGHBOURS:
                forms.append((name, "neighbourhood", times))
            for form, why, calls in forms:
                found = native[form, why]
                expect(found == calls, f"{form}: {found} calls, not {calls}")
        for name in ("barrier", "allgather", "allreduce"):
            calls = native[name, "between two groups"]
            expect(calls == 1, f"{name} between two groups: {calls} calls, not 1")
        for name in run.collectives - {"barrier"}:
            calls = sum(row["calls"] for row in result.rows
                        if row["collective"] == name and row["algorithm"] != "native")
            expect(calls == large, f"{name} with large counts: {calls} calls through Tutti")

    probe.drop_in("other forms are noted", 4 if run.mpi == "openmpi" else 2,
                  [run.program("forms.c")], judge)


def table(run, probe, program):
    p = 4 if run.mpi == "openmpi" else 2

    def judge(result):
        expect(len(result.told) == 1 and f"collectives of {p} ranks" in result.told[0],
               "no head line, or more than one")
        lines = result.errors[result.errors.index(result.told[0]):].splitlines()[1:]
        rows = [re.split(r"\s{2,}", line.strip()) for line in lines]
        expect(rows and rows[0] == COLUMNS, f"the columns are {rows[:1]}")
        rows = [dict(zip(COLUMNS, row)) for row in rows[1:]]
        calls = {row["collective"]: int(row["calls"]) for row in rows}
        expect(calls == calls_of_collectives_c(run), f"the calls are {calls}")
        expect(all(row["ranks"] == str(p) for row in rows), "a row is not of all ranks")
        seconds = [float(row["seconds"]) for row in rows]
        expect(seconds == sorted(seconds, reverse=True), "the slowest is not first")
        expect(not result.output, "standard output is not the program's own")

    probe.launch("tutti run --explain prints a table", p,
                 run.words(p, [run.build / "bin/tutti", "run", "--explain", "--", program]), judge)


def not_the_same(run, probe, program):
    """Two ranks, each with variables of its own."""
    for first, second in [({"TUTTI_ALGORITHM_ALLREDUCE": "ring"}, {}),
                          ({"TUTTI_ALGORITHM_ALLREDUCE": "ring"},
                           {"TUTTI_ALGORITHM_ALLREDUCE": "linear"}),
                          ({"TUTTI_ALGORITHM_BCAST": "chain:segment=4"},
                           {"TUTTI_ALGORITHM_BCAST": "chain:segment=8"}),
                          ({}, {"TUTTI_OFF": "all"}),
                          ({"TUTTI_OFF": "bcast"}, {}),
                          ({"TUTTI_PIECE": "1K"}, {}),
                          ({"TUTTI_CHECK": 1}, {}),
                          ({"TUTTI_STRICT": 0}, {}),
                          ({"TUTTI_PROFILE": "ibm-sp"}, {"TUTTI_PROFILE": "cray-t3e"}),
                          ({"TUTTI_LEARN": "on"}, {"TUTTI_LEARN": "any"}),
                          ({"TUTTI_YOUNG": 5}, {"TUTTI_YOUNG": 6}),
                          ({"TUTTI_EXPLAIN": probe.explained}, {})]:
        def judge(result):
            expect(any(re.search(NOT_THE_SAME, line) for line in result.told), "it was not told")

        words = [*run.words(1, [program], run.drop_in(**first)), ":",
                 *run.words(1, [program], run.drop_in(**second))]
        text = " and ".join(" ".join(f"{k}={getattr(v, 'name', v)}" for k, v in each.items())
                            or "nothing" for each in (first, second))
        probe.launch(f"ranks with {text}", 2, words, judge, limit=20)

    def native(result):
        result.tells_once(NOT_THE_SAME)
        for row in result.rows:
            expect(row["algorithm"] == "native" and re.search(NOT_THE_SAME, row["why"]),
                   f"{row['collective']} ran with {row['algorithm']}: {row['why']}")
        expect({row["collective"] for row in result.rows} == run.collectives, "a row is missing")

    same = run.drop_in(TUTTI_EXPLAIN=probe.explained)
    probe.launch("ranks with different variables are explained", 2,
                 [*run.words(1, [program], same), ":",
                  *run.words(1, [program], same | {"TUTTI_PIECE": "1K"})], native, limit=20)


def communicators(run, probe):
    def judge(result):
        result.tells_once("too many communicators")
        native = result.calls(collective="allreduce", algorithm="native",
                              why="too many communicators (TUTTI_COMMUNICATORS)")
        expect(native == 2, f"{native} calls went to the MPI, not 2 of 10")
        expect(result.calls(collective="allreduce") == 10, "not 10 calls")

    probe.drop_in("TUTTI_COMMUNICATORS=4", 2, [run.program("communicators.c")], judge,
                  {"TUTTI_COMMUNICATORS": 4})


def check(run):
    """TUTTI_CHECK=1: right programs run as ever, and one wrong rank is an error on all."""
    probe = Probe(run, "check")
    on = {"TUTTI_CHECK": 1}

    def clean(result):
        expect(not result.told, "a right call was complained of")

    p = 3 if run.mpi == "openmpi" else 2
    probe.drop_in("collectives.c is right", p, [run.program("collectives.c")], clean, on)
    probe.drop_in("forms.c is right", p, [run.program("forms.c")], clean, on)
    probe.launch("differential is right", p,
                 run.words(p, [run.program("differential.cpp"), "--algorithms", run.catalogue(),
                               "--seed", 1, "--iterations", 200 if run.quick else 1000], on),
                 clean, limit=600)
    for p in (2, 3) if run.mpi == "openmpi" else (2,):
        probe.drop_in("one rank is wrong", p, [run.program("one_is_wrong.c")],
                      lambda r: one_is_wrong(r, p), on)
    probe.drop_in("one rank is wrong, fatal", p, [run.program("one_is_wrong.c"), "fatal"],
                  lambda r: expect(f"barrier on rank {p - 1}" in r.output + r.errors, "no text"),
                  on, fails=True)


def one_is_wrong(result, p):
    """Each case is an error on all ranks, whose text names those that differ."""
    last, others = f"rank {p - 1}", "rank 0" if p == 2 else "ranks 0, 1"

    def differ(one, rest):
        return [f"{one}[^;]* on {last}(;|$)", f"{rest}[^;]* on {others}(;|$)"]

    cases = {
        "collective": differ("barrier", "allreduce"),
        "root": differ("bcast, root 1", "bcast, root 0"),
        "operator": differ("allreduce, MPI_MAX", "allreduce, MPI_SUM"),
        "bcast size": differ("bcast, root 0, 8 bytes", "bcast, root 0, 4 bytes"),
        "allreduce size": differ("allreduce, MPI_SUM, 8 bytes", "allreduce, MPI_SUM, 4 bytes"),
        "alltoall size": differ(f"alltoall, {8 * p} bytes", f"alltoall, {4 * p} bytes"),
        "allgatherv counts": differ("allgatherv", "allgatherv"),
        "reduce_scatter counts": differ("reduce_scatter", "reduce_scatter"),
        "scatterv pair": [f"scatterv: rank 0 sends 4 bytes to {last}, which expects 8"],
        "gatherv pair": [f"gatherv: {last} sends 8 bytes to rank 0, which expects 4"],
        "alltoallv pair": [f"alltoallv: {last} sends 8 bytes to rank 0, which expects 4",
                           f"{last} sends 0 bytes to rank 1, which expects 4"],
        "alltoallw pair": [f"alltoallw: {last} sends 8 bytes to rank 0, which expects 4",
                           f"{last} sends 0 bytes to rank 1, which expects 4"],
        "argument": differ("bcast with wrong arguments", "bcast, root 0, 4 bytes"),
    }
    expect("is wrong" not in result.output, "a right call after a wrong one failed")
    for name, patterns in cases.items():
        texts = re.findall(f"^{name} on rank ([0-9]+): (.*)$", result.output, re.MULTILINE)
        ranks = sorted(int(rank) for rank, _ in texts)
        expect(ranks == list(range(p)), f"{name}: not on all ranks")
        expect(len({text for _, text in texts}) == 1, f"{name}: not the same text on all ranks")
        for pattern in patterns:
            expect(re.search(pattern, texts[0][1]), f"{name}: no '{pattern}' in '{texts[0][1]}'")


MPI_ERR_COUNT = 2  # of both


def errors(run):
    """Under MPI's default handler a wrong call ends the program as it does without Tutti. The
    launcher's exit code is the error's class; its text is lost now and then with Open MPI."""
    probe = Probe(run, "errors")
    program = run.program("wrong_arguments.c")
    named = re.compile(r"MPI_ERR_\w+(?=:)|(?<=: )[^,:\n]+(?=, error stack)")
    for case in ("root", "count", "type", "operator", "operator_and_type", "communicator",
                 "too_long"):
        ends = []
        probe.launch(f"{case}, without Tutti", 2, run.words(2, [program, case]), ends.append,
                     fails=True)

        def class_of(result):
            # MPICH's launcher gives a signal's number if it sees first the end of a rank that it
            # ended itself; what the other one said has the class in its last bits.
            told = re.search(r"Abort\((\d+)\)", result.errors + result.output)
            return int(told[1]) & 127 if told else result.code

        def same(result):
            expect("no error on rank" not in result.output, "the program went on")
            expect(ends and class_of(result) == class_of(ends[0]),
                   f"class {result.code}, {ends[0].code if ends else 'none'} without Tutti")
            mine, its = (set(named.findall(r.errors)) for r in (result, ends[0]))
            expect(not mine or not its or mine & its, f"{mine}, but {its} without Tutti")

        for young in (0, 64):
            probe.drop_in(f"{case}, the same class through the drop-in, TUTTI_YOUNG={young}", 2,
                          [program, case], same, {"TUTTI_YOUNG": young}, fails=True)

    def tells_of_the_count(result):
        # Open MPI's launcher now and then loses the text that both ranks have.
        expect("no error on rank" not in result.output, "the program went on")
        expect(result.code == MPI_ERR_COUNT, f"code {result.code}, {result.errors[-300:]}")

    # MPICH alone crashes.
    for young in (0, 64):
        probe.drop_in(f"a negative count to reduce, TUTTI_YOUNG={young}", 2,
                      [program, "count_to_reduce"], tells_of_the_count, {"TUTTI_YOUNG": young}, fails=True)
