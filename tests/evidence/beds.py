"""Where evidence is run: programs of the build folders, and the words that start them on each bed."""

from points import ROOT

BUILD = ROOT / "build"
CORE = BUILD / "core/bin"
TUTTI = CORE / "tutti"  # the verbs that need no MPI
OPENMPI = BUILD / "openmpi/bin/tutti"
SIM = BUILD / "smpi/bin/tutti-mpi"
PRELOAD = BUILD / "openmpi/lib/libtutti-preload.so"
BLACS_PRELOAD = BUILD / "openmpi/lib/libtutti-blacs.so"

# Of the simulated switch: --latency, --bandwidth and --message-cost of bench/sim.
LATENCY_US, BANDWIDTH, MESSAGE_US = 10, 1e9, 1
# The virtual cluster's links: 200 Mbit/s.
RATE_NS = 40


def node(ranks, mpi="openmpi", yields=False):
    """Ranks of this machine; those that yield leave their core to others while they wait."""
    words = ["mpirun.openmpi", "--oversubscribe"] if mpi == "openmpi" else [f"mpirun.{mpi}"]
    if yields and mpi == "openmpi":  # MPICH never does
        words += ["--mca", "mpi_yield_when_idle", "1"]
    return [*words, "-n", ranks]


def cluster(nodes, ranks=None, *more):
    """Virtual nodes, with so many ranks on each."""
    words = ["--ranks", ranks] if ranks else []
    return ["bench/cluster", "--nodes", nodes, *words, *more, "--"]


def simulated(ranks, per_node=1, precision="1ns", selector="mpich"):
    """SimGrid's hosts behind a switch, or nodes of several ranks; the selector is the MPI's own choices."""
    words = ["--platform", "switched"] if per_node == 1 else ["--platform", "multicore", "--per-node",
                                                               per_node]
    return ["bench/sim", *words, "--ranks", ranks, "--latency", f"{LATENCY_US}us", "--bandwidth",
            f"{BANDWIDTH:.0f}Bps", "--message-cost", f"{MESSAGE_US}us", "--precision", precision,
            "--selector", selector, "--"]
