"""Documents as `tutti bench -o` and `tutti run --record` write them, with numbers that are always the same."""

import random

SIZES = (8, 64, 512, 4096, 32768, 262144, 2097152)
ALGORITHMS = {
    "barrier": ("dissemination", "linear", "binomial"),
    "bcast": ("binomial", "scatter_ring_allgather", "chain:segment=32K", "circulant"),
    "allgather": ("ring", "recursive_doubling", "bruck", "neighbor_exchange"),
    "allgatherv": ("ring", "bruck", "pipelined_ring"),
    "allreduce": ("recursive_doubling", "rabenseifner", "ring", "two_shot", "linear"),
    "alltoall": ("bruck", "pairwise", "linear"),
    "reduce_scatter_block": ("recursive_halving", "ring", "pairwise"),
}


def head(**more):
    return {"program": "tutti bench", "version": "0.1.0", "commit": "0123456789ab", "date": "2026-11-16T09:00:00Z",
            "command": ["tutti", "bench", "--note", "</script><b>&\"'"], "mpi": "Open MPI 4.1.4",
            "mpi_library": "Open MPI v4.1.4, package: Debian OpenMPI", "ranks": 8,
            "layout": [{"host": "node0", "ranks": "0-3"}, {"host": "node1", "ranks": "4-7"}],
            "system": "Linux 6.1.0 x86_64", "processor": "A processor with a long name, 2.90 GHz", "cores": 4,
            "bed": "virtual cluster: 2 nodes, 200 Mbit/s", "environment": {"TUTTI_NODE": "auto"},
            "method": {"start": "MPI_Barrier before every call; each rank's own time", "time": "slowest rank",
                       "order": "candidates take turns", "passes": 10, "interval": "95 %, by order statistics",
                       "precision_percent": 5.0, "budget_s": 1.0, "repetitions": 0},
            "line": {"alpha_us": 2.5, "beta_ns_per_byte": 0.4, "source": "measured: shifts along a ring"},
            "complete": True, **more}


def median(chance, value):
    return [value, value * (1 - 0.15 * chance.random()), value * (1 + 0.15 * chance.random())]


def cell(chance, collective, p, size, regret=False):
    names = [f"{collective}/{name}" for name in ALGORITHMS[collective]]
    bound = 2.5 + size * 0.0004
    times = {name: bound * (1.05 + 2 * chance.random()) for name in ["native", *names]}
    chosen = min(names, key=times.get) if chance.random() < 0.8 else chance.choice(names)
    rows = []
    for name in ["native", *(["chosen"] if regret else []), *names]:
        time = times[chosen] if name == "chosen" else times[name]
        row = {"algorithm": name, "chosen": name == ("chosen" if regret else chosen), "correct": True,
               "repetitions": 120, "passes": 10, "us": median(chance, time), "us_least": time * 0.8,
               "us_most": time * 2, "speed_up": [1.0, 1.0, 1.0] if name == "native" else
               median(chance, times["native"] / time), "over_bound": time / bound}
        if name == "chosen":
            row["taken"] = chosen
        rows.append(row)
    made = {"collective": collective, "p": p, "bytes": size,
            "distribution": "spike" if collective == "allgatherv" else "regular", "type": "usual", "root": 0,
            "bound_us": bound, "best": min(names, key=times.get), "chosen": chosen, "rows": rows}
    if regret:
        best = min(times.values())
        made["regret"] = {"with_native": times[chosen] / best, "best": min(times, key=times.get),
                          "without_native": times[chosen] / min(times[name] for name in names),
                          "best_without_native": min(names, key=times.get), "noise": 1.0 + 0.02 * chance.random(),
                          "native_wins": times["native"] == best}
    return made


def results(ps=(4, 8), regret=False, sizes=SIZES, seed=1):
    chance = random.Random(seed)
    cells = [cell(chance, collective, p, size, regret) for p in ps for collective in ALGORITHMS
             for size in ((0,) if collective == "barrier" else sizes)]
    document = head(cells=cells)
    if regret:
        share = {"cells": len(cells), "median": 1.01, "p95": 1.2, "most": 1.9}
        document["regret"] = {"with_native": share, "without_native": share, "noise": share, "native_wins": ["a cell (1.2)"]}
    return document


def rules(seed=2):
    chance = random.Random(seed)
    made = []
    for who in ("native", "tutti"):
        for rule in ("allreduce <= reduce + bcast", "bcast <= scatter + allgather", "gather <= allgather"):
            for size in (64, 4096, 262144):
                factor = median(chance, 0.6 + chance.random() * (1.2 if who == "native" else 0.5))
                made.append({"rule": rule, "p": 8, "bytes": size, "who": who, "left_us": median(chance, 50 * factor[0]),
                             "right_us": median(chance, 50), "factor": factor,
                             "violated": factor[1] > 1 and factor[0] > 1.05})
    return head(guidelines=made)


def record():
    """A program on four ranks, whose last one comes late to allreduces."""
    chance = random.Random(5)

    def row(collective, communicator, size, algorithm, seconds, waiting, why="model: least predicted time", best=None, calls=250):
        ranks = (4, 2, 2)[communicator]
        made = {"collective": collective, "communicator": communicator, "bytes_at_most": size, "algorithm": algorithm,
                "parameters": "segment=32K" if algorithm == "chain" else "", "why": why, "calls": calls,
                "calls_of_all_ranks": calls * ranks, "bytes": None if size is None else calls * size,
                "seconds": seconds, "seconds_of_slowest_rank": seconds / ranks * (1 + chance.random()),
                "waiting_seconds": waiting, "predicted_us": None if algorithm == "native" else 20.5,
                "best": best, "best_us": None if best is None else 20.5}
        if waiting:
            made |= {"sampled_calls": calls, "waited_for": {"rank": 3, "share": 0.85}}
        return made

    return {"kind": "record", "program": "heat <b>", "command": ["./heat", "<b>"], "version": "0.1.0", "mpi": "Open MPI 4.1.4",
            "ranks": 4, "topology": "1x4", "wall_seconds": 10.5, "profile": {"name": "fabric-100g", "measured": False},
            "clocks": {"number": 2, "error_us": 12.5},
            "communicators": [{"name": "world", "size": 4, "ranks": "0-3", "topology": "1x4"},
                              {"name": "ranks 0,2", "size": 2, "ranks": "0,2", "topology": "1x2"},
                              {"name": "ranks 1,3", "size": 2, "ranks": "1,3", "topology": "1x2"}],
            "rows": [row("allreduce", 0, 8, "recursive_doubling", 8.0, 6.4, best="recursive_doubling"),
                     row("bcast", 0, 1 << 20, "native", 4.0, 0.0, why="off", best="circulant"),
                     row("allreduce", 1, 4096, "rabenseifner", 0.25, 0.125, best="rabenseifner"),
                     row("bcast", 2, 65536, "chain", 0.125, 0.0625, best="chain:segment=32K"),
                     row("iallreduce", 0, None, "native", 0.0625, None, why="nonblocking"),
                     row("barrier", 0, None, "dissemination", 0.03125, 0.03, best="dissemination")]}


def many(rows=10000):
    """As many rows or a few more, over many sizes and numbers of ranks."""
    chance = random.Random(3)
    sizes = [8 * 2 ** i for i in range(20)] + [12 * 2 ** i for i in range(20)]
    cells, total, p = [], 0, 2
    while total < rows:
        for collective in ALGORITHMS:
            for size in (0,) if collective == "barrier" else sizes:
                if total < rows:
                    cells.append(cell(chance, collective, p, size))
                    total += len(cells[-1]["rows"])
        p += 1
    return head(cells=cells)


def trace(p=4, pieces=6):
    """What `tutti trace -o` writes: a ring by which one rank's data pass whole, and one by which they pass in
    pieces. All of it takes 100 us on each hop."""
    events, calls, message = [], [], 0

    def slice_(kind, rank, call, begin, end, **more):
        events.append({"ph": "X", "name": kind, "cat": kind, "pid": rank, "tid": 0, "ts": begin, "dur": end - begin,
                       "args": {"call": call, **more}})

    for call, (name, parts) in enumerate((("allgatherv/ring", 1), (f"allgatherv/pipelined_ring:segment={600 // pieces}", pieces))):
        hop, zero = 100 / parts, 1000 * call
        end = zero + (p - 2 + parts) * hop + 20
        for rank in range(p):
            slice_("call", rank, call, zero + rank, end - 2 * rank, bytes=600)
        for part in range(parts):
            for rank in range(p - 1):
                begin = zero + 10 + (rank + part) * hop
                where = {"round": rank + part, "bytes": 600 // parts, "message": message}
                slice_("send", rank, call, begin, begin + hop / 2, peer=rank + 1, **where)
                slice_("recv", rank + 1, call, zero + 5, begin + hop, peer=rank, **where)
                message += 1
        calls.append({"name": name, "bytes": 600, "begin_us": zero, "us": end - zero, "ranks": []})
    events.sort(key=lambda event: event["ts"])
    clocks = [{"rank": rank, "host": f"node{rank}", "clock": rank, "offset_us": 0, "drift_us_per_s": 0, "error_us": 2.5 * (rank > 0)}
              for rank in range(p)]
    rates = {"name": "bed", "alpha_us": 20, "beta_ns_per_byte": 100, "alpha_uni_us": 20, "beta_uni_ns_per_byte": 100, "gamma_ns_per_byte": 0}
    return {"displayTimeUnit": "ns", "traceEvents": events,
            "tutti": {"kind": "trace", "ranks": p, "version": "0.1.0", "mpi": "Open MPI 4.1.4", "profile": rates, "clocks": clocks,
                      "messages": message, "received_before_sent": 0, "received_before_sent_us": 0, "dropped_events": 7,
                      "dropped_calls": 1, "calls": calls}}
