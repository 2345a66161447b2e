#!/usr/bin/env python3
"""Tutti on simulated ranks, and the bed itself: tests/sim/run.py --build build/smpi"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIM = ROOT / "bench/sim"
PLATFORMS = ["switched", "fat_tree", "mesh", "torus", "multicore"]


class Run:
    def __init__(self, build, temporary):
        self.programs, self.temporary = build.resolve() / "bin", temporary
        # The MPI is to do no first calls: Tutti's are looked at.
        self.environment = os.environ | {"TMPDIR": str(temporary), "TUTTI_YOUNG": "0"}
        self.passed = self.failed = 0

    def sim(self, *words, **variables):
        """Runs bench/sim: exit code, standard output, standard error."""
        environment = self.environment | variables
        try:
            done = subprocess.run([sys.executable, SIM, *map(str, words)], capture_output=True,
                                  text=True, timeout=120, env=environment, cwd=self.temporary)
        except subprocess.TimeoutExpired:
            return None, "", "not finished after 120 s"
        return done.returncode, done.stdout, done.stderr

    def check(self, what, right, said=""):
        self.passed += bool(right)
        self.failed += not right
        print(f"{'ok    ' if right else 'failed'} {what}", flush=True)
        for line in said.strip().splitlines()[:10] if not right else []:
            print(f"         {line}")

    def ping(self, *words, bytes=0, pairs=1, messages=1):
        """Half a ping-pong between the first and the last ranks, in microseconds."""
        code, output, errors = self.sim(*words, "--", self.programs / "test_sim_ping", bytes, 0,
                                        pairs, messages)
        try:
            return float(output) if code == 0 else None
        except ValueError:
            return None

    def collectives(self):
        program = self.programs / "test_sim_collectives"
        for words in (["switched", "--ranks", 4], ["switched", "--ranks", 7],
                      ["torus", "--ranks", 16], ["multicore", "--ranks", 13, "--per-node", 4],
                      ["multicore", "--ranks", 12, "--per-node", 4, "--interface",
                       "1GBps,500MBps"]):
            code, output, errors = self.sim("--platform", *words, "--", program)
            self.check(f"every algorithm of every collective, {' '.join(map(str, words))}",
                       code == 0, output + errors)

    def is_near(self, what, seen, expected):
        self.check(f"{what}: {seen} us, expected {expected} us",
                   seen is not None and abs(seen - expected) <= 0.01 * expected)

    def nothing(self):
        """SimGrid refuses null buffers: ranks that get nothing have one, too."""
        code, output, errors = self.sim("--platform", "switched", "--ranks", 8, "--",
                                        self.programs / "tutti-mpi", "bench", "--collectives",
                                        "reduce_scatter", "-n", 8, "--distributions", "regular",
                                        "--algorithm", "reduce_scatter/linear", "--repetitions", 1)
        self.check("a cell in which most ranks get nothing", code == 0 and "linear" in output,
                   output + errors)

    def explain(self):
        """What ran is told when the simulated program ends."""
        path = self.temporary / "explain.json"
        before, self.environment = self.environment, self.environment | {"TUTTI_EXPLAIN": str(path)}
        code, output, errors = self.sim("--platform", "switched", "--ranks", 4, "--",
                                        self.programs / "once", "bcast/chain:segment=64K@1048576")
        self.environment = before
        rows = json.loads(path.read_text())["rows"] if path.exists() else []
        path.unlink(missing_ok=True)
        found = [row["calls_of_all_ranks"] for row in rows if row["algorithm"] == "chain"]
        self.check(f"TUTTI_EXPLAIN counts the calls of all four ranks: {found}",
                   code == 0 and len(found) == 1 and found[0] > 0 and found[0] % 4 == 0,
                   output + errors)

    def pieces(self):
        """The profile's size of pieces is obeyed, unless TUTTI_PIECE names another."""
        profile = json.loads((ROOT / "profiles/fabric-100g.json").read_text())
        path = self.temporary / "pieces.json"

        def us(piece_bytes=None, **environment):
            if piece_bytes:
                path.write_text(json.dumps(profile | {"piece_bytes": piece_bytes}))
                environment["TUTTI_PROFILE"] = str(path)
            before, self.environment = self.environment, self.environment | environment
            code, output, errors = self.sim("--platform", "switched", "--ranks", 4, "--",
                                            self.programs / "once", "bcast/chain:segment=64K@1048576")
            self.environment = before
            return output.split()[1] if code == 0 else errors

        usual, small, asked = us(), us(4096), us(TUTTI_PIECE="4K")
        self.check(f"pieces of 4 KB by the profile: {small} us, asked for: {asked}, usual: {usual}",
                   small == asked != usual)
        both = us(4096, TUTTI_PIECE="32K")
        self.check(f"what is asked for goes first: {both} us, usual: {usual}", both == usual)
        path.unlink()

    def times(self):
        """Latency 10 us and 1 ns per byte. An eager message also costs each end 1 us."""
        for size in (0, 8000, 1_000_000):
            cost = 2 if size < 65536 else 0
            self.is_near(f"switched, {size} bytes",
                         self.ping("--platform", "switched", "--ranks", 8, bytes=size),
                         10 + size / 1000 + cost)
        self.is_near("other latency, bandwidth and cost",
                     self.ping("--platform", "switched", "--ranks", 8, "--latency", "2us",
                               "--bandwidth", "500MBps", "--message-cost", "3us", bytes=10_000),
                     2 + 20 + 6)
        self.is_near("a message that is not eager, 8000 bytes",
                     self.ping("--platform", "switched", "--ranks", 8, "--eager", "4K", bytes=8000),
                     18)
        self.is_near("two messages at a time that are just not eager: no cost",
                     self.ping("--platform", "switched", "--ranks", 8, "--message-cost", "50us",
                               bytes=65536, messages=2), 10 + 2 * 65.536)
        rough = self.ping("--platform", "switched", "--ranks", 8, "--precision", "1us", bytes=8000)
        self.check(f"moments within 1 us are one: {rough} us instead of 20",
                   rough is not None and 0.1 < abs(rough - 20) <= 1)
        # 3 x 4: the last rank is 2 rows and 3 columns from the first, or 1 and 1 around the torus.
        for platform, latency in (("mesh", 50), ("torus", 20), ("fat_tree", 20)):
            self.is_near(f"{platform} 3x4, from the first to the last",
                         self.ping("--platform", platform, "--ranks", 12, "--shape", "3x4"),
                         latency + 2)
        self.is_near("multicore, within a node",
                     self.ping("--platform", "multicore", "--ranks", 8, "--node-latency", "400ns",
                               "--node-bandwidth", "2GBps", bytes=10_000), 0.4 + 5 + 2)
        self.is_near("multicore, between nodes",
                     self.ping("--platform", "multicore", "--ranks", 9, bytes=10_000), 22)
        interface = ["--platform", "multicore", "--per-node", 4, "--latency", "3us", "--interface",
                     "500MBps,800MBps,600MBps", "--interface-cost", "700ns"]
        self.is_near("an interface, one core: 0.7 us of cost, 500 MB/s",
                     self.ping(*interface, "--ranks", 8, bytes=10_000), 3 + 0.7 + 20 + 2)
        self.is_near("an interface, within a node: no cost",
                     self.ping(*interface, "--ranks", 4, "--node-bandwidth", "2GBps",
                               "--node-message-cost", "300ns", bytes=10_000), 0.5 + 5 + 0.6)
        # All cores of the first node send at a time, and the interface counts the cores, not what
        # each of them has under way; not eager, so there is no other cost.
        for cores, messages, bandwidth in ((1, 1, 500), (1, 3, 500), (2, 1, 800), (2, 2, 800),
                                           (3, 1, 600), (4, 2, 600)):
            self.is_near(f"an interface, {cores} cores, {messages} messages of 100 KB each",
                         self.ping(*interface, "--ranks", 8, bytes=100_000, pairs=cores,
                                   messages=messages),
                         3 + cores * messages * (100_000 / bandwidth + 0.7 * 500 / bandwidth))

    def tune(self):
        """The profile of a machine that is known."""
        for latency, bandwidth, cost in ((10, 1000, 1), (2, 4000, 0), (50, 100, 0)):
            file = self.temporary / "profile.json"
            code, output, errors = self.sim(
                "--platform", "multicore", "--ranks", 8, "--per-node", 4, "--latency",
                f"{latency}us", "--bandwidth", f"{bandwidth}MBps", "--message-cost", f"{cost}us",
                "--", self.programs / "tutti-mpi", "tune", "--rates-only", "-o", file)
            self.check(f"tutti tune, {latency} us, {bandwidth} MB/s: exit code 0", code == 0,
                       output + errors)
            profile = json.loads(file.read_text()) if file.exists() else {}
            # What a message costs both its ends is part of its latency.
            for name, expected in (("alpha_us", latency + 2 * cost),
                                   ("alpha_uni_us", latency + 2 * cost),
                                   ("beta_ns_per_byte", 1000 / bandwidth),
                                   ("beta_uni_ns_per_byte", 1000 / bandwidth)):
                seen = profile.get(name, 0)
                self.check(f"{name} is {seen}, expected {expected}",
                           abs(seen - expected) <= 0.05 * expected)
            # The ranks of a node share its link.
            shared = profile.get("interface", {}).get("4", 0)
            self.check(f"four cores get {shared} times what one gets", abs(shared - 1) <= 0.05)
            file.unlink(missing_ok=True)

    def tune_with_a_profile(self):
        """Candidates are measured as the new profile has them, whatever the one in use says."""
        file, seen = self.temporary / "profile.json", []
        for name in ("ibm-sp", "fabric-100g"):
            code, output, errors = self.sim(
                "--platform", "switched", "--ranks", 8, "--", self.programs / "tutti-mpi", "tune",
                "--collectives", "bcast,reduce,allgatherv", "-n", "4K,64K,1M", "-o", file,
                TUTTI_PROFILE=str(ROOT / f"profiles/{name}.json"), TUTTI_LEARN="off")
            self.check(f"tutti tune with {name} in use: exit code 0", code == 0, output + errors)
            seen.append(json.loads(file.read_text())["decisions"] if file.exists() else name)
            file.unlink(missing_ok=True)
        self.check("the same is decided, and takes as long", seen[0] == seen[1],
                   "\n".join(map(json.dumps, seen)))

    def repeats(self):
        for platform in PLATFORMS:
            times = {self.ping("--platform", platform, "--ranks", 16, bytes=12345)
                     for _ in range(2)}
            self.check(f"{platform}: two runs take the same time", len(times) == 1
                       and None not in times, str(times))

    def command_line(self):
        ping = self.programs / "test_sim_ping"
        bad = {
            "no platform": ["--", ping],
            "an unknown platform": ["--platform", "ring", "--", ping],
            "no command": ["--platform", "switched"],
            "no program": ["--platform", "switched", "--", self.temporary / "nothing"],
            "no ranks": ["--platform", "switched", "--ranks", 0, "--", ping],
            "a latency without a unit": ["--platform", "switched", "--latency", 10, "--", ping],
            "no bandwidth": ["--platform", "switched", "--bandwidth", "0GBps", "--", ping],
            "an eager size that is none": ["--platform", "switched", "--eager", "few", "--", ping],
            "a shape of other size": ["--platform", "mesh", "--ranks", 8, "--shape", "3x3", "--",
                                      ping],
            "a shape for a switch": ["--platform", "switched", "--shape", "2x4", "--ranks", 8,
                                     "--", ping],
            "an interface for a switch": ["--platform", "switched", "--interface", "1GBps", "--", ping],
            "a bandwidth by cores without a unit": ["--platform", "multicore", "--interface", "1,2",
                                                    "--", ping],
            "a cost without an interface": ["--platform", "multicore", "--interface-cost", "1us",
                                            "--", ping],
            "an interface and a node that is not full": ["--platform", "multicore", "--ranks", 12,
                                                         "--interface", "1GBps", "--", ping],
            "ranks per node for a torus": ["--platform", "torus", "--per-node", 2, "--", ping],
            "a word with a space": ["--platform", "switched", "--", ping, "1 2"],
            "a word for SimGrid": ["--platform", "switched", "--", ping, "--help"],
        }
        for what, words in bad.items():
            code, output, errors = self.sim(*words)
            self.check(f"bad arguments: {what}", code == 2 and not output
                       and len(errors.splitlines()) == 1, f"exit code {code}\n{errors}")
        code, output, errors = self.sim("--help")
        self.check("--help has examples", code == 0 and "examples:" in output, output + errors)
        code, output, errors = self.sim("--platform", "switched", "--print-platform")
        self.check("--print-platform", code == 0 and output.startswith("<?xml"), output + errors)
        code, output, errors = self.sim("--platform", "switched", "--ranks", 2, "--", ping, 8, 5)
        self.check("the exit code is the program's", code == 5 and len(output.splitlines()) == 1,
                   f"exit code {code}\n{output}{errors}")
        code, output, errors = self.sim("--platform", "switched", "--", ping,
                                        PATH=str(self.temporary / "no-such-folder"))
        self.check("without smpirun: exit code 77", code == 77 and len(errors.splitlines()) == 1,
                   f"exit code {code}\n{errors}")

    def interruption(self):
        # The temporary folder of bench/sim must go, and what it started must end.
        process = subprocess.Popen([sys.executable, SIM, "--platform", "switched", "--ranks", "16",
                                    "--", self.programs / "test_sim_collectives"],
                                   env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        for _ in range(500):
            if any(self.temporary.glob("tutti-sim-*/hosts")):
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        process.stdout.read()  # ends when nobody is left who could write
        code = process.wait()
        self.check("interrupted: exit code 143", code == 143, f"exit code {code}")
        left = [path.name for path in self.temporary.iterdir()]
        self.check("nothing is left behind", not left, " ".join(left))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/smpi",
                        help="build folder of the preset smpi")
    options = parser.parse_args()
    if shutil.which("smpirun") is None:
        print("tests/sim/run.py: smpirun was not found: install libsimgrid-dev", file=sys.stderr)
        return 77
    if not (options.build / "bin/test_sim_ping").exists():
        parser.error(f"no programs in {options.build}/bin: cmake --build --preset smpi")
    with tempfile.TemporaryDirectory(prefix="tutti-sim-test-") as folder:
        run = Run(options.build, pathlib.Path(folder))
        run.collectives()
        run.pieces()
        run.nothing()
        run.explain()
        run.times()
        run.tune()
        run.tune_with_a_profile()
        run.repeats()
        run.command_line()
        run.interruption()
    print(f"{run.passed} passed, {run.failed} failed")
    return 1 if run.failed or not run.passed else 0


if __name__ == "__main__":
    sys.exit(main())
