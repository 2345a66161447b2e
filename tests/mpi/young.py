"""First calls go to the MPI, until there have been enough of their class.

A kind of test for run.py, which hands itself over as `run`.
"""

from settings import Probe, expect

# Calls that come first, of 8 bytes, and of none: one of each, and then, when the first broadcast of
# 1 MB has earned what all calls need, those that earn a schedule.
SMALL, EMPTY = 1 + 15, 1 + 16
# Of 8 bytes, of all communicators that count together; of 64 KB, of the first one alone.
SMALL_OF_ALL, LARGE = 63, 3


def of_young(result, collective, **more):
    return sum(row["calls"] for row in result.rows if row["algorithm"] == "native"
               and row["why"].startswith("young: ")
               and all(row[key] == value for key, value in dict(collective=collective, **more).items()))


def made_and_freed(run, probe, ranks):
    """Communicators that come and go: what was made for one serves the next of the same ranks."""
    program, again = run.program("random_communicators.c"), run.program("made_again.c")
    steps = 1000 if run.quick else 5000

    def right(result):
        expect(not result.told, f"it tells: {result.told}")
        expect("wrong" not in result.output, result.output)

    def learned(result):
        right(result)
        expect(any(row["why"].startswith("learned: ") for row in result.rows),
               f"each communicator learns anew: {[row['why'] for row in result.rows]}")

    for p in ranks:
        for how in ({}, {"TUTTI_YOUNG": 32}, {"TUTTI_LEARN": "on", "TUTTI_COMMUNICATORS": 4},
                    {"TUTTI_TOPOLOGY": ",".join(str(rank % 2) for rank in range(p))}):
            name = " ".join(f"{k}={v}" for k, v in how.items())
            probe.drop_in(f"random communicators {name}", p, [program, steps, p],
                          right if "TUTTI_COMMUNICATORS" not in how else lambda result: expect(
                              "wrong" not in result.output, result.output), how, limit=300)
    probe.drop_in("what is learned outlives a communicator", 2, [again, "reversed"], learned, {"TUTTI_LEARN": "on"})

    def few_are_young(most):
        def check(result):
            right(result)
            expect(of_young(result, "allreduce") == most, f"{of_young(result, 'allreduce')} allreduces, not {most}")
            expect(result.calls(collective="allreduce") == 8000, "not 8000 allreduces")
        return check

    for p in ranks:
        probe.drop_in("what serves one communicator is at hand for the next", p, [again, "reversed", 1 << 14],
                      few_are_young(LARGE), {"TUTTI_YOUNG": ""})
        probe.drop_in("duplicates of the world count together", p, [again, "world"], few_are_young(SMALL_OF_ALL),
                      {"TUTTI_YOUNG": ""})
        for how in ({"TUTTI_YOUNG": 0}, {"TUTTI_YOUNG": ""}):
            probe.drop_in(f"freed in any order, {how}", p, [run.program("freed_in_any_order.c")], right, how, limit=60)

    if run.mpi == "mpich":  # which takes any type for blocks that are empty
        probe.drop_in("empty blocks of no type", 2, [run.program("null_types.c")], right, {"TUTTI_YOUNG": ""}, limit=60)
    else:  # which hands on what the other processes need
        probe.launch("a rank is brought in by one that has met others", 2,
                     run.words(2, [run.program("brought_in.c")], run.drop_in(TUTTI_YOUNG="")),
                     lambda result: expect("all have met" in result.output, result.output), limit=60)

    # The drop-in alone sees what is freed. Its exit code tells the rest.
    def ends(result):
        expect("passed" in result.output, result.output[-500:])

    probe.drop_in("all that communicators may do, with some at hand", 3 if run.mpi == "openmpi" else 2,
                  [run.program("semantics"), "--communicators", 100], ends, {"TUTTI_YOUNG": 0}, limit=300)


def made_by_threads(run, probe, ranks):
    """What algorithms need is made while other threads make communicators: nobody may wait for ever."""
    program, together = run.program("made_by_threads.cpp"), 3 if run.quick else 10

    def right(result):
        expect(not result.told, f"it tells: {result.told}")
        expect("wrong" not in result.output, result.output)

    for p in ranks:
        for number in range(together):
            probe.drop_in(f"threads make communicators, run {number + 1}", p, [program, 8, 5], right,
                          {"TUTTI_YOUNG": 0}, limit=60)


def young(run):
    probe = Probe(run, "young")
    program, made = run.program("young.c"), run.program("communicators.c")
    on = {"TUTTI_YOUNG": ""}  # as where nobody says a word

    def right(result):
        expect(not result.told, f"it tells: {result.told}")
        expect("wrong" not in result.output, result.output)

    def first_calls(result):
        right(result)
        expect(of_young(result, "barrier") == EMPTY, f"{of_young(result, 'barrier')} barriers")
        expect(result.calls(collective="barrier") == 200, "not 200 barriers")
        expect(of_young(result, "allreduce") == SMALL, f"{of_young(result, 'allreduce')} allreduces")
        expect(of_young(result, "bcast", bytes_at_most=1 << 20) == 0, "broadcasts of 1 MB are young")
        for collective in ("barrier", "allreduce", "bcast"):
            ours = [row for row in result.rows if row["collective"] == collective and row["ranks"] > 1
                    and row["why"].startswith("model: ")]
            expect(ours, f"{collective}: nothing was prepared")

    def five(result):
        right(result)
        expect(of_young(result, "barrier") == 5, f"{of_young(result, 'barrier')} barriers, not 5")

    def none(result):
        right(result)
        expect(all(row["algorithm"] != "native" for row in result.rows), f"{result.rows}")

    def forced(result):
        none_of(result, "allreduce")

    def none_of(result, collective):
        right(result)
        expect(of_young(result, collective) == 0, f"{collective} was asked for by name, and is young")
        expect(result.calls(collective=collective, algorithm="recursive_doubling") == 200,
               "what was forced did not run")

    def nothing_made(result):
        right(result)
        expect(of_young(result, "allreduce") == 10, "not all calls are young")

    ranks = (2, 3, 4) if run.mpi == "openmpi" else (2,)
    for p in ranks:
        probe.drop_in("first calls go to the MPI", p, [program], first_calls, on)
    probe.drop_in("TUTTI_YOUNG=16", 2, [program], five, {"TUTTI_YOUNG": 16})
    probe.drop_in("TUTTI_YOUNG=0", 2, [program], none, {"TUTTI_YOUNG": 0})
    probe.drop_in("what is forced is never young", 2, [program], forced,
                  on | {"TUTTI_ALGORITHM_ALLREDUCE": "recursive_doubling"})
    # They would be too many if any of them had a private one.
    probe.drop_in("a communicator that is used once has no other behind it", 2, [made], nothing_made,
                  on | {"TUTTI_COMMUNICATORS": 1})
    for how in ({"TUTTI_CHECK": 1}, {"TUTTI_LEARN": "on", "TUTTI_PROFILE": ""},
                {"TUTTI_TOPOLOGY": "2x1"}, {"TUTTI_TRACE": run.work / "young.trace.json"}):
        probe.drop_in(" ".join(f"{k}={getattr(v, 'name', v)}" for k, v in how.items()), 2, [program],
                      right, on | how)
    made_and_freed(run, probe, ranks)
    made_by_threads(run, probe, ranks)
    differential, catalogue = run.program("differential.cpp"), run.catalogue()
    iterations = 400 if run.quick else 2000
    for p in ranks:
        run.launch(f"young: differential, {iterations} calls", p,
                   ["env", "TUTTI_YOUNG=32", "TUTTI_LEARN=on", differential, "--algorithms", catalogue,
                    "--seed", p, "--iterations", iterations], 1800)
