"""The drop-in for BLACS: programs of tests/blacs with and without it."""

import json
import re


def blacs(run):
    programs = {name: run.program(f"{name}.cpp")
                for name in ("routines", "scalapack_lu", "wrong_calls", "kept_memory")}
    fortran = run.program("from_fortran.f90")
    # MPICH never yields: more ranks than cores take milliseconds per message.
    grids = ([(1, 1, 20), (1, 2, 20), (2, 1, 20), (2, 2, 150), (1, 3, 150), (3, 1, 150)]
             if run.mpi == "mpich" else
             [(1, 1, 10), (1, 3, 6), (4, 1, 6), (2, 2, 6), (2, 3, 12), (3, 2, 12)])
    for rows, columns, part in grids:
        routines(run, programs["routines"], rows, columns, part if run.quick else 1)
    # Broadcasts of two processes stay with BLACS: rows and columns of three are Tutti's.
    for rows, columns in [(2, 2), (1, 3), (3, 1)] + ([(3, 2)] if run.mpi == "openmpi" else []):
        same_files(run, f"the LU of ScaLAPACK on {rows} x {columns}", programs["scalapack_lu"],
                   rows * columns, [rows, columns, 150, 16, 1], 120)
    settings(run, programs["routines"])
    code, output, errors, seconds = run.execute(
        run.words(3, [programs["kept_memory"]], drop_in(run)), 120)
    run.report(f"{run.mpi} p = 3 BLACS: allocations of repeated calls", seconds,
               f"exit code {code}" if code != 0 else None, output + errors)
    same_ends(run, "from Fortran", fortran, 3 if run.mpi == "openmpi" else 2, [])
    for which in range(14):
        same_ends(run, f"a wrong call, {which}", programs["wrong_calls"], 2 if which < 11 else 3, [which])


def drop_in(run, **variables):
    return {"LD_PRELOAD": f"{run.build}/lib/libtutti-blacs.so", **variables}


def both(run, *names):
    return {"LD_PRELOAD": ":".join(f"{run.build}/lib/libtutti-{name}.so" for name in names)}


def same_files(run, what, program, p, words, limit, variables=None, judge=None):
    """A program that writes a file for each rank writes the same with the drop-in and without."""
    explained = run.work / "blacs.json"
    explained.unlink(missing_ok=True)
    variables = {**drop_in(run, TUTTI_EXPLAIN=explained), **(variables or {})}
    total, why, said = 0, None, ""
    for name, environment in (("without", {}), ("with", variables)):
        prefix = run.work / f"blacs-{name}"
        code, output, errors, seconds = run.execute(
            run.words(p, [program, prefix, *words], environment), limit)
        total += seconds
        if code != 0 and why is None:
            why, said = f"{name} the drop-in: exit code {code}", output + errors
    for rank in range(p):
        files = [run.work / f"blacs-{name}.{rank}" for name in ("without", "with")]
        if why is None:
            why = difference(*(file.read_bytes() for file in files), rank)
        for file in files:
            file.unlink(missing_ok=True)
    if why is None and judge is not None:
        why = judge(json.loads(explained.read_text())["rows"])
    run.report(f"{run.mpi} p = {p} BLACS: {what}", total, why, said)


def difference(expected, found, rank):
    if expected == found:
        return None
    at = next((i for i, (a, b) in enumerate(zip(expected, found)) if a != b),
              min(len(expected), len(found)))
    call = expected[:at].rfind(b" call ")
    label = expected[expected.rfind(b"\n", 0, call) + 1:].split(b"\n")[0] if call >= 0 else b""
    return f"rank {rank} differs at byte {at}: {label.decode(errors='replace')}"


def routines(run, program, rows, columns, part):
    p = rows * columns

    def judge(table):
        """All that is asked for runs, and only what Tutti has not is left to BLACS."""
        left = {row["why"] for row in table if row["algorithm"] == "native"}
        if left - {"a topology that Tutti has not", "two processes: one message"}:
            return f"left to BLACS: {', '.join(sorted(left))}"
        ran = {(row["collective"], row["algorithm"]) for row in table if row["why"] == "asked for"}
        wanted = {("bcast", "binomial"), ("bcast", "linear"), ("reduce", "linear"),
                  ("reduce", "binomial"), ("allreduce", "reduce_bcast"),
                  ("allreduce", "recursive_doubling")}
        if p > 2:
            wanted |= {("bcast", "knomial"), ("reduce", "knomial")}
        else:
            wanted = {each for each in wanted if each[0] != "bcast"}
        if max(rows, columns) > 2 or p > 2:
            wanted |= {("bcast", "chain"), ("reduce", "chain")}
        missing = sorted("/".join(each) for each in wanted - ran)
        return f"did not run: {', '.join(missing)}" if missing else None

    same_files(run, f"every routine on {rows} x {columns}", program, p, [rows, columns, part], 600,
               judge=judge)


def settings(run, program):
    """The variables mean for BLACS what they mean for MPI."""

    def forced(table):
        chosen = {row["algorithm"] for row in table if row["collective"] == "allreduce"}
        return None if "ring" in chosen else f"allreduce ran with {', '.join(sorted(chosen))}"

    def off(table):
        ours = {row["collective"] for row in table if row["algorithm"] != "native"}
        whys = {row["why"] for row in table if row["collective"] == "bcast"}
        if "bcast" in ours:
            return "a broadcast ran through Tutti"
        return None if "off" in whys else f"broadcasts were left to BLACS: {', '.join(whys)}"

    def few(table):
        whys = {row["why"] for row in table if row["algorithm"] == "native"}
        return None if any("TUTTI_COMMUNICATORS" in why for why in whys) else "no word of it"

    def together(table):
        """The explanation of one library tells of both: there is one Tutti behind them."""
        why = {row["why"] for row in table if row["collective"] == "bcast"}
        return None if "two processes: one message" in why else "no broadcast of BLACS is explained"

    for what, variables, judge in (
            ("a forced algorithm", {"TUTTI_ALGORITHM_ALLREDUCE": "ring"}, forced),
            ("broadcasts off", {"TUTTI_OFF": "bcast"}, off),
            ("no communicators left", {"TUTTI_COMMUNICATORS": "1"}, few),
            ("every call checked", {"TUTTI_CHECK": "1"}, None),
            ("behind the drop-in for MPI", both(run, "preload", "blacs"), together),
            ("before the drop-in for MPI", both(run, "blacs", "preload"), together)):
        p, words = (4, [2, 2, 400]) if run.mpi == "openmpi" else (2, [2, 1, 400])
        same_files(run, what, program, p, words, 300, variables, judge)


def same_ends(run, what, program, p, words):
    """A program ends and speaks the same with the drop-in and without."""

    def end(environment):
        code, output, errors, seconds = run.execute(run.words(p, [program, *words], environment),
                                                    60)
        told = set(re.findall(r"BLACS ERROR.*|MPI_ERR_\w+|[Ss]egmentation fault|Aborted", errors))
        # Lines of several ranks come in any order, and what a launcher says of an end differs.
        return seconds, (code, sorted(output.splitlines()) if code == 0 else [], sorted(told))

    total, why = 0, None
    for _ in range(5):  # a launcher may lose the last words of a rank that ends too soon
        (before, expected), (after, found) = end({}), end(drop_in(run))
        total += before + after
        alike = expected == found
        # Killed: words of either may be lost, and which rank's code is told may differ.
        if all(end[0] and (end[0] > 128 or "egmentation fault" in str(end[2]))
               for end in (expected, found)):
            alike = set(expected[2]) <= set(found[2]) or set(found[2]) <= set(expected[2])
        why = None if alike else f"without {expected}, with {found}"
        if expected[0] is None:
            why = "it does not end even without the drop-in"
        if why is None:
            break
    run.report(f"{run.mpi} p = {p} BLACS: {what}", total, why)
