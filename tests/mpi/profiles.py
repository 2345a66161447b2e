"""What a profile does at run time: where it is found, who reads it, what its decisions do.

A kind of test for run.py, which hands itself over as `run`.
"""

import json

from settings import Probe, calls_of_collectives_c, expect

NOMINAL = {"name": "of a test", "source": "none", "alpha_us": 1.5, "beta_ns_per_byte": 0.1,
           "alpha_uni_us": 1.4, "beta_uni_ns_per_byte": 0.1, "gamma_ns_per_byte": 0.2}


def decision(algorithm, start=0, us=31, measured=True):
    return {"from": start, "algorithm": algorithm, "us": us, "measured": measured}


def exotic(p):
    """A profile with decisions that the model would not make.

    None is native for reduce: MPICH 4.0 itself crashes where a root other than 0 reduces 2 KB or
    more in place on one node.
    """
    choices = {"allreduce": [decision("native"), decision("ring", 64, 420, False)],
               "reduce": [decision("chain:segment=16"), decision("linear", 200)],
               "bcast": [decision("chain:segment=8"), decision("native", 4096)],
               "allgather": [decision("native"), decision("linear", 100)],
               "alltoall": [decision("pairwise"), decision("native", 1000)],
               "barrier": [decision("linear")], "alltoallv": [decision("native")],
               "reduce_scatter": [decision("pairwise")], "scan": [decision("native")],
               "gatherv": [decision("linear")], "exscan": [decision("linear")]}
    return NOMINAL | {"decisions": [{"collective": collective, "topology": f"1x{p}", "choices": each}
                                    for collective, each in choices.items()]}


def file_with(run, name, profile):
    """A file in a folder of its own, as a user's configuration has it."""
    path = run.work / name / "tutti" / "profile.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(profile if isinstance(profile, str) else json.dumps(profile))
    return path


def here(run, probe):
    """What a profile that was measured here says about that: told by a foreign one's refusal."""
    found = {}
    for field, wrong in {"mpi": "MPI 0", "processor": "abacus", "cores": 1000000}.items():
        profile = NOMINAL | {"measured_on": {"mpi": "MPI 0", "processor": "abacus",
                                             "cores": 1000000} | found}
        path = file_with(run, f"foreign-{field}", profile)

        def judge(result):
            begin = f"tutti: TUTTI_PROFILE: profile {path}: field \"measured_on.{field}\" is {wrong}, but here it is "
            end = "; name one of this machine"
            expect(len(result.told) == 1 and result.told[0].startswith(begin)
                   and result.told[0].endswith(end), f"{result.told}")
            text = result.told[0].removeprefix(begin).removesuffix(end)
            found[field] = int(text) if field == "cores" else text

        probe.drop_in(f"another {field}, named: refused", 2, [run.program("collectives.c")], judge,
                      {"TUTTI_PROFILE": path}, fails=True)
    return found


def rates_decide(run, probe, off):
    """Operators by their own gammas, and broadcasts by the links of a mesh."""
    slow = NOMINAL | {"alpha_us": 100, "alpha_uni_us": 100, "gamma_ns_per_byte": 0}
    program = [run.program("choices.c")]

    def takes(collective, algorithms):
        def judge(result):
            found = {row["algorithm"].split(":")[0] for row in result.rows
                     if row["collective"] == collective and row["bytes_at_most"] >= 8192}
            expect(found == algorithms, f"{collective}: {found}, not {algorithms}")
        return judge

    def with_profile(name, profile, judge):
        path = file_with(run, name, profile)
        probe.drop_in(name, 8, program, judge,
                      off | {"TUTTI_PROFILE": path, "TUTTI_TOPOLOGY": "8x1", "TUTTI_NODE": "off"})

    with_profile("operators that cost the same are chosen alike", slow,
                 takes("allreduce", {"recursive_doubling"}))
    with_profile("an operator that costs more is chosen for by itself",
                 slow | {"gammas": {"extreme_double": 1000}},
                 takes("allreduce", {"recursive_doubling", "rabenseifner"}))
    links = NOMINAL | {"alpha_us": 70, "alpha_uni_us": 70, "beta_ns_per_byte": 6,
                       "beta_uni_ns_per_byte": 6}
    with_profile("all equally near: a broadcast by circulant graphs", links,
                 takes("bcast", {"circulant"}))
    with_profile("on a line of nodes: a broadcast without conflicts", links | {"mesh": "8"},
                 takes("bcast", {"chain"}))


def profiles(run):
    probe = Probe(run, "profile")
    program = run.program("collectives.c")
    calls = calls_of_collectives_c(run)
    off = {"TUTTI_PROFILE": "", "TUTTI_LEARN": "off"}
    table = file_with(run, "exotic", exotic(2))

    def obeyed(result):
        expect(not result.told, f"it tells: {result.told}")
        for collective, algorithm in (("allreduce", "native"), ("bcast", "chain"),
                                      ("alltoallv", "native"), ("exscan", "linear")):
            expect(result.calls(collective=collective, algorithm=algorithm, ranks=2,
                                why="profile, measured 31 us") == calls[collective],
                   f"{collective}: {[r for r in result.rows if r['collective'] == collective]}")

    def model(result):
        expect(all(row["why"].startswith("model: ") for row in result.rows),
               f"{[row['why'] for row in result.rows]}")

    probe.drop_in("named, decisions are obeyed", 2, [program], obeyed,
                  off | {"TUTTI_PROFILE": table})
    probe.drop_in("found in the user's configuration", 2, [program], obeyed,
                  off | {"XDG_CONFIG_HOME": table.parent.parent})
    home = file_with(run, "home/.config", exotic(2)).parent.parent.parent
    probe.drop_in("found in the user's home", 2, [program], obeyed,
                  off | {"XDG_CONFIG_HOME": "", "HOME": home})
    probe.drop_in("none is looked for", 2, [program], model,
                  off | {"TUTTI_PROFILE": "none", "XDG_CONFIG_HOME": table.parent.parent})
    probe.drop_in("a shipped one by name", 2, [program], model,
                  off | {"TUTTI_PROFILE": "gigabit-ethernet"})
    if run.mpi == "openmpi":
        probe.drop_in("decisions are for their topology alone", 3, [program], model,
                      off | {"TUTTI_PROFILE": table})

    # Files differ from node to node: one rank reads, and all do as it says.
    broken = file_with(run, "broken", "{")
    each = [run.words(1, [program], run.drop_in(TUTTI_EXPLAIN=probe.explained) | off |
                      {"XDG_CONFIG_HOME": folder})
            for folder in (table.parent.parent, broken.parent.parent)]
    probe.launch("only the first rank reads", 2, [*each[0], ":", *each[1]], obeyed)

    def says(line):
        return lambda result: expect(result.told == [f"tutti: {line}"], f"it tells: {result.told}")

    text = json.dumps(NOMINAL)
    for what, content, fault in (
            ("truncated", text[:-9], f"not JSON at byte {len(text) - 8}; compare with a file in profiles/"),
            ("without beta", json.dumps({k: v for k, v in NOMINAL.items() if k != "beta_ns_per_byte"}),
             'field "beta_ns_per_byte" is missing; add it'),
            ("with an unknown algorithm", json.dumps(NOMINAL | {"decisions": [
                {"collective": "scan", "topology": "1x2", "choices": [decision("lniear")]}]}),
             'field "decisions[0].choices[0].algorithm": unknown algorithm \'scan/lniear\': '
             "did you mean 'scan/linear'? (tutti list scan)")):
        path = file_with(run, f"damaged {what}", content)
        probe.drop_in(f"named, {what}: refused", 2, [program],
                      says(f"TUTTI_PROFILE: profile {path}: {fault}"),
                      off | {"TUTTI_PROFILE": path}, fails=True)
        probe.drop_in(f"found, {what}: refused", 2, [program], says(f"profile {path}: {fault}"),
                      off | {"XDG_CONFIG_HOME": path.parent.parent}, fails=True)
    probe.drop_in("named, but not there", 2, [program],
                  says("TUTTI_PROFILE: no file and no shipped profile 'fabric-10g': "
                       "did you mean 'fabric-100g'?"), off | {"TUTTI_PROFILE": "fabric-10g"}, fails=True)
    probe.drop_in("named, but a folder", 2, [program],
                  says(f"TUTTI_PROFILE: profile {broken.parent}: cannot be read; give the path of a "
                       "JSON file, or none"), off | {"TUTTI_PROFILE": broken.parent}, fails=True)

    measured_here = here(run, probe)
    path = file_with(run, "measured here", exotic(2) | {"measured_on": measured_here})
    probe.drop_in("measured here", 2, [program], obeyed, off | {"TUTTI_PROFILE": path})
    path = file_with(run, "measured elsewhere", exotic(2) | {"measured_on": measured_here | {"mpi": "MPI 0"}})

    def told(result):
        says(f'profile {path}: field "measured_on.mpi" is MPI 0, but here it is '
             f'{measured_here["mpi"]}: it is not used; name one of this machine')(result)
        model(result)

    probe.drop_in("found, but measured elsewhere: told once, not used", 2, [program], told,
                  off | {"XDG_CONFIG_HOME": path.parent.parent})

    if run.mpi == "openmpi":
        rates_decide(run, probe, off)

    # What decisions say is right, for all forms of a call.
    differential, catalogue = run.program("differential.cpp"), run.catalogue()
    iterations = 200 if run.quick else 1000
    for p in (2, 4) if run.mpi == "openmpi" else (2,):
        path = file_with(run, f"exotic-{p}", exotic(p))
        run.launch(f"profile: differential, {iterations} calls, strange decisions", p,
                   ["env", f"TUTTI_PROFILE={path}", differential, "--algorithms", catalogue, "--seed",
                    p, "--iterations", iterations], 1800)
