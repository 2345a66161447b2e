"""What `tutti tune` writes and says, on few ranks. Times are not judged.

A kind of test for run.py, which hands itself over as `run`.
"""

import json
import os
import shutil
import signal
import subprocess
import time

from settings import Probe, Wrong, expect

RATES = {"alpha_us", "beta_ns_per_byte", "gamma_ns_per_byte", "alpha_uni_us",
         "beta_uni_ns_per_byte"}
NODE = {"latency_us", "message_us", "attach_us", "copy_ns_per_byte", "switch_us",
        "attach_copies", "cores"}
QUICK = ["--rates-only", "--budget", "500ms"]


def judge_profile(profile, p):
    expect(RATES < profile.keys(), f"{RATES - profile.keys()} missing")
    expect(all(profile[name] > 0 for name in RATES), f"a rate is 0: {profile}")
    expect(profile["node"].keys() == NODE, f"the node is {profile['node']}")
    expect(profile["node"]["cores"] == os.cpu_count(), "the cores are not this machine's")
    expect(profile["measured_on"]["cores"] == os.cpu_count(), "measured elsewhere")
    expect(profile["source"].startswith("Measured by tutti tune"), profile["source"])
    expect("steps" not in profile, "steps of a network that nobody saw")
    expect({"alpha", "beta", "gamma", "latency", "copy"} < profile["uncertainty_percent"].keys(),
           f"uncertain is {profile['uncertainty_percent']}")
    expect(("switch" in profile["uncertainty_percent"]) == (p > os.cpu_count()),
           "a switch is measured where ranks outnumber cores, and only there")
    expect(profile["gammas"]["user"] > 0 and len(profile["gammas"]) == 13,
           f"the gammas are {profile['gammas']}")


def tune(run):
    probe = Probe(run, "tune")
    folder = run.work / f"tune-{os.getpid()}"
    folder.mkdir()
    file, tutti = folder / "profile.json", run.build / "bin/tutti"
    words = [tutti, "tune", *QUICK]
    more = 2 * os.cpu_count() if run.mpi == "openmpi" else 2  # MPICH never yields

    def written(p):
        def judge(result):
            profile = json.loads(file.read_text())
            judge_profile(profile, p)
            expect(f"written to {file}" in result.output, "it does not say where")
            expect(f"TUTTI_PROFILE={file}" in result.output, "it does not say what for")
            expect(not list(folder.glob("*.part")), "something is left behind")
            seen = subprocess.run([tutti, "predict", "allreduce", "-p", "4", "-n", "1K", "--profile",
                                   file], capture_output=True, text=True)
            expect(seen.returncode == 0, f"it cannot be read: {seen.stderr}")
        return judge

    for p in sorted({2, more}):
        probe.launch("a profile in a file", p, run.words(p, [*words, "-o", file]), written(p))

    def shown(result):
        json_ = json.loads(result.output)
        judge_profile(json_["profile"], 2)
        expect(json_["profile"]["mesh"] == "mesh:4x4", "what is said of the mesh is not kept")
        expect([(c["level"], c["kind"]) for c in json_["curves"]]
               == [("node", "exchange"), ("node", "one_way")], "not the curves")
        for curve in json_["curves"]:
            sizes = [point["bytes"] for point in curve["points"]]
            expect(sizes[0] == 8 and sizes == sorted(set(sizes)) and len(sizes) > 20, f"{sizes}")
            expect(all(point["us"] > 0 for point in curve["points"]), "no time")
            expect(curve["fit"][0]["from"] == 0, "no line from 0 on")
        picture = (folder / "curves.svg").read_text()
        expect(picture.count("<circle") == sum(len(c["points"]) + 1 for c in json_["curves"]),
               "not every point is drawn")

    probe.launch("JSON and SVG", 2, run.words(
        2, [*words, "--json", "-o", file, "--show", folder / "curves.svg", "--mesh", "4x4"]), shown)

    def by_itself(result):
        judge_profile(json.loads((folder / "tutti/profile.json").read_text()), 2)
        expect("Messages within a node" in result.output, "nothing is drawn")
        expect("TUTTI_PROFILE" not in result.output, "it is found without")

    probe.launch("the user's folder, and a drawing", 2,
                 run.words(2, [*words, "--show"], {"XDG_CONFIG_HOME": folder}), by_itself)
    probe.launch("one rank", 1, run.words(1, [*words, "-o", file]),
                 lambda r: r.tells_once("start at least two"), fails=True)
    probe.launch("a folder that cannot be", 2, run.words(2, [*words, "-o", "/dev/null/x/y.json"]),
                 lambda r: r.tells_once("cannot write '/dev/null/x/y.json'"), fails=True)
    interrupted(run, folder, [tutti, "tune", "--exhaustive", "-o", file])
    shutil.rmtree(folder)


def interrupted(run, folder, words):
    """What was there stays, and nothing else."""
    begin = time.monotonic()
    file = folder / "profile.json"
    file.write_text("old")
    process = run.start(run.words(2, words), start_new_session=True)
    time.sleep(2)
    os.killpg(process.pid, signal.SIGINT)
    why = None
    try:
        output, errors = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        output, errors = run.stop(process)
        why = "it goes on"
    try:
        # The launcher of MPICH ends at the signal itself, and says nothing of it.
        expect(process.returncode != 0 or run.mpi == "mpich", "exit code 0")
        expect(file.read_text() == "old" and not list(folder.glob("*.part")), "it wrote")
    except Wrong as wrong:
        why = why or str(wrong)
    run.report(f"{run.mpi} p = 2 tune: interrupted", time.monotonic() - begin, why, output + errors)
