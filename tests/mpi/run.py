#!/usr/bin/env python3
"""Runs the tests that need an MPI.

    tests/mpi/run.py --mpi openmpi --build build/openmpi [--quick] [--large] [--only differential]

One line per run; the last line counts them. BUILD holds what CMake has built: the libraries, and in
tests-mpi the programs of programs.cmake.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # the sources stay as they are
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "evidence"))
import bench  # noqa: E402
import blacs  # noqa: E402
import decide  # noqa: E402
import explain  # noqa: E402
import faults  # noqa: E402
import learning  # noqa: E402
import profiles  # noqa: E402
import record  # noqa: E402
import settings  # noqa: E402
import topology  # noqa: E402
import trace  # noqa: E402
import tune  # noqa: E402
import young  # noqa: E402
from catalogue import COLLECTIVES  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Lines that say what went wrong, in any of the programs.
TELLING = re.compile(r"FAILED|HANGS|CRASHES|^failed|is wrong|Error|tutti: ")


class Run:
    collectives = set(COLLECTIVES)

    def __init__(self, options):
        self.mpi, self.build, self.quick = options.mpi, options.build.resolve(), options.quick
        self.large, self.only = options.large, options.only
        self.work = self.build / "tests-mpi"
        self.work.mkdir(parents=True, exist_ok=True)
        self.passed = self.failed = 0
        self.sanitizers = sanitizers_of(self.build)

    def program(self, source):
        """The program that CMake has built from a source or a folder of that name."""
        path = self.build / "tests-mpi" / re.sub(r"\W", "_", source)
        if not path.exists():
            sys.exit(f"{path} is missing: build it, as `cmake --build {self.build}` does")
        return path

    def catalogue(self):
        """What `tutti list --json` prints, as a file."""
        folders = (self.build, ROOT / "build" / self.mpi, ROOT / "build/core")
        tutti = next(f / "bin/tutti" for f in folders if (f / "bin/tutti").exists())
        text = subprocess.run([tutti, "list", "--json"], check=True, capture_output=True).stdout
        path = self.work / "catalogue.json"
        path.write_bytes(text)
        return path

    def wants(self, kind):
        return self.only in (None, kind)

    def words(self, p, command, variables=None):
        """The launcher's words for p ranks of a program. Variables are for the ranks alone: the
        launcher itself is no MPI program."""
        return ["-n", str(p), "env", *(f"{k}={v}" for k, v in (variables or {}).items()),
                *map(str, command)]

    def drop_in(self, **variables):
        """The variables that put Tutti in front of a program's MPI, and more of them."""
        return {"LD_PRELOAD": f"{self.build}/lib/libtutti-preload.so", **variables}

    def start(self, words, **options):
        """Starts the launcher with these words."""
        # Whatever profile the user has: tests that want one, or learning, or first calls that the MPI
        # does, say so.
        environment = {"TUTTI_PROFILE": "fabric-100g", "TUTTI_LEARN": "off",
                       "TUTTI_YOUNG": "0"} | dict(os.environ)
        # What the MPIs lose themselves is named in the file.
        environment |= {"LSAN_OPTIONS": f"suppressions={HERE}/lsan.supp:print_suppressions=0",
                        # Whole stacks: parts of an MPI that are gone again have no name, but those
                        # who called them have. At exit too many are gone: see leaks.hpp.
                        "ASAN_OPTIONS": "leak_check_at_exit=0:fast_unwind_on_malloc=0",
                        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}
        if os.geteuid() == 0:
            environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        launcher = [f"mpirun.{self.mpi}"]
        if self.mpi == "openmpi":
            launcher += ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
        return subprocess.Popen([*launcher, *words], env=environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, errors="replace", **options)

    def execute(self, words, limit):
        """Runs the launcher to its end. Returns the exit code (None: not ended in time), standard
        output, standard error, seconds."""
        begin = time.monotonic()
        process = self.start(words)
        try:
            output, errors = process.communicate(timeout=limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            output, errors = self.stop(process)
            code = None
        return code, output, errors, time.monotonic() - begin

    def launch(self, what, p, command, limit, preload=False, judge=None):
        """Runs `command` on p ranks. Passed: exit code 0 in time, and `judge` has no objection."""
        explained = self.work / f"explained-{os.getpid()}.json"
        variables = self.drop_in(TUTTI_EXPLAIN=explained) if preload else {}
        code, output, errors, seconds = self.execute(self.words(p, command, variables), limit)
        why = (f"not finished after {limit} s" if code is None
               else f"exit code {code}" if code else judge(explained) if judge else None)
        explained.unlink(missing_ok=True)
        self.report(f"{self.mpi} p = {p} {what}", seconds, why, output + errors)

    @staticmethod
    def stop(process):
        """Ends a launcher, which ends its ranks."""
        process.send_signal(signal.SIGTERM)
        try:
            return process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()

    def report(self, what, seconds, why, output=""):
        self.passed += why is None
        self.failed += why is not None
        print(f"{'ok    ' if why is None else 'failed'} {what} ({seconds:.0f} s)"
              + (f": {why}" if why else ""), flush=True)
        if why:
            lines = output.strip().splitlines()
            for line in [x for x in lines if TELLING.search(x)][:10] or lines[-10:]:
                print(f"         {line}")

    def differential(self):
        program, catalogue = self.program("differential.cpp"), self.catalogue()
        # MPICH never yields: more ranks than cores take milliseconds per message.
        for p in range(1, 9 if self.mpi == "openmpi" else 5):
            slow = self.mpi == "mpich" and p > 2
            iterations = 200 if slow else 1000 if self.mpi == "mpich" else 2000
            if self.quick:
                iterations //= 10
            words = ["--algorithms", catalogue, "--seed", p, "--iterations", iterations]
            self.launch(f"differential, {iterations} calls", p, [program, *words], 1800)
            if p in (2, 3, 6):  # as long messages are: cut into many pieces
                self.launch(f"differential, {iterations} calls, small pieces", p,
                            ["env", "TUTTI_PIECE=64", "TUTTI_IN_FLIGHT=3", program, *words], 1800)
            if p in (2, 4):  # without shared memory, and where all may read another's, or nobody
                for way in ("off", "attach", "copy"):
                    self.launch(f"differential, {iterations} calls, within the node {way}", p,
                                ["env", f"TUTTI_NODE={way}", program, *words], 1800)
            for nodes in {4: ["2x2", "1x2x2"], 5: ["0,0,0,1,1"], 6: ["3x2:cyclic", "0.0,0.1,0.0,0.1,1.0,1.0"]
                          }.get(p, []):
                self.launch(f"differential, {iterations} calls, as if on {nodes}", p,
                            ["env", f"TUTTI_TOPOLOGY={nodes}", program, *words], 1800)

    def semantics(self):
        program = self.program("semantics")
        most = 3 if self.mpi == "mpich" else 4 if self.sanitizers else 8
        for p in (p for p in (1, 2, 3, 4, 8) if p <= most):
            slow = self.mpi == "mpich" and p > 2
            # Whole stacks of every allocation take their time.
            communicators = 30 if self.sanitizers else 50 if slow else 300 if self.quick else 3000
            self.launch("semantics", p, [program, "--communicators", communicators], 1200)
        if not self.sanitizers:  # they bring a malloc of their own, too
            self.launch("allocations of repeated calls", 2, [self.program("allocations.cpp")],
                        300)
        if self.large:
            self.launch("semantics, above 2 GiB", 2,
                        [program, "--only", "a_message_above_two_gibibytes", "--large", "yes"], 600)

    def valgrind(self):
        """Random calls under valgrind; what the MPIs themselves are reported for is left out by
        name."""
        program, catalogue = self.program("differential.cpp"), self.catalogue()
        files = [HERE / "valgrind.supp", pathlib.Path("/usr/share/openmpi/openmpi-valgrind.supp")]
        memcheck = ["valgrind", "-q", "--error-exitcode=9",
                    *(f"--suppressions={f}" for f in files if f.exists())]
        for p in (1, 2, 3) if self.mpi == "openmpi" else (1, 2):
            iterations = 40 if self.quick else 400 if self.mpi == "openmpi" else 200
            self.launch(f"differential under valgrind, {iterations} calls", p,
                        [*memcheck, program, "--algorithms", catalogue, "--seed", 100 + p,
                         "--iterations", iterations], 1800)

    @staticmethod
    def all_through_tutti(explained):
        """Objects to a collective that ran, but not through Tutti."""
        try:
            table = json.loads(explained.read_text())
        except (OSError, ValueError) as error:
            return f"no explanation was written: {error}"
        ours = set()

        def walk(node):
            if isinstance(node, dict):
                if "collective" in node and node.get("algorithm") not in (None, "native"):
                    ours.add(node["collective"])
                node = list(node.values())
            for child in node if isinstance(node, list) else []:
                walk(child)

        walk(table)
        missing = sorted(set(COLLECTIVES) - ours)
        return f"not through Tutti: {', '.join(missing)}" if missing else None

    def programs(self):
        for name in ("collectives.c", "collectives.cpp", "mpif_h.f90", "use_mpi.f90", "use_mpi_f08.f90"):
            program = self.program(name)
            for p in (1, 2, 3) if self.quick or self.mpi == "mpich" else (1, 2, 3, 4, 7, 8):
                self.launch(f"{program.name} through the drop-in", p, [program], 300, preload=True,
                            judge=self.all_through_tutti if p > 1 else None)

    def settings(self):
        settings.settings(self)

    def check(self):
        settings.check(self)

    def errors(self):
        settings.errors(self)

    def topology(self):
        topology.topology(self)

    def learning(self):
        learning.learning(self)

    def young(self):
        young.young(self)

    def profiles(self):
        profiles.profiles(self)

    def explain(self):
        explain.explain(self)

    def record(self):
        record.record(self)

    def faults(self):
        faults.faults(self)

    def bench(self):
        bench.bench(self)

    def tune(self):
        tune.tune(self)

    def decide(self):
        decide.decide(self)

    def trace(self):
        trace.trace(self)

    def blacs(self):
        blacs.blacs(self)

    def cxx_api(self):
        program, example = self.program("cxx_api"), self.program("api.cpp")
        for p in (1, 2, 3) if self.mpi == "mpich" else (1, 2, 3, 4):
            self.launch("the C++ interface", p, [program], 600)
        self.launch("the C++ interface's example", 2, [example], 60)

    def grid(self):
        program = self.program("grid.cpp")
        for p in (1, 2, 3) if self.mpi == "mpich" else (1, 2, 4, 6):
            self.launch("grids of ranks", p, [program], 300)
        self.lu()

    def lu(self):
        """The example: LU on grids, the residual passes."""
        program = self.program("lu.cpp")
        # n, block, rows, columns: also a last block that is smaller, less than a block for some
        # ranks, and none at all.
        grids = [(200, 32, 1, 1), (1, 1, 1, 1), (137, 16, 1, 2), (137, 16, 2, 1)]
        if self.mpi == "openmpi":
            grids += [(300, 32, 2, 2), (137, 16, 2, 3), (131, 1, 3, 2), (40, 64, 2, 2), (5, 2, 3, 2)]
        for n, nb, rows, columns in grids:
            self.launch(f"LU of {n} in blocks of {nb} on {rows}x{columns}", rows * columns,
                        [program, n, nb, rows, columns], 120)
        for words, said in (((100, 16, 2, 1, "singular"), "the matrix is singular: column 50"),
                            ((100, 16, 3, 1), "dimensions '3x1' for 2 ranks"),
                            (("x",), "'x' is no number")):
            code, output, errors, seconds = self.execute(self.words(2, [program, *words]), 60)
            why = (None if code and errors.count(said) == 1
                   else f"exit code {code}, and not once: {said}")
            self.report(f"{self.mpi} p = 2 LU: {said}", seconds, why, output + errors)

    def icc(self):
        for name in ("nx.c", "table_1.c"):
            for p in (1, 2) if self.mpi == "mpich" else (1, 2, 4):
                self.launch(f"{name} with iCC's names", p, [self.program(name)], 120)
        # NX ends a program that makes a wrong call.
        for wrong, said in {"root": "iCC_bcast: the root is 2: there are nodes 0 to 1",
                            "node": "csend: the node is -2", "ptype": "csend: the process type is 1",
                            "room": "gcol: all nodes together give 2 bytes, but y has room for 1",
                            "length": "iCC_bcast: the length is 2147483648"}.items():
            code, output, errors, seconds = self.execute(
                self.words(2, [self.program("nx.c"), "--wrong", wrong]), 60)
            why = (None if code and f"tutti: {said}" in errors
                   else f"exit code {code}, and no word of: {said}")
            self.report(f"{self.mpi} p = 2 nx.c with a wrong {wrong}", seconds, why, output + errors)

    def install(self):
        """Programs outside against an installed Tutti: alone, and beside that for the other MPI."""
        other = {"openmpi": "mpich", "mpich": "openmpi"}[self.mpi]
        builds = {"alone": [self.mpi, self.build]}
        if (self.build.parent / other / "package").exists():
            builds[f"beside {other}"] = [*builds["alone"], other, self.build.parent / other]
        for what, words in builds.items():
            begin = time.monotonic()
            done = subprocess.run([ROOT / "tests/install/run.sh", *words], capture_output=True,
                                  text=True)
            self.report(f"{self.mpi} installed {what}", time.monotonic() - begin,
                        f"exit code {done.returncode}" if done.returncode else None,
                        done.stdout + done.stderr)

    def mpi4py(self):
        if self.mpi != "openmpi":  # Debian builds it for Open MPI
            return
        for python in (sys.executable, "/usr/bin/python3"):
            if subprocess.run([python, "-c", "import mpi4py"], capture_output=True).returncode == 0:
                break
        else:
            self.report("mpi4py", 0, "not installed: install python3-mpi4py")
            return
        for p in (1, 2, 4) if self.quick else range(1, 9):
            self.launch("mpi4py through the drop-in", p, [python, HERE / "mpi4py_collectives.py"],
                        900, preload=True, judge=self.all_through_tutti if p > 1 else None)


def sanitizers_of(build):
    """What the library in a build folder was built with."""
    cache = build / "CMakeCache.txt"
    found = re.search(r"TUTTI_SANITIZE:STRING=(.*)", cache.read_text()) if cache.exists() else None
    return found[1] if found else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", choices=["openmpi", "mpich"], required=True)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("."),
                        help="build folder of that MPI")
    parser.add_argument("--quick", action="store_true", help="a tenth of the calls, fewer ranks")
    parser.add_argument("--large", action="store_true", help="also a message above 2 GiB")
    kinds = ["differential", "semantics", "programs", "settings", "check", "errors",
             "topology", "profiles", "explain", "learning", "young", "record", "faults", "bench", "tune", "decide", "trace",
             "blacs", "cxx_api", "grid", "icc", "install", "mpi4py", "valgrind"]
    parser.add_argument("--only", choices=kinds, help="one kind of test")
    parser.add_argument("--list", action="store_true", help="print the kinds of test for that MPI")
    options = parser.parse_args()
    if options.list:
        # Debian builds mpi4py for Open MPI; sanitizers are for the library itself.
        if sanitizers_of(options.build.resolve()):
            kinds = ["differential", "semantics"]
        print(";".join(k for k in kinds if k != "mpi4py" or options.mpi == "openmpi"))
        return 0
    run = Run(options)
    for kind in kinds:
        if run.wants(kind):
            getattr(run, kind)()
    print(f"{run.passed} passed, {run.failed} failed")
    return 1 if run.failed or not run.passed else 0


if __name__ == "__main__":
    sys.exit(main())
