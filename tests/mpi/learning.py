"""Algorithms take turns in a program's first calls, and the best stays.

A kind of test for run.py, which hands itself over as `run`.
"""

import json
import os
import shutil

from settings import Probe, expect

REPEATED = {"allreduce", "bcast", "alltoall", "barrier"}


def whys(result, collective):
    return [row["why"] for row in result.rows if row["collective"] == collective]


def learning(run):
    probe = Probe(run, "learning")
    program = run.program("repeats.c")
    ranks = (2, 4) if run.mpi == "openmpi" else (2,)

    def right(result):
        expect(not result.told, f"it tells: {result.told}")
        expect("wrong" not in result.output, result.output)

    def learned(result):
        right(result)
        expect("differ" not in result.output, "sums of doubles are not always the same")
        for collective in ("bcast", "alltoall", "barrier"):
            found = whys(result, collective)
            expect(any(why.startswith("learning: takes turns with ") for why in found), f"{found}")
            expect(result.calls(collective=collective, algorithm="native") > 0,
                   f"{collective}: the MPI's own never had its turn")
        # A disturbed agreement makes laps wait, of one collective or another.
        expect(any(row["why"].startswith("learned: ") for row in result.rows), "nothing was learned")
        # Nobody knows in which order the MPI adds doubles.
        expect(all(row["bytes_at_most"] < 8000 for row in result.rows if
                   row["collective"] == "allreduce" and row["algorithm"] == "native"),
               "the MPI's own added doubles")

    def not_learned(result):
        right(result)
        expect(all(why.startswith("model: ") for row in result.rows for why in [row["why"]]),
               f"{[row['why'] for row in result.rows]}")

    def any_order(result):
        right(result)
        expect(result.calls(collective="allreduce", algorithm="native", bytes_at_most=8192) > 0,
               "the MPI's own never added doubles")

    for p in ranks:
        probe.drop_in("the best stays", p, [program], learned, {"TUTTI_LEARN": "on"})
        probe.drop_in("so it does if nobody says a word", p, [program], learned, {"TUTTI_LEARN": ""})
        probe.drop_in("TUTTI_LEARN=off", p, [program], not_learned, {"TUTTI_LEARN": "off"})
        probe.drop_in("TUTTI_LEARN=any", p, [program], any_order, {"TUTTI_LEARN": "any"})
    alive_together(run, probe)
    kept(run, probe, program, right)

    differential, catalogue = run.program("differential.cpp"), run.catalogue()
    iterations = 400 if run.quick else 2000
    for p in ranks:
        for how in ("on", "any"):
            run.launch(f"learning: differential, {iterations} calls, TUTTI_LEARN={how}", p,
                       ["env", f"TUTTI_LEARN={how}", differential, "--algorithms", catalogue,
                        "--seed", p, "--iterations", iterations], 1800)
        # As whoever loads the library and says nothing: a first guess, then learning.
        nothing = run.work / "no configuration"
        run.launch(f"learning: differential, {iterations} calls, nothing said", p,
                   ["env", "-u", "TUTTI_LEARN", "-u", "TUTTI_PROFILE", f"XDG_CONFIG_HOME={nothing}",
                    f"XDG_CACHE_HOME={nothing}", differential, "--algorithms", catalogue, "--seed", p,
                    "--iterations", iterations], 1800)


def alive_together(run, probe):
    """What one communicator has learned serves another that lives alike, even if only some of its ranks know."""
    record = run.work / f"alive-{os.getpid()}.json"

    def known(result):
        expect("wrong" not in result.output, result.output)
        found = json.loads(record.read_text())
        whys_of = {}
        for row in found["rows"]:
            name = found["communicators"][row["communicator"]]["name"]
            whys_of.setdefault((name, row["collective"]), []).append(row["why"])
        settled = [collective for (name, collective), whys in whys_of.items()
                   if name == "first" and any(why.startswith("learned: ") for why in whys)]
        expect(settled, f"nothing was learned: {whys_of}")
        for collective in settled:
            expect(all(why.startswith("learned: ") for why in whys_of["next", collective]),
                   f"{collective} learns anew: {whys_of['next', collective]}")

    for p in (2, 3) if run.mpi == "openmpi" else (2,):
        probe.drop_in("what one has learned, others know", p, [run.program("alive_together.c")], known,
                      {"TUTTI_LEARN": "on", "TUTTI_YOUNG": 0, "TUTTI_RECORD": record})
        record.unlink(missing_ok=True)


def kept(run, probe, program, right):
    """What is learned in one run is known in the next."""
    cache = run.work / f"cache-{os.getpid()}"
    config = run.work / "no configuration"
    config.mkdir(exist_ok=True)
    variables = {"TUTTI_PROFILE": "", "TUTTI_LEARN": "on", "XDG_CACHE_HOME": cache,
                 "XDG_CONFIG_HOME": config}

    def nothing(result):
        right(result)
        expect(not cache.exists(), "something was stored")

    def stored(result):
        right(result)
        files = list((cache / "tutti").iterdir())
        expect(len(files) == 1 and files[0].suffix == ".json", f"{files}")
        profile = json.loads(files[0].read_text())
        expect(profile["name"] == "learned", profile["name"])
        # Which of them are fixed by the end depends on the times of their calls.
        found = {row["collective"] for row in profile["decisions"]}
        expect(found and found <= REPEATED, f"{profile['decisions']}")
        expect(all(row["topology"] == "1x2" for row in profile["decisions"]), "not 1x2")

    def known(result):
        right(result)
        expect(any(row["why"].startswith("profile, measured ") for row in result.rows),
               f"{[row['why'] for row in result.rows]}")

    def damaged(result):
        path = next((cache / "tutti").iterdir())
        expect(result.told == [f"tutti: profile {path}: not JSON at byte 1; compare with a file in "
                               "profiles/: it is not used"], f"{result.told}")

    probe.drop_in("nothing is kept unless it is allowed", 2, [program], nothing, variables)
    if probe.drop_in("kept", 2, [program], stored, variables | {"TUTTI_LEARN": "keep"}):
        probe.drop_in("known in the next run", 2, [program], known, variables)
        probe.drop_in("kept again: nothing is lost", 2, [program], lambda r: (known(r), stored(r)),
                      variables | {"TUTTI_LEARN": "keep"})
        next((cache / "tutti").iterdir()).write_text("x")
        probe.drop_in("damaged: told, not used", 2, [program], damaged, variables)
    shutil.rmtree(cache, ignore_errors=True)
