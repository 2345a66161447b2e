"""The decision table that `tutti tune` writes, on few ranks. Times are not judged.

A kind of test for run.py, which hands itself over as `run`.
"""

import json
import os
import shutil
import subprocess

from settings import WITHOUT_SIZE, Probe, expect

COMMON_BLOCKS = {"allgatherv", "reduce_scatter"}


def rows_of(file):
    return json.loads(file.read_text())["decisions"]


def judge_rows(rows, collectives, topology):
    found = [(row["collective"], row.get("blocks", "any")) for row in rows if row["topology"] == topology]
    wanted = [(name, blocks) for name in collectives
              for blocks in (("even", "uneven") if name in COMMON_BLOCKS else ("any",))]
    expect(sorted(found) == sorted(wanted), f"on {topology} there are rows of {found}")
    for row in rows:
        begins = [choice["from"] for choice in row["choices"]]
        expect(begins[0] == 0 and begins == sorted(set(begins)), f"{row}")
        expect(len(begins) == 1 or row["collective"] not in WITHOUT_SIZE, f"nobody knows a size: {row}")
        expect(all(choice["us"] > 0 for choice in row["choices"]), f"no time: {row}")
        names = [choice["algorithm"] for choice in row["choices"]]
        expect(all(a != b for a, b in zip(names, names[1:])), f"a cutoff without a change: {row}")


def decide(run):
    probe = Probe(run, "decide")
    folder = run.work / f"decide-{os.getpid()}"
    folder.mkdir()
    file, tutti = folder / "profile.json", run.build / "bin/tutti"
    words = [tutti, "tune", "--budget", "3s", "-n", "64,4K,64K", "-o", file]

    def written(result):
        rows = rows_of(file)
        judge_rows(rows, run.collectives, "1x2")
        expect(any(c["measured"] for row in rows for c in row["choices"]), "nothing is measured")
        expect(all(row["measured_us"] for row in rows if any(c["measured"] for c in row["choices"])),
               "what candidates took is not told")
        seen = subprocess.run([tutti, "predict", "allreduce", "-p", "2", "-n", "1K", "--profile",
                               file], capture_output=True, text=True)
        expect(seen.returncode == 0, f"it cannot be read: {seen.stderr}")

    if probe.launch("a row for every collective", 2, run.words(2, words), written):
        every_choice_runs(run, probe, tutti, file, folder / "bench.json")

    some = ["--collectives", "allreduce,scatterv,barrier"]

    def on_nodes(result):
        judge_rows(rows_of(file), ["allreduce", "scatterv", "barrier"], "2x2")

    def several(result):
        rows = rows_of(file)
        for topology in ("1x2", "1x3"):
            judge_rows(rows, ["bcast"], topology)

    if run.mpi == "openmpi":  # MPICH never yields: more ranks than cores take long
        probe.launch("some collectives on pretended nodes", 4,
                     run.words(4, [*words, *some], {"TUTTI_TOPOLOGY": "2x2"}), on_nodes)
        probe.launch("every candidate, for two numbers of ranks", 3, run.words(
            3, [*words, "--exhaustive", "--collectives", "bcast", "-p", "2,3"]), several)
    spoilt = folder / "tutti" / "profile.json"
    spoilt.parent.mkdir()
    spoilt.write_text("{")
    anew = [tutti, "tune", "--rates-only", "--budget", "1s"]
    probe.launch("a damaged profile does not keep tune from writing a good one", 2,
                 run.words(2, anew, {"XDG_CONFIG_HOME": folder, "TUTTI_PROFILE": spoilt}),
                 lambda r: expect(json.loads(spoilt.read_text())["alpha_us"] > 0, "no alpha"))
    probe.launch("-p of more ranks than there are", 2, run.words(2, [*words, "-p", "3"]),
                 lambda r: r.tells_once("-p 3: .*2 ranks"), fails=True)
    shutil.rmtree(folder)


def every_choice_runs(run, probe, tutti, file, results):
    """What stands in the table can be asked for by name at its sizes, and is right."""
    chosen = {f"{row['collective']}/{choice['algorithm']}" for row in rows_of(file)
              for choice in row["choices"] if choice["algorithm"] != "native"}
    named = [word for name in sorted(chosen) for word in ("--algorithm", name)]

    def judge(result):
        ran = set()
        for cell in json.loads(results.read_text())["cells"]:
            for row in cell["rows"]:
                expect(row["correct"] and row["repetitions"] == 1, f"{row}")
                ran.add(row["algorithm"])
        expect(ran - {"native"} == chosen, f"{sorted(ran ^ chosen)}")

    probe.launch("every choice runs", 2, run.words(2, [
        tutti, "bench", "--grid", "standard", "-n", "64,4K,64K", "--distributions", "regular",
        "--repetitions", "1", "-o", results, *named]), judge)
