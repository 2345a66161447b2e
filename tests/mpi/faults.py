"""Where a machine does not let ranks share memory, or a rank dies: a fallback that all ranks take
and one of them tells, or an end that leaves nothing.

A kind of test for run.py, which hands itself over as `run`.
"""

import json
import os
import pathlib
import signal
import time

from settings import Probe, Wrong, expect

NO_ATTACH = "ranks may not read each other's memory: within a node all messages are copied twice"
NO_MEMORY = "ranks of a node cannot share memory: their messages go to the MPI"


def faults(run):
    probe = Probe(run, "faults")
    forbidden(run, probe)
    killed(run)


def forbidden(run, probe):
    """A system call that one rank alone may not use."""
    forbid = run.program("forbid.c")
    tutti, program = run.build / "bin/tutti", run.program("collectives.c")
    # The MPIs' own use of the same call, which they do not expect to be forbidden to some.
    own = ["--mca", "btl_vader_single_copy_mechanism", "none"] if run.mpi == "openmpi" else []
    variables = {} if run.mpi == "openmpi" else {"UCX_TLS": "self,sysv,posix"}
    p = 3 if run.mpi == "openmpi" else 2  # MPICH never yields

    def words(call, which, command, more):
        each = [run.words(1, [forbid, call, *command] if r == which else command, variables | more)
                for r in range(p)]
        return [*own, *each[0], *(word for rest in each[1:] for word in (":", *rest))]

    for call, which, way, line in (("process_vm_readv", 0, "copy", NO_ATTACH),
                                   ("process_vm_readv", p - 1, "copy", NO_ATTACH),
                                   ("memfd_create", 0, "off", NO_MEMORY)):
        def told(result):
            result.tells_once(line)
            within = json.loads(result.output)["within_a_node"]
            expect((within["way"], within["why"]) == (way, line.split(":")[0]), f"{within}")

        probe.launch(f"no {call} on rank {which}: {way}, told once", p,
                     words(call, which, [tutti, "topology", "--json"], {}), told)
        probe.launch(f"no {call} on rank {which}: all collectives are right", p,
                     words(call, which, [program], run.drop_in(TUTTI_EXPLAIN=probe.explained)),
                     lambda result: result.tells_once(line))
    def named(result):
        expect("TUTTI_NODE=copy" in result.output, f"the error is: {result.output}")
        expect("wrong" not in result.output, result.output)

    probe.launch("no process_vm_readv any more: an error that names the remedy", p,
                 [*own, *run.words(p, [run.program("forbid_later.c")],
                                   variables | run.drop_in(TUTTI_NODE="attach"))], named)
    # Who asked for it needs no telling.
    probe.launch("no process_vm_readv, nor is it wanted", p,
                 words("process_vm_readv", 0, [program], run.drop_in(TUTTI_NODE="copy")),
                 lambda result: expect(not result.told, "it is told"))


def killed(run):
    """A rank that is killed in the middle of collectives."""
    program, catalogue = run.program("differential.cpp"), run.catalogue()
    p = 4 if run.mpi == "openmpi" else 2
    begin, why = time.monotonic(), None
    files = set(os.listdir("/dev/shm"))
    process = run.start(run.words(p, [program, "--algorithms", catalogue, "--time", 1000]),
                        start_new_session=True)
    ranks = {}
    try:
        deadline = begin + 60
        # All are there, and share memory: what they do is what is to be disturbed.
        while len(ranks) < p and time.monotonic() < deadline:
            time.sleep(0.05)
            ranks = {each: shared_by(each) for each in descendants(process.pid, program.name)
                     if shared_by(each)}
        expect(len(ranks) == p, f"{len(ranks)} ranks share memory, not {p}")
        time.sleep(0.5)
        os.kill(max(ranks), signal.SIGKILL)
        try:
            output, errors = process.communicate(timeout=60)
        except Exception:
            run.stop(process)
            raise Wrong("the others did not end") from None
        expect(process.returncode != 0, "exit code 0")
        expect("FAILED" not in output and "CRASHES" not in output, "another rank failed first")
        deadline = time.monotonic() + 10
        while any(map(shared_by, ranks)) and time.monotonic() < deadline:
            time.sleep(0.05)
        expect(not any(map(shared_by, ranks)), "a rank is still there")
        left = {name for name in set(os.listdir("/dev/shm")) - files if "tutti" in name}
        expect(not left, f"left: {left}")
    except Wrong as wrong:
        why = str(wrong)
        output, errors = run.stop(process) if process.poll() is None else ("", "")
    run.report(f"{run.mpi} p = {p} faults: a rank that is killed ends all and leaves nothing",
               time.monotonic() - begin, why, output + errors)


def descendants(parent, name):
    """The processes with this name below one."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            comm, _, rest = (folder / "stat").read_text().partition(" (")[2].rpartition(") ")
            parents[int(folder.name)] = (int(rest.split()[1]), comm)
        except OSError:  # it has just ended
            pass
    found, wave = [], {parent}
    while wave:
        wave = {process for process, (above, _) in parents.items() if above in wave}
        found += [process for process in wave if parents[process][1] == name[:15]]
    return found


def shared_by(process):
    """Whether a process has Tutti's memory."""
    try:
        return "memfd:tutti" in pathlib.Path(f"/proc/{process}/maps").read_text()
    except OSError:
        return False
