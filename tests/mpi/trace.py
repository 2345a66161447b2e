"""What `tutti trace` and TUTTI_TRACE record, held against the schedules and against time.

A kind of test for run.py, which hands itself over as `run`.
"""

import collections
import json
import os
import subprocess
import time

from settings import NOT_THE_SAME, Probe, Wrong, calls_of_collectives_c, expect


class Trace:
    """A file, checked as far as any trace can be."""

    def __init__(self, path, ranks):
        try:
            self.json = json.loads(path.read_text())
        except (OSError, ValueError) as error:
            expect(False, f"no trace: {error}")
        expect(list(self.json) == ["displayTimeUnit", "traceEvents", "tutti"], list(self.json))
        self.tutti, self.events = self.json["tutti"], self.json["traceEvents"]
        expect(self.tutti["kind"] == "trace" and self.tutti["ranks"] == ranks, "another kind")
        self.slices = [e for e in self.events if e["ph"] == "X"]
        self.sorted_and_nested()
        self.sends_and_receives()

    def sorted_and_nested(self):
        last, busy = 0, {}
        for event in self.events:
            expect(event["ts"] >= last, f"not sorted: {event}")
            last = event["ts"]
            if event["ph"] == "X":
                thread = event["pid"], event["tid"]
                expect(event["ts"] >= busy.get(thread, 0) - 1e-6, f"two at a time on {thread}: {event}")
                expect(event["dur"] >= 0, f"{event}")
                busy[thread] = event["ts"] + event["dur"]
        ranks = {e["pid"] for e in self.events if e.get("name") == "process_name"}
        expect(ranks == set(range(self.tutti["ranks"])), f"ranks {ranks}")
        threads = {(e["pid"], e["tid"]) for e in self.events if e.get("name") == "thread_name"}
        expect(busy.keys() <= threads, "a thread has no name")

    def sends_and_receives(self):
        for event in self.slices:
            expect("message" in event["args"] or event["cat"] not in ("send", "recv"), f"no partner: {event}")
        sends, receives = ({e["args"]["message"]: e for e in self.slices if e["cat"] == kind}
                           for kind in ("send", "recv"))
        expect(len(sends) + len(receives) == sum(e["cat"] in ("send", "recv") for e in self.slices),
               "a message is there twice")
        expect(sends.keys() == receives.keys(), "a send or a receive has no partner")
        expect(len(sends) == self.tutti["messages"], f"{self.tutti['messages']} messages")
        self.worst = 0  # microseconds that a receive ends before its send
        for message, send in sends.items():
            receive = receives[message]
            ends = [(e["pid"], e["args"]["peer"]) for e in (send, receive)]
            expect(ends[0] == ends[1][::-1], f"{send} and {receive}")
            for field in ("bytes", "call"):
                expect(send["args"][field] == receive["args"][field], f"{send} and {receive}")
            self.worst = max(self.worst, send["ts"] - receive["ts"] - receive["dur"])
        flows = collections.Counter((e["ph"], e["id"]) for e in self.events if e["ph"] in "sf")
        expect(set(flows.values()) <= {1}, "an arrow twice")
        arrows = len(sends) - self.tutti["received_before_sent"]
        expect(sum(ph == "s" for ph, _ in flows) == sum(ph == "f" for ph, _ in flows) == arrows,
               f"{len(flows)} ends of {arrows} arrows")

    def in_order(self):
        expect(self.worst <= 0 and self.tutti["received_before_sent"] == 0,
               f"received {self.worst} us before it was sent")
        return self

    def whole(self):
        expect((self.tutti["dropped_events"], self.tutti["dropped_calls"]) == (0, 0), "some is missing")
        for number, call in enumerate(self.tutti["calls"]):
            for each in call["ranks"]:
                sums = sum(each[f"{x}_us"] for x in ("communication", "combining", "idle", "away"))
                expect(abs(sums - call["us"]) < 0.01, f"{each} is not {call['us']} us")
        return self

    def messages(self, call):
        """(rank, kind, peer, round, bytes) of a call, and bytes combined by rank."""
        found, combined = collections.Counter(), collections.Counter()
        for event in self.slices:
            if event["args"]["call"] != call:
                continue
            args = event["args"]
            if event["cat"] in ("send", "recv"):
                found[event["pid"], event["cat"], args["peer"], args["round"], args["bytes"]] += 1
            elif event["cat"] == "reduce":
                combined[event["pid"]] += args["bytes"]
        return found, combined


def planned(run, algorithm, p, size):
    """The same of the schedule."""
    done = subprocess.run([run.build / "bin/tutti", "show", algorithm, "-p", str(p), "-n", size,
                           "--format", "json"], check=True, capture_output=True, text=True)
    document = json.loads(done.stdout)
    element = document["problem"]["element_bytes"]
    found, combined = collections.Counter(), collections.Counter()
    for rank, schedule in enumerate(document["schedules"]):
        for number, round_ in enumerate(schedule["rounds"]):
            for action in round_:
                kind = action["action"]
                size_ = element * sum(count for _, _, count in action["slices"])
                if kind in ("send", "recv", "recv_reduce"):
                    peer = action.get("to", action.get("from"))
                    found[rank, kind[:4], peer, number, size_] += 1
                if kind in ("reduce", "recv_reduce"):
                    combined[rank] += size_
    return found, combined


def trace(run):
    probe = Probe(run, "trace")
    file = run.work / f"trace-{os.getpid()}.json"
    tutti = [run.build / "bin/tutti", "trace"]
    ranks = (2, 4) if run.mpi == "openmpi" else (2,)  # MPICH never yields

    def launched(what, p, words, judge, variables=None, **options):
        file.unlink(missing_ok=True)
        probe.launch(what, p, run.words(p, [*tutti, *words, "-o", file], variables), judge, **options)

    for p in ranks:
        for algorithm, size in (("allgatherv/ring", "64K"), ("allgatherv/pipelined_ring:segment=4096", "64K"),
                                ("allreduce/recursive_doubling", "64"), ("allreduce/ring", "256K"),
                                ("alltoall/linear", "32K"), ("scatterv/binomial", "16K"),
                                ("reduce/binomial", "64K")):
            collective, name = algorithm.split("/")
            for way in ({}, {"TUTTI_NODE": "off"}, {"TUTTI_NODE": "attach"}, {"TUTTI_NODE": "copy"},
                        {"TUTTI_NODE": "off", "TUTTI_PIECE": "1K"}):
                def judge(_, p=p, algorithm=algorithm, size=size):
                    found = Trace(file, p).in_order().whole()
                    names = [call["name"] for call in found.tutti["calls"]]
                    expect(len(names) == 2 and all(n.startswith(algorithm) for n in names), names)
                    wanted = planned(run, algorithm, p, size)
                    for call in (0, 1):
                        expect(found.messages(call) == wanted, f"{found.messages(call)}, not {wanted}")

                words = " ".join(f"{k}={v}" for k, v in way.items())
                launched(f"{algorithm}, {size} {words}", p,
                         [collective, "--algorithm", name, "-n", size, "--repetitions", 2], judge, way)

        def several(result, p=p):
            found = Trace(file, p).in_order().whole()
            names = [call["name"] for call in found.tutti["calls"]]
            expect([n.split(":")[0] for n in names] == ["allgatherv/ring", "allgatherv/pipelined_ring",
                                                        "allgatherv/native"], names)
            expect(all(len(call["ranks"]) == p for call in found.tutti["calls"]), "a rank is missing")
            expect(all(name in result.output for name in names), "not in the table")

        launched("several algorithms", p,
                 ["allgatherv", "--algorithm", "ring,pipelined_ring,native", "-n", "32K",
                  "--distribution", "broadcast"], several)

    launched("what Tutti chooses", 2, ["bcast", "-n", "4K"],
             lambda _: expect(len(Trace(file, 2).in_order().tutti["calls"]) == 1, "not one call"))
    launched("a barrier", 2, ["barrier"], lambda _: Trace(file, 2).in_order())
    launched("one rank", 1, ["allreduce", "-n", "1K"],
             lambda _: expect(Trace(file, 1).tutti["messages"] == 0, "messages"))
    launched("an algorithm that cannot run", 3, ["alltoall", "--algorithm", "pairwise_xor"],
             lambda r: r.tells_once("power of two"), fails=True)
    probe.launch("a file that cannot be", 2,
                 run.words(2, [*tutti, "bcast", "-o", "/no/such/folder/trace.json"]),
                 lambda r: r.tells_once("TUTTI_TRACE: cannot write '/no/such/folder/trace.json'"),
                 fails=True)
    programs(run, probe, file, tutti)
    clocks(run, probe, file, tutti)


def programs(run, probe, file, tutti):
    """The drop-in, by both orders of launcher and command, and by the variable alone."""
    program = run.program("collectives.c")

    def judge(p):
        found = Trace(file, p).in_order().whole()
        calls = collections.Counter(call["name"].split("/")[0] for call in found.tutti["calls"])
        expect(calls == calls_of_collectives_c(run), f"the calls are {calls}")
        expect(all(len(call["ranks"]) == p for call in found.tutti["calls"]), "a rank is missing")

    for p in (2, 4) if run.mpi == "openmpi" else (2,):
        file.unlink(missing_ok=True)
        probe.launch("a program", p, run.words(p, [*tutti, "-o", file, "--", program]),
                     lambda _, p=p: judge(p))
        file.unlink(missing_ok=True)
        probe.launch("a program, by the variable", p,
                     run.words(p, [program], run.drop_in(TUTTI_TRACE=file)), lambda _, p=p: judge(p))
        file.unlink(missing_ok=True)
        begin = time.monotonic()
        launcher = [f"mpirun.{run.mpi}"]
        if run.mpi == "openmpi":
            launcher += ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           TUTTI_PROFILE="fabric-100g")
        done = subprocess.run([*map(str, tutti), "-o", file, "--", *launcher, "-n", str(p), program],
                              env=environment, capture_output=True, text=True, timeout=120)
        why = None
        try:
            expect(done.returncode == 0, f"exit code {done.returncode}")
            judge(p)
        except Wrong as wrong:
            why = str(wrong)
        run.report(f"{run.mpi} p = {p} trace: a launcher and its program", time.monotonic() - begin, why,
                   done.stdout + done.stderr)

    words = [*run.words(1, [program], run.drop_in(TUTTI_TRACE=file)), ":",
             *run.words(1, [program], run.drop_in())]
    probe.launch("asked for by one rank alone", 2, words, lambda r: r.tells_once(NOT_THE_SAME), limit=20)
    file.unlink(missing_ok=True)


def clocks(run, probe, file, tutti):
    """A rank whose clock is another's: the difference is found, and errors are told of."""
    apart = ["unshare", "--time", "--monotonic", "1000", "--fork"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode != 0:
        return run.report(f"{run.mpi} p = 2 trace: clocks that differ (not allowed here)", 0, None)
    words = [*tutti, "allreduce", "--algorithm", "ring", "-n", "64K", "--repetitions", "20", "-o", file]

    def judge(_):
        found = Trace(file, 2).whole()
        mine, other = found.tutti["clocks"]
        expect((mine["clock"], mine["offset_us"], mine["error_us"]) == (0, 0, 0), f"{mine}")
        expect(other["clock"] == 1 and other["error_us"] > 0, f"{other}")
        # Ends of round trips are no surer than half of what they took.
        expect(abs(other["offset_us"] + 1000e6) <= other["error_us"] + 1, f"{other}")
        expect(found.worst <= 2 * other["error_us"], f"{found.worst} us, {other}")

    # The memory of a node is shared all the same.
    probe.launch("clocks that differ", 2, [*run.words(1, words), ":", *run.words(1, [*apart, *words])],
                 judge)
    file.unlink(missing_ok=True)
