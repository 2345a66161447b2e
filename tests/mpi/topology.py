"""What `tutti topology` shows of this machine, held against what Python sees of it.

A kind of test for run.py, which hands itself over as `run`.
"""

import json
import os
import re
import socket

from settings import Probe, expect

NAMES = {"openmpi": "Open MPI ", "mpich": "MPICH "}


def topology(run):
    probe = Probe(run, "topology")
    words = [run.build / "bin/tutti", "topology"]
    cpus = sorted(os.sched_getaffinity(0))

    def seen(result):
        try:
            return json.loads(result.output)
        except ValueError as error:
            expect(False, f"no JSON: {error}")

    def whole(result):
        json_ = seen(result)
        expect(json_["mpi"].startswith(NAMES[run.mpi]), f"the MPI is {json_['mpi']}")
        expect((json_["ranks"], json_["topology"], json_["pretended"]) == (3, "1x3", None),
               f"{json_}")
        within = json_["within_a_node"]
        expect(within.pop("reading") > 0.1, "reading takes nothing")
        expect(within == {"way": "shared", "why": "", "sleeps": 3 > os.cpu_count()}, within)
        expect(len(json_["nodes"]) == 1, "not one node")
        node = json_["nodes"][0]
        expect(node["host"] == socket.gethostname(), f"the host is {node['host']}")
        expect(node["outnumbered"] == (3 > node["cpus"]), f"{node['cpus']} cpus")
        expect([each["rank"] for each in node["ranks"]] == [0, 1, 2], "not the ranks")
        for each in node["ranks"]:
            expect(each["cpus"] == cpus, f"rank {each['rank']} may run on {each['cpus']}")
            expect(each["bound"] == (len(cpus) < node["cpus"]), "bound, or not")
            expect(len(each["cores"]) >= 1 and each["packages"] and each["numa_domains"],
                   f"{each}")

    probe.launch("JSON", 3, run.words(3, [*words, "--json"]), whole)

    for name, pair in (("ranks that are bound", (cpus[0], cpus[-1])),
                       ("ranks that are bound to one cpu", (cpus[0], cpus[0]))):
        def bound(result, pair=pair):
            node = seen(result)["nodes"][0]
            for each, cpu in zip(node["ranks"], pair):
                expect(each["cpus"] == [cpu] and len(each["cores"]) == 1,
                       f"not bound to {cpu}: {each}")
                expect(each["bound"] == (node["cpus"] > 1), f"{each}")
            expect(seen(result)["within_a_node"]["sleeps"] == (pair[0] == pair[1]),
                   "not as many sleep as have to")

        pinned = [run.words(1, ["taskset", "-c", cpu, *words, "--json"]) for cpu in pair]
        probe.launch(name, 2, [*pinned[0], ":", *pinned[1]], bound)

    def table(result):
        lines = result.output.splitlines()
        expect(lines[0].startswith(f"3 ranks on 1 node, {NAMES[run.mpi]}"), lines[0])
        rows = [re.split(r"\s{2,}", line) for line in lines[2:4]]
        expect(rows[0] == ["node", "host", "ranks", "package", "NUMA", "cache", "cores", "cpus",
                           "bound"], f"the columns are {rows[0]}")
        expect(rows[1][:3] == ["0", socket.gethostname(), "0-2"], "ranks alike have not one line")
        crowded = [x for x in lines if x.startswith("node 0 has more ranks than cpus: 3 on ")]
        expect(bool(crowded) == (3 > len(cpus)), "it does not tell that ranks outnumber cpus")
        expect(re.search(r"within a node: shared \(through shared memory, large messages (seldom )?read "
                         r"where they stand: a byte takes \d+\.\d copies\)", result.output), "no transport")
        expect("TUTTI_TOPOLOGY" not in result.output, "nothing is pretended")

    probe.launch("table", 3, run.words(3, words), table)

    for way, meaning in (("attach", "through shared memory, large messages read where they stand"),
                         ("copy", "through shared memory, no rank reads"), ("off", "by the MPI")):
        probe.launch(f"TUTTI_NODE={way}", 2, run.words(2, words, {"TUTTI_NODE": way}),
                     lambda r: expect(re.search(fr"within a node: {way} \({meaning}.*\): "
                                                fr"TUTTI_NODE={way}", r.output), "no transport"))

    def pretended(result):
        json_ = seen(result)
        expect((json_["topology"], json_["pretended"]) == ("1x3", "0,1,1"), f"{json_}")

    nodes = {"TUTTI_TOPOLOGY": "5,1,1"}
    probe.launch("what is pretended", 3, run.words(3, [*words, "--json"], nodes), pretended)
    probe.launch("what is pretended, in the table", 3, run.words(3, words, nodes),
                 lambda r: expect("TUTTI_TOPOLOGY pretends 0,1,1 " in r.output, "no word of it"))
    probe.launch("a topology for other ranks", 3, run.words(3, words, {"TUTTI_TOPOLOGY": "2x2"}),
                 lambda r: r.tells_once("'2x2' has 4 ranks, but there are 3"), fails=True)
    probe.launch("one rank", 1, run.words(1, words),
                 lambda r: expect("1 rank on 1 node" in r.output
                                  and "off (by the MPI): no two ranks" in r.output, "not so"))
