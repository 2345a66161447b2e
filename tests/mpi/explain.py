"""What `tutti explain` says that Tutti takes is what a program's calls take: algorithm, parameters, and why.

A kind of test for run.py, which hands itself over as `run`.
"""

import json
import os
import pathlib
import subprocess

from profiles import NOMINAL, decision, file_with
from settings import WITHOUT_SIZE, Probe, expect

PROFILES = pathlib.Path(__file__).resolve().parents[2] / "profiles"
SIZES = [64, 4096, 65536, 1048576]  # of sizes.c
LESS = [n // 8 * 5 for n in SIZES[1:]]  # what it calls first where it is told so
REDUCTIONS = {"reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"}
KNOWN_BLOCKS = {"allgatherv", "reduce_scatter"}
# Two cores, however many there are: the command does not know where ranks will live.
NODE = {"latency_us": 0.3, "message_us": 0.2, "attach_us": 2, "copy_ns_per_byte": 0.12, "switch_us": 2,
        "attach_copies": 1.5, "cores": 2}
# Messages that meet on a link take long.
LINKS = NOMINAL | {"alpha_us": 70, "alpha_uni_us": 70, "beta_ns_per_byte": 6, "beta_uni_ns_per_byte": 6}
# An operator of the program's own costs far more than a sum.
GAMMAS = NOMINAL | {"node": NODE, "gammas": {"user": 40}}
# Of its nodes it tells nothing. How many cores there are is what programs look at.
WITHOUT_NODE = NOMINAL
HERE = ["--cores", str(len(os.sched_getaffinity(0)))]


def with_table(topology, p):
    """A table that differs from the model, has sizes that were measured, and what cannot run."""
    choices = {"allreduce": [decision("native"), decision("ring", 4096, 420, False)],
               "bcast": [decision("chain:segment=1K"), decision("native", 65536, 100)],
               "allgatherv": [decision("linear"), decision("bruck", 65536)],
               "scan": [decision("linear")], "alltoallv": [decision("native")]}
    rows = [{"collective": name, "topology": topology, "choices": each} for name, each in choices.items()]
    rows[0]["measured_us"] = [{"at": 128, "native": 20, "recursive_doubling": 31.5}]
    rows[2]["blocks"] = "uneven"
    rows.append(rows[2] | {"blocks": "even", "choices": [decision("ring"), decision("linear", 4096)]})
    # A row for another number of ranks decides nothing.
    rows.append({"collective": "exscan", "topology": f"1x{p + 1}", "choices": [decision("linear")]})
    return NOMINAL | {"node": NODE, "decisions": rows}


def number(seconds):
    us = seconds * 1e6
    return f"{us:.3g}" if us < 100 else f"{us:.0f}"


def explained(run, collective, topology, profile, words=(), options=()):
    """What the command says, by size, of what sizes.c calls with these words."""
    sizes = SIZES[1 if "many" in words else 0:] + (LESS if "less" in words else [])
    command = [run.build / "bin/tutti", "explain", collective, "--topology", topology, "--profile", profile,
               "--json", *options]
    if collective not in WITHOUT_SIZE:
        command += ["-n", ",".join(map(str, sizes))]
    if "own" in words and collective in REDUCTIONS:
        command += ["--noncommutative"]
    if "broadcast" in words and collective in KNOWN_BLOCKS:
        command += ["--distribution", "broadcast"]
    done = subprocess.run(command, capture_output=True, text=True)
    expect(done.returncode == 0, f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    points = json.loads(done.stdout)["points"]
    return {None if collective in WITHOUT_SIZE else point["bytes"]: point["takes"] for point in points}


def row_of(size):
    """The row that calls of so many bytes have."""
    return None if size is None else min(n for n in SIZES if n >= size)


def agrees(row, takes):
    name, _, given = takes["algorithm"].partition(":")
    expect(row["algorithm"] == name.rpartition("/")[2], f"{row} against {takes}")
    if takes["by"] == "profile":  # names what it must, and the model the rest
        missing = set(given.split(",")) - set(row["parameters"].split(",")) - {""}
        expect(not missing, f"{row} against {takes}")
        kind = "measured" if takes["measured"] else "predicted"
        why = f"profile, {kind} {number(takes['seconds'])} us"
    else:
        expect(row["parameters"] == given, f"{row} against {takes}")
        why = f"model: predicted {number(takes['seconds'])} us"
    expect(row["why"] == why or row["why"].startswith(why + " at ") or row["why"].startswith(why + ", before "),
           f"{row} against {takes}")


def explain(run):
    probe = Probe(run, "explain")
    program = run.program("sizes.c")
    shipped = [f.stem for f in sorted(PROFILES.glob("*.json"))]
    nodes = file_with(run, "explain-nodes", NOMINAL | {"node": NODE})

    def compare(p, what, topology, profile, words=(), options=()):
        def judge(result):
            rows = {(row["collective"], row["bytes_at_most"]): row for row in result.rows}
            expect(len(rows) == len(result.rows), "two rows for one size")
            wanted = [((name, row_of(size)), takes) for name in sorted(run.collectives)
                      for size, takes in explained(run, name, topology, profile, words, options).items()]
            expect(rows.keys() == dict(wanted).keys(), f"{sorted(map(str, rows.keys() ^ dict(wanted).keys()))}")
            for key, takes in wanted:
                agrees(rows[key], takes)

        probe.drop_in(f"{what}, {topology}", p, [program, *words], judge,
                      {"TUTTI_PROFILE": profile, "TUTTI_LEARN": "off", "TUTTI_TOPOLOGY": topology})

    # MPICH never yields: more ranks than cores take long.
    for p in (2, 4) if run.mpi == "openmpi" else (2,):
        wholly, halves, apart = f"1x{p}", f"2x{p // 2}", f"{p}x1"
        tables = {where: file_with(run, f"explain-{where}", with_table(where, p)) for where in (wholly, apart)}
        gammas = file_with(run, "explain-gammas", GAMMAS)
        without = file_with(run, "explain-without-node", WITHOUT_NODE)
        for name in shipped:
            compare(p, name, apart, name)
        for where in (wholly, halves):
            compare(p, "levels", where, nodes)
            compare(p, "nothing is told of nodes", where, without, [], HERE)
        for where in (wholly, apart):
            compare(p, "a table", where, tables[where])
            compare(p, "an operator of the program's", where, gammas, ["own"])
        for what, where, profile in (("levels", wholly, nodes), ("a table", apart, tables[apart]),
                                     ("no nodes", apart, "gigabit-ethernet")):
            compare(p, f"one rank has all, {what}", where, profile, ["broadcast"])
        if p > 2:  # two nodes have no links to share
            mesh = file_with(run, "explain-mesh", LINKS | {"mesh": f"2x{p // 2}"})
            compare(p, "a mesh", apart, mesh, ["less"])
            compare(p, "one rank has all, a mesh", apart, mesh, ["less", "broadcast"])
    if run.mpi == "openmpi":
        # So many that all calls of a class share what the model says.
        for words in (["many", "less"], ["many", "less", "broadcast"]):
            compare(72, f"many ranks{', one has all' if 'broadcast' in words else ''}", "9x8", nodes, words)
