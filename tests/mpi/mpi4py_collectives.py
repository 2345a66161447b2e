"""Every collective that mpi4py offers, pickled and buffer forms, each checked.

    mpirun -n 4 python3 mpi4py_collectives.py

Exits with 1 if a result is wrong. Needs nothing but mpi4py.
"""

import sys
from array import array

from mpi4py import MPI

WRONG = []


def check(name, holds):
    if not holds:
        WRONG.append(name)
        print(f"{name} is wrong on rank {MPI.COMM_WORLD.rank}", flush=True)


def ints(values):
    return array("i", values)


def blank(count):
    return array("i", [-1] * count)


def pickled(comm):
    p, r = comm.size, comm.rank
    root = p - 1
    objects = [{"from": r, "to": i, "text": "x" * 50 * i} for i in range(p)]

    comm.barrier()
    check("bcast", comm.bcast(objects if r == root else None, root)[0]["from"] == root)
    check("scatter", comm.scatter(objects if r == root else None, root)
          == {"from": root, "to": r, "text": "x" * 50 * r})
    gathered = comm.gather((r, "y" * r), root)
    check("gather", gathered == ([(i, "y" * i) for i in range(p)] if r == root else None))
    check("allgather", comm.allgather([r]) == [[i] for i in range(p)])
    check("alltoall", [x["from"] for x in comm.alltoall(objects)] == list(range(p)))
    total = comm.reduce([r], MPI.SUM, root)
    check("reduce", total == (list(range(p)) if r == root else None))
    check("allreduce", comm.allreduce((r, str(r)), MPI.MAX) == max((i, str(i)) for i in range(p)))
    # Joining lists does not commute: the order of the ranks must show.
    check("scan", comm.scan([r], MPI.SUM) == list(range(r + 1)))
    check("exscan", comm.exscan([r], MPI.SUM) == (list(range(r)) if r else None))


def buffers(comm, n):
    p, r = comm.size, comm.rank
    root = p // 2
    mine = ints(1000 * r + i % 100 for i in range(n))
    blocks = ints(1000 * r + b for b in range(p) for _ in range(n))
    counts = [i % 3 * n for i in range(p)]
    places = [sum(counts[:i]) + i for i in range(p)]
    room = sum(counts) + p

    def block(rank):
        return ints(1000 * rank + i % 100 for i in range(n))

    comm.Barrier()
    data = mine[:] if r == root else blank(n)
    comm.Bcast([data, MPI.INT], root)
    check("Bcast", data == block(root))

    got = blank(n)
    comm.Scatter([blocks, MPI.INT] if r == root else None, [got, MPI.INT], root)
    check("Scatter", got == ints([1000 * root + r] * n))
    got = blank(counts[r])
    source = ints(range(room))
    comm.Scatterv([source, counts, places, MPI.INT] if r == root else None, [got, MPI.INT], root)
    check("Scatterv", got == source[places[r]:places[r] + counts[r]])

    got = blank(n * p)
    comm.Gather([mine, MPI.INT], [got, MPI.INT] if r == root else None, root)
    check("Gather", r != root or all(got[i * n:(i + 1) * n] == block(i) for i in range(p)))
    part = ints([r] * counts[r])
    spread = blank(room)
    for i in range(p):
        spread[places[i]:places[i] + counts[i]] = ints([i] * counts[i])
    got = blank(room)
    comm.Gatherv([part, MPI.INT], [got, counts, places, MPI.INT] if r == root else None, root)
    check("Gatherv", r != root or got == spread)
    got = blank(n * p)
    comm.Allgather([mine, MPI.INT], [got, MPI.INT])
    check("Allgather", all(got[i * n:(i + 1) * n] == block(i) for i in range(p)))
    got = blank(n * p)
    got[r * n:(r + 1) * n] = mine
    comm.Allgather(MPI.IN_PLACE, [got, MPI.INT])
    check("Allgather in place", all(got[i * n:(i + 1) * n] == block(i) for i in range(p)))
    got = blank(room)
    comm.Allgatherv([part, MPI.INT], [got, counts, places, MPI.INT])
    check("Allgatherv", got == spread)

    transposed = ints(1000 * i + r for i in range(p) for _ in range(n))
    got = blank(n * p)
    comm.Alltoall([blocks, MPI.INT], [got, MPI.INT])
    check("Alltoall", got == transposed)
    even, starts = [n] * p, [n * i for i in range(p)]
    got = blank(n * p)
    comm.Alltoallv([blocks, even, starts, MPI.INT], [got, even, starts, MPI.INT])
    check("Alltoallv", got == transposed)
    got = blank(n * p)
    offsets = [4 * x for x in starts]
    comm.Alltoallw([blocks, even, offsets, [MPI.INT] * p], [got, even, offsets, [MPI.INT] * p])
    check("Alltoallw", got == transposed)

    ranks = sum(range(p))
    sums = ints(1000 * ranks + p * (i % 100) for i in range(n))
    got = blank(n)
    comm.Reduce([mine, MPI.INT], [got, MPI.INT] if r == root else None, MPI.SUM, root)
    check("Reduce", r != root or got == sums)
    got = blank(n)
    comm.Allreduce([mine, MPI.INT], [got, MPI.INT], MPI.SUM)
    check("Allreduce", got == sums)
    got = mine[:]
    comm.Allreduce(MPI.IN_PLACE, [got, MPI.INT], MPI.SUM)
    check("Allreduce in place", got == sums)
    floats = array("d", [0.5 * r] * n)
    most = array("d", [-1.0] * n)
    comm.Allreduce([floats, MPI.DOUBLE], [most, MPI.DOUBLE], MPI.MAX)
    check("Allreduce of doubles", most == array("d", [0.5 * (p - 1)] * n))
    got = blank(n)
    comm.Reduce_scatter_block([blocks, MPI.INT], [got, MPI.INT], MPI.SUM)
    check("Reduce_scatter_block", got == ints([1000 * ranks + p * r] * n))
    got = blank(counts[r])
    comm.Reduce_scatter([ints([r] * sum(counts)), MPI.INT], [got, MPI.INT], counts, MPI.SUM)
    check("Reduce_scatter", got == ints([ranks] * counts[r]))
    got = blank(n)
    comm.Scan([mine, MPI.INT], [got, MPI.INT], MPI.SUM)
    check("Scan", got == ints(500 * r * (r + 1) + (r + 1) * (i % 100) for i in range(n)))
    got = blank(n)
    comm.Exscan([mine, MPI.INT], [got, MPI.INT], MPI.SUM)
    check("Exscan", got == ints(500 * r * (r - 1) + r * (i % 100) if r else -1 for i in range(n)))

    def larger(a, b, _):
        left, right = memoryview(a).cast("i"), memoryview(b).cast("i")
        for i, x in enumerate(left):
            right[i] = max(x, right[i])

    op = MPI.Op.Create(larger, commute=True)
    got = blank(n)
    comm.Allreduce([mine, MPI.INT], [got, MPI.INT], op)
    op.Free()
    check("Allreduce with a function", got == block(p - 1))


def nonblocking(comm):
    """The MPI's own, but it must work beside Tutti's."""
    p, r = comm.size, comm.rank
    comm.Ibarrier().Wait()
    one, got, all_of = ints([r]), blank(1), blank(p)
    request = comm.Iallreduce([one, MPI.INT], [got, MPI.INT], MPI.SUM)
    check("allreduce beside Iallreduce", comm.allreduce(1) == p)
    request.Wait()
    check("Iallreduce", got[0] == sum(range(p)))
    comm.Iallgather([one, MPI.INT], [all_of, MPI.INT]).Wait()
    check("Iallgather", all_of == ints(range(p)))
    comm.Ialltoall([ints([r] * p), MPI.INT], [all_of, MPI.INT]).Wait()
    check("Ialltoall", all_of == ints(range(p)))
    comm.Ibcast([one, MPI.INT], 0).Wait()
    check("Ibcast", one[0] == 0)
    comm.Iscan([ints([1]), MPI.INT], [got, MPI.INT], MPI.SUM).Wait()
    check("Iscan", got[0] == r + 1)


def neighbours(comm):
    p, r = comm.size, comm.rank
    ring = comm.Create_cart([p], periods=[True])
    near = [(r - 1) % p, (r + 1) % p]
    check("neighbor_allgather", ring.neighbor_allgather(r) == near)
    got = blank(2)
    ring.Neighbor_allgather([ints([r]), MPI.INT], [got, MPI.INT])
    check("Neighbor_allgather", list(got) == near)
    check("neighbor_alltoall", [x[0] for x in ring.neighbor_alltoall([(r, 0), (r, 1)])] == near)
    check("allreduce on a ring", ring.allreduce(1) == p)
    ring.Free()


def between_groups(comm):
    p, r = comm.size, comm.rank
    if p < 2:
        return
    low = r < p // 2
    half = comm.Split(0 if low else 1, r)
    inter = half.Create_intercomm(0, comm, p // 2 if low else 0)
    others = list(range(p // 2, p)) if low else list(range(p // 2))
    check("intercommunicator allgather", inter.allgather(r) == others)
    check("intercommunicator allreduce", inter.allreduce(r) == sum(others))
    inter.Free()
    half.Free()


def main():
    world = MPI.COMM_WORLD
    reversed_world = world.Split(0, -world.rank)
    halves = world.Split(world.rank % 2, world.rank)
    for comm in (world, reversed_world, halves, MPI.COMM_SELF):
        pickled(comm)
        for n in (1, 20, 5000):
            buffers(comm, n)
        nonblocking(comm)
        neighbours(comm)
    between_groups(world)
    reversed_world.Free()
    halves.Free()
    wrong = world.allreduce(len(WRONG))
    if world.rank == 0:
        print(f"mpi4py {MPI.Get_library_version().split(',')[0]}: {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
