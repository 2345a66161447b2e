"""Documents as `tutti bench -o` writes them, with numbers that are always the same."""

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
