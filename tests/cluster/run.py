#!/usr/bin/env python3
"""Tests of bench/cluster, and of Tutti on its nodes.

    tests/cluster/run.py --build build/openmpi

One line per check; the last line counts them. Exit code 77 where a cluster cannot be set up: not
root, or a tool is missing.
"""

import argparse
import contextlib
import itertools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the sources stay as they are
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The MPI is to do no first calls: Tutti's are looked at.
os.environ.setdefault("TUTTI_YOUNG", "0")
sys.path.insert(0, str(HERE.parent / "mpi"))
import run as mpi  # noqa: E402
import trace  # noqa: E402

CLUSTER = ROOT / "bench/cluster"
LIMIT = 300  # seconds; a cluster that hangs fails
SPACES = ("net", "pid", "mnt", "uts", "ipc")
# Says that it runs, does not react when asked to end, and shows no end of its own.
STUBBORN = ["sh", "-c", "trap '' TERM INT HUP; echo up; while :; do sleep 1000; done"]


class Wrong(Exception):
    """What a check has to object."""


def expect(condition, why):
    if not condition:
        raise Wrong(why)


class Result:
    def __init__(self, process, output, errors):
        self.code, self.output, self.errors = process.returncode, output, errors

    def succeeded(self):
        expect(self.code == 0, f"exit code {self.code}: {self.errors.strip()[-300:]}")
        return self

    def one_line(self, code, word):
        expect(self.code == code, f"exit code {self.code} instead of {code}")
        lines = self.errors.splitlines()
        expect(len(lines) == 1 and lines[0].startswith("cluster: ") and word in lines[0]
               and not self.output, f"not one line with '{word}': {self.output + self.errors!r}")


def signals_as_usual():
    """A shell starts what is in the background with SIGINT ignored; that would be inherited."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(words, environment=None, **more):
    return subprocess.Popen([CLUSTER, *map(str, words)], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, preexec_fn=signals_as_usual,
                            env={**os.environ, **(environment or {})}, **more)


def call(words, environment=None, text=""):
    process = start(words, environment, stdin=subprocess.PIPE)
    try:
        return Result(process, *process.communicate(text, timeout=LIMIT))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise Wrong(f"not finished after {LIMIT} s") from None


def processes():
    """Parent, name and namespaces of every process, by its number."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it may end while we look
            name, _, rest = (folder / "stat").read_text().partition(" (")[2].rpartition(") ")
            found[int(folder.name)] = (int(rest.split()[1]), name,
                                       {os.readlink(folder / "ns" / kind) for kind in SPACES})
    return found


def below(parent):
    """The processes that descend from one, with their names."""
    all_of_them, found, parents = processes(), {}, {parent}
    while parents:
        children = {p: row[1] for p, row in all_of_them.items() if row[0] in parents}
        found |= children
        parents = set(children)
    return found


class Footprint:
    """What this machine shows of clusters."""

    def __init__(self):
        self.own = {os.readlink(f"/proc/self/ns/{kind}") for kind in SPACES}
        self.spaces = set()
        self.before = self.things()

    @staticmethod
    def things():
        def lines(*words):
            return subprocess.run(words, capture_output=True, text=True, check=True).stdout

        path = os.environ["PATH"]
        os.environ["PATH"] = f"{path}:/usr/sbin:/sbin"
        found = {f"link {name}" for name in re.findall(r"(?m)^\d+: ([^:@]+)",
                                                       lines("ip", "-o", "link"))}
        found |= {f"namespace {line}" for line in lines("ip", "netns", "list").splitlines()}
        os.environ["PATH"] = path
        for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
            found.add(f"mount {line.split()[4]}")
        for folder in ("/tmp", "/dev/shm", "/run", "/var/tmp", "/run/lock"):
            # Other programs come and go; these names say where they are from.
            found |= {f"file {folder}/{name}" for name in os.listdir(folder)
                      if re.search(r"node\d|launcher|cluster", name)}
        return found

    def see(self, script):
        """Notes the namespaces of a running cluster."""
        everything = processes()
        for process in below(script):
            self.spaces |= everything.get(process, (0, "", set()))[2] - self.own

    def alive(self):
        """The processes in the noted namespaces."""
        return {p: row[1] for p, row in processes().items() if row[2] & self.spaces}

    def left(self):
        found = {f"process {p} {name}" for p, name in self.alive().items()}
        return sorted(found | (self.things() - self.before))


class Cluster(mpi.Run):
    def __init__(self, options):
        super().__init__(argparse.Namespace(mpi="openmpi", build=options.build, quick=False,
                                            large=False, only=None))
        self.work = self.build / "tests-cluster"  # not to be in the way of tests/mpi/run.py
        self.work.mkdir(exist_ok=True)
        self.probe = self.program("probe.c")

    @contextlib.contextmanager
    def check(self, what):
        begin, why = time.monotonic(), None
        try:
            yield
        except (Wrong, trace.Wrong) as wrong:
            why = str(wrong)
        self.report(what, time.monotonic() - begin, why)

    def nodes(self):
        for placement, host in (("block", lambda r: r // 2), ("round_robin", lambda r: r % 3)):
            with self.check(f"3 nodes x 2, {placement}: host names, a /dev/shm for each node"):
                done = call(["--nodes", 3, "--ranks", 2, "--map", placement, "--", self.probe,
                             "host"]).succeeded()
                expected = [f"rank {r} host node{host(r)} marks "
                            + " ".join(str(s) for s in range(6) if host(s) == host(r))
                            for r in range(6)]
                seen = sorted(done.output.splitlines())
                expect(seen == expected, f"seen: {'; '.join(seen)}")
        with self.check("nodes see the cluster's network alone, and names resolve"):
            done = call(["--nodes", 2, "--", "sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; "
                         "ip -o link | cut -d: -f2 | cut -d@ -f1; ip route; getent hosts node1"])
            lines = sorted(x.strip() for x in done.succeeded().output.splitlines())
            names = [x for x in lines if " " not in x]
            expect(names == ["eth0", "eth0", "lo", "lo"], f"links: {names}")
            routes = [x for x in lines if "dev" in x]
            expect(len(routes) == 2 and all(" dev eth0 " in x and "via" not in x for x in routes),
                   f"routes: {routes}")
            expect(sum(x.endswith(" node1") for x in lines) == 2, f"node1 is unknown: {lines}")

    def rates(self):
        """Lower limits only: a busy machine makes a transfer longer, never shorter."""
        with self.check("80mbit: 2 MB take their time out of a node and into it"):
            done = call(["--nodes", 3, "--rate", "80mbit", "--", self.probe, "transfer"])
            seconds = {x.split()[0]: float(x.split()[1])
                       for x in done.succeeded().output.splitlines()}
            for what, least in (("there", 0.15), ("back", 0.15), ("both", 0.3)):
                expect(seconds[what] >= least, f"{what} took {seconds[what]} s, less than {least}")
        show = ["--", "sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; tc qdisc show dev eth0"]
        for words, expected in ((["--rate", "1gbit", "--burst", "32kb"],
                                 r"tbf .* rate 1Gbit burst 3[12]\S+ "),
                                (["--rate", "none"], "tbf")):
            with self.check(f"{' '.join(words)} on every node"):
                done = call(["--nodes", 2, *words, *show]).succeeded()
                count = len(re.findall(expected, done.output))
                expect(count == (0 if "none" in words else 2), done.output)

    def exit_code(self):
        with self.check("the program's exit code"):
            script = "[ $OMPI_COMM_WORLD_RANK = 0 ] || exit 7"
            done = call(["--nodes", 2, "--", "sh", "-c", script])
            expect(done.code == 7, f"exit code {done.code}")
        with self.check("standard input, output and error"):
            script = "[ $OMPI_COMM_WORLD_RANK = 1 ] || { cat; echo wrong >&2; }"
            done = call(["--nodes", 2, "--", "sh", "-c", script], text="one\ntwo\n").succeeded()
            # On a busy machine mpirun warns of a process group on standard error.
            errors = [x for x in done.errors.splitlines() if "setpgid" not in x]
            expect((done.output, errors) == ("one\ntwo\n", ["wrong"]),
                   repr(done.output + done.errors))
        with self.check("ranks run in the folder where the cluster was started"):
            done = call(["--nodes", 2, "--", "sh", "-c", "pwd"]).succeeded()
            expect(done.output == 2 * (os.getcwd() + "\n"), repr(done.output))
        with self.check("TUTTI_* and -x reach every rank, and not mpirun"):
            value = "a;b c=d,\"e'"
            script = """echo "$TUTTI_TEST|$ONE|$TWO"
                launcher=$(grep -l mpirun /proc/[0-9]*/comm)
                tr '\\0' '\\n' < ${launcher%comm}environ | grep -Ec '^(TUTTI_TEST|ONE|TWO)=' """
            done = call(["--nodes", 2, "-x", "ONE", "-x", "TWO=2", "--", "sh", "-c",
                         script + "; true"], {"TUTTI_TEST": value, "ONE": "1", "TWO": "other"})
            lines = sorted(done.succeeded().output.splitlines())
            expect(lines == ["0", "0", f"{value}|1|2", f"{value}|1|2"], repr(done.output))
        with self.check("--mpi-option"):
            done = call(["--nodes", 2, "--mpi-option=--mca btl_tcp_eager_limit 4711",
                         "--mpi-option=--tag-output", "--", "printenv",
                         "OMPI_MCA_btl_tcp_eager_limit"]).succeeded()
            lines = sorted(re.sub(r"\[\d+,", "[", x) for x in done.output.splitlines())
            expect(lines == ["[0]<stdout>:4711", "[1]<stdout>:4711"], repr(done.output))

    def arguments(self):
        for words, word in ((["--nodes", "0"], "--nodes"), (["--nodes", "251"], "--nodes"),
                            (["--nodes", "two"], "--nodes"), (["--ranks", "-1"], "--ranks"),
                            (["--rate", "fast"], "--rate"), (["--rate", "0mbit"], "--rate"),
                            (["--burst", "1kb"], "--burst"), (["--map", "any"], "--map"),
                            (["--rate", "none", "--burst", "64kb"], "--burst"),
                            (["-x", "NOT_SET"], "NOT_SET"), (["--mpi-option='"], "--mpi-option"),
                            (["--node", "2"], "--node")):
            with self.check(f"{' '.join(words)} is refused"):
                call([*words, "--", "true"]).one_line(2, word)
        with self.check("no command is refused"):
            call(["--nodes", 2]).one_line(2, "no command")
            call(["--nodes", 2, "--", "no-such-program"]).one_line(2, "no-such-program")
        with self.check("--help"):
            done = call(["--help"]).succeeded()
            expect("examples:" in done.output and not done.errors, done.output)
        with self.check("not root: one line, exit code 77"):
            with tempfile.TemporaryDirectory() as folder:  # the repository may be closed to others
                os.chmod(folder, 0o755)
                copy = pathlib.Path(folder, "cluster")
                copy.write_bytes(CLUSTER.read_bytes())
                copy.chmod(0o755)
                done = subprocess.run(["/usr/bin/python3", copy, "--", "true"], user=65534,
                                      group=65534, extra_groups=[], capture_output=True, text=True,
                                      cwd="/")
                Result(done, done.stdout, done.stderr).one_line(77, "root")
        with self.check("a tool that fails: one line, exit code 1"):
            with tempfile.TemporaryDirectory() as folder:
                for tool, words in (("tc", ["--rate", "1mbit"]), ("ip", ["--rate", "none"])):
                    fake = pathlib.Path(folder, tool)
                    fake.write_text("#!/bin/sh\necho no such luck >&2\nexit 3\n")
                    fake.chmod(0o755)
                    call(["--nodes", 2, *words, "--", "true"],
                         {"PATH": f"{folder}:{os.environ['PATH']}"}).one_line(1, "no such luck")
        with self.check("an mpirun that cannot be run: one line, exit code 1"):
            with tempfile.TemporaryDirectory() as folder:
                fake = pathlib.Path(folder, "mpirun.openmpi")
                fake.write_text("no program\n")
                fake.chmod(0o755)
                call(["--nodes", 2, "--", "true"],
                     {"PATH": f"{folder}:{os.environ['PATH']}"}).one_line(1, "launcher: ")
        with self.check("a tool that is missing: one line, exit code 77"):
            with tempfile.TemporaryDirectory() as folder:
                for tool in ("env", "python3", "true"):
                    path = sys.executable if tool == "python3" else f"/usr/bin/{tool}"
                    pathlib.Path(folder, tool).symlink_to(path)
                call(["--", "true"], {"PATH": folder}).one_line(77, "is missing")

    @contextlib.contextmanager
    def started(self, footprint, temporary):
        process = start(["--nodes", 2, "--ranks", 2, "--", *STUBBORN], {"TMPDIR": temporary},
                        stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            for left in footprint.alive():  # a check that fails leaves nothing, either
                with contextlib.suppress(ProcessLookupError):
                    os.kill(left, signal.SIGKILL)
            process.communicate()

    @contextlib.contextmanager
    def running(self, footprint, temporary):
        """A cluster whose ranks have begun."""
        with self.started(footprint, temporary) as process:
            for _ in range(4):
                line = process.stdout.readline()
                expect(line == "up\n", f"no rank came up: {line!r}")
            footprint.see(process.pid)
            # Networks of the bridge, the launcher and the nodes.
            networks = sum(x.startswith("net:") for x in footprint.spaces)
            expect(networks == 4, f"{networks} network namespaces instead of 4")
            yield process

    def ends(self):
        """However it ends, nothing is left. After SIGKILL the kernel does the work, in its time."""
        def ended(process, code):
            try:
                process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                raise Wrong(f"not ended after {LIMIT} s") from None
            expect(process.returncode == code, f"exit code {process.returncode}")

        def nothing_left(footprint, temporary, patience):
            limit = time.monotonic() + patience
            left = footprint.left()
            while left and time.monotonic() < limit:
                time.sleep(0.05)
                left = footprint.left()
            left += [f"file {temporary}/{name}" for name in os.listdir(temporary)]
            expect(not left, f"left: {', '.join(left[:8])}")

        with self.check("a program that ends leaves nothing, with processes in the background too"):
            footprint = Footprint()
            with tempfile.TemporaryDirectory() as folder:
                marker = str(100000 + os.getpid())
                call(["--nodes", 2, "--", "sh", "-c",
                      f"setsid sleep {marker} > /dev/null 2>&1 & sleep 0.1"],
                     {"TMPDIR": folder}).succeeded()
                nothing_left(footprint, folder, 0)
                for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                    with contextlib.suppress(OSError):
                        expect(file.read_text() != f"sleep\0{marker}\0", f"left: {file}")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            with self.check(f"{number.name} leaves nothing"):
                footprint = Footprint()
                with tempfile.TemporaryDirectory() as folder:
                    with self.running(footprint, folder) as process:
                        process.send_signal(number)
                        ended(process, -number)
                        nothing_left(footprint, folder, 20 if number == signal.SIGKILL else 0)
        with self.check("SIGINT to all at a time, as a terminal sends it, leaves nothing"):
            footprint = Footprint()
            with tempfile.TemporaryDirectory() as folder:
                with self.running(footprint, folder) as process:
                    os.killpg(process.pid, signal.SIGINT)
                    ended(process, -signal.SIGINT)
                    nothing_left(footprint, folder, 0)
        with self.check("ranks end when mpirun is killed"):
            footprint = Footprint()
            with tempfile.TemporaryDirectory() as folder:
                with self.running(footprint, folder) as process:
                    launchers = [p for p, name in below(process.pid).items()
                                 if name.startswith("mpirun")]
                    expect(len(launchers) == 1, f"{len(launchers)} mpirun")
                    os.kill(launchers[0], signal.SIGKILL)
                    ended(process, 137)
                    nothing_left(footprint, folder, 0)
        with self.check("a signal while the cluster is set up leaves nothing"):
            for number, delay in itertools.product((signal.SIGTERM, signal.SIGKILL),
                                                   (0, 0.05, 0.1, 0.15, 0.2, 0.3)):
                footprint = Footprint()
                with tempfile.TemporaryDirectory() as folder:
                    with self.started(footprint, folder) as process:
                        time.sleep(delay)
                        footprint.see(process.pid)
                        process.send_signal(number)
                        ended(process, -number)
                        nothing_left(footprint, folder, 20 if number == signal.SIGKILL else 0)
        with self.check("two clusters at a time"):
            footprint = Footprint()
            with tempfile.TemporaryDirectory() as folder:
                with self.running(footprint, folder) as process:
                    done = call(["--nodes", 3, "--", self.probe, "host"]).succeeded()
                    expect(done.output.count(" host node") == 3, done.output)
                    names = list(below(process.pid).values())
                    expect(process.poll() is None and names.count("sleep") == 4,
                           f"the other one suffered: {names}")

    def tutti(self):
        program, catalogue = self.program("differential.cpp"), self.catalogue()
        # Small pieces: so short messages are cut and paced as long ones are.
        for nodes, ranks, piece in ((3, 1, "64"), (2, 2, "256"), (3, 1, "32K")):
            with self.check(f"Tutti on {nodes} nodes x {ranks}, pieces of {piece}: 300 random calls"):
                done = call(["--nodes", nodes, "--ranks", ranks, "-x", f"TUTTI_PIECE={piece}", "--",
                             program, "--algorithms", catalogue, "--seed", nodes, "--iterations",
                             300])
                expect(done.code == 0, f"exit code {done.code}: {done.output + done.errors}")
                expect(re.search(r"(?m)^30\d passed, 0 failed$", done.output), done.output)

        # A rank that sleeps with a message for another node next must leave its neighbours' book alone.
        with self.check("4 nodes x 4: a rank that waits for neighbours and for others, then all is freed"):
            for i in range(3):
                done = call(["--nodes", 4, "--ranks", 4, "--", self.build / "bin/tutti", "bench",
                             "--collectives", "scan", "-n", 8, "--algorithm",
                             "scan/recursive_doubling", "--repetitions", 1, "--passes", 1])
                expect(done.code == 0, f"exit code {done.code}: {done.output + done.errors}")

    def learning(self):
        """What is learned of calls is work, not waiting for a rank that comes late, on one node and on several."""
        file = self.work / f"explained-{os.getpid()}.json"
        program = self.program("late.c")
        for nodes, ranks in ((1, 2), (3, 1)):
            with self.check(f"{nodes} node{'s' * (nodes > 1)} x {ranks}: a rank is 2 ms late, which is not learned"):
                call(["--nodes", nodes, "--ranks", ranks, "--", self.build / "bin/tutti", "run", "--young", 0, "--learn", "on",
                      f"--explain={file}", "--", program, "often"]).succeeded()
                rows = json.loads(file.read_text())["rows"]
                # Waiting would pay for all laps in these calls; work may not: then they still learn.
                learned = [float(found[1]) for row in rows if (found := re.match(r"learned: ([\d.]+) us", row["why"]))]
                learning = [row["why"] for row in rows if re.match("learn(ed|ing):", row["why"])]
                expect(learning and max(learned, default=0) < 1500, f"{[row['why'] for row in rows]}")
                file.unlink()

    def topology(self):
        """What `tutti topology` says of nodes; what becomes of their memory."""
        words = [self.build / "bin/tutti", "topology", "--json"]

        def seen(arguments, command):
            done = call([*arguments, "--", *command]).succeeded()
            told = [x for x in done.errors.splitlines() if x.startswith("tutti: ")]
            return json.loads(done.output), told

        for placement, text in (("block", "3x2"), ("round_robin", "3x2:cyclic")):
            with self.check(f"tutti topology: 3 nodes x 2, {placement}"):
                found, told = seen(["--nodes", 3, "--ranks", 2, "--map", placement], words)
                hosts = [node["host"] for node in found["nodes"]]
                ranks = [[each["rank"] for each in node["ranks"]] for node in found["nodes"]]
                expected = ([[0, 1], [2, 3], [4, 5]] if placement == "block"
                            else [[0, 3], [1, 4], [2, 5]])
                expect(hosts == ["node0", "node1", "node2"] and ranks == expected,
                       f"{hosts}, {ranks}")
                expect(found["topology"] == text and found["within_a_node"]["way"] == "shared"
                       and not told, f"{found['topology']}, {found['within_a_node']}, {told}")
        with self.check("one rank on each node: there is no memory to share, and no word of it"):
            found, told = seen(["--nodes", 3], words)
            expect((found["within_a_node"]["way"], found["within_a_node"]["why"], told)
                   == ("off", "no two ranks share a node", []), f"{found['within_a_node']}, {told}")
        # The MPI's own messages go by TCP: it is not its failure that is looked at.
        alone, by_tcp = ["--nodes", 2, "--ranks", 2], ["env", "OMPI_MCA_btl=tcp,self"]
        with self.check("ranks that claim one node, but are in other pid namespaces: off, told once"):
            apart = ["unshare", "--pid", "--fork", "--mount-proc"]
            found, told = seen(alone, [*apart, *by_tcp, *words])
            expect([len(node["ranks"]) for node in found["nodes"]] == [2, 2], "not on two nodes")
            why = "ranks of a node cannot share memory"
            expect((found["within_a_node"]["way"], found["within_a_node"]["why"]) == ("off", why)
                   and told == [f"tutti: {why}: their messages go to the MPI"],
                   f"{found['within_a_node']}, {told}")

    def tune(self):
        """A profile of two nodes has a network, nodes, and the interface between them."""
        file = self.work / f"profile-{os.getpid()}.json"
        words = [self.build / "bin/tutti", "tune", "--rates-only", "--budget", "2s", "--json", "-o",
                 file]
        for ranks in (1, 2):
            with self.check(f"tutti tune: 2 nodes x {ranks}"):
                done = call(["--nodes", 2, "--ranks", ranks, "--", *words]).succeeded()
                profile = json.loads(file.read_text())
                found = json.loads(done.output)
                expect(found["profile"] == profile, "the file is not what is printed")
                levels = [curve["level"] for curve in found["curves"]]
                expect(levels == ["network"] * 2 + ["node"] * (2 if ranks > 1 else 0), f"{levels}")
                expect(("node" in profile) == (ranks > 1), "a node, or none")
                expect(list(profile["interface"]) == ["1", "2"][:ranks], f"{profile['interface']}")
                expect(profile["piece_bytes"] >= 8192, "no size of pieces")
                file.unlink()

    def trace(self):
        """No message is received before it was sent: on the machine's clock; and as far as they are known, on
        clocks that differ from node to node."""
        file = self.work / f"trace-{os.getpid()}.json"
        calls = (("allgatherv", "ring,pipelined_ring", "--distribution", "broadcast"), ("allreduce", "ring,rabenseifner"),
                 ("bcast", "chain"), ("alltoall", "bruck,linear"))
        for nodes, ranks in ((4, 1), (2, 2)):
            for collective, algorithms, *more in calls:
                with self.check(f"tutti trace: {collective} on {nodes} nodes x {ranks}, received after sent"):
                    call(["--nodes", nodes, "--ranks", ranks, "--", self.build / "bin/tutti", "trace", collective,
                          "--algorithm", algorithms, "-n", "256K", *more, "-o", file]).succeeded()
                    found = trace.Trace(file, nodes * ranks).in_order().whole()
                    expect(found.tutti["messages"] > 0, "no message")
                    hosts = [clock["host"] for clock in found.tutti["clocks"]]
                    expect(hosts == [f"node{r // ranks}" for r in range(nodes * ranks)], hosts)
        with self.check("tutti trace: clocks that differ from node to node are compared"):
            apart = ["sh", "-c", 'exec unshare --time --monotonic $((1000 * OMPI_COMM_WORLD_RANK)) --fork "$@"', "sh"]
            call(["--nodes", 3, "--", *apart, self.build / "bin/tutti", "trace", "allreduce", "--algorithm", "ring",
                  "-n", "64K", "--repetitions", 20, "-o", file]).succeeded()
            found = trace.Trace(file, 3).whole()
            for rank, clock in enumerate(found.tutti["clocks"]):
                expect(abs(clock["offset_us"] + 1000e6 * rank) <= clock["error_us"] + 1, f"{clock}")
            worst = sum(sorted(clock["error_us"] for clock in found.tutti["clocks"])[-2:])
            expect(found.worst <= worst, f"{found.worst} us before it was sent, {worst} are possible")
        file.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/openmpi",
                        help="build folder of Open MPI (build/openmpi)")
    options = parser.parse_args()
    first = call(["--nodes", 1, "--", "true"])
    if first.code == 77:
        print(first.errors, end="", file=sys.stderr)
        return 77
    test = Cluster(options)
    for part in (test.nodes, test.rates, test.exit_code, test.arguments, test.ends, test.tutti,
                 test.learning, test.topology, test.tune, test.trace):
        part()
    print(f"{test.passed} passed, {test.failed} failed")
    return 1 if test.failed or not test.passed else 0


if __name__ == "__main__":
    sys.exit(main())
