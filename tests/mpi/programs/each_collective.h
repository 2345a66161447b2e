/* Every collective once, on ints, each checked. The file that includes this says in which form:
 * CALL(Name, name, arguments) calls MPI's function, and ends with the result there; ONES, PLACES
 * and BYTES are lists of the type that the form takes; BARRIER, if it has one. */

PREPARE();
#ifdef BARRIER
CALL(Barrier, barrier, world);
#endif
if (rank == root) one = 42;
CALL(Bcast, bcast, &one, 1, MPI_INT, root, world);
check("bcast", one == 42);
PREPARE();
CALL(Scatter, scatter, mine, 1, MPI_INT, &one, 1, MPI_INT, root, world);
check("scatter", one == 100 * root + rank);
PREPARE();
CALL(Scatterv, scatterv, mine, ONES, PLACES, MPI_INT, &one, 1, MPI_INT, root, world);
check("scatterv", one == 100 * root + rank);
PREPARE();
CALL(Gather, gather, mine, 1, MPI_INT, all, 1, MPI_INT, root, world);
if (rank == root) CHECK_ALL("gather", 100 * i);
PREPARE();
CALL(Gatherv, gatherv, mine, 1, MPI_INT, all, ONES, PLACES, MPI_INT, root, world);
if (rank == root) CHECK_ALL("gatherv", 100 * i);
PREPARE();
CALL(Allgather, allgather, mine, 1, MPI_INT, all, 1, MPI_INT, world);
CHECK_ALL("allgather", 100 * i);
PREPARE();
CALL(Allgatherv, allgatherv, mine, 1, MPI_INT, all, ONES, PLACES, MPI_INT, world);
CHECK_ALL("allgatherv", 100 * i);
PREPARE();
CALL(Reduce, reduce, mine, all, p, MPI_INT, MPI_SUM, root, world);
if (rank == root) CHECK_ALL("reduce", 100 * total + p * i);
PREPARE();
CALL(Allreduce, allreduce, mine, all, p, MPI_INT, MPI_SUM, world);
CHECK_ALL("allreduce", 100 * total + p * i);
PREPARE();
CALL(Reduce_scatter, reduce_scatter, mine, &one, ONES, MPI_INT, MPI_SUM, world);
check("reduce_scatter", one == 100 * total + p * rank);
PREPARE();
CALL(Reduce_scatter_block, reduce_scatter_block, mine, &one, 1, MPI_INT, MPI_SUM, world);
check("reduce_scatter_block", one == 100 * total + p * rank);
PREPARE();
CALL(Alltoall, alltoall, mine, 1, MPI_INT, all, 1, MPI_INT, world);
CHECK_ALL("alltoall", 100 * i + rank);
PREPARE();
CALL(Alltoallv, alltoallv, mine, ONES, PLACES, MPI_INT, all, ONES, PLACES, MPI_INT, world);
CHECK_ALL("alltoallv", 100 * i + rank);
PREPARE();
CALL(Alltoallw, alltoallw, mine, ONES, BYTES, types, all, ONES, BYTES, types, world);
CHECK_ALL("alltoallw", 100 * i + rank);
PREPARE();
CALL(Scan, scan, mine, all, p, MPI_INT, MPI_SUM, world);
CHECK_ALL("scan", 50 * rank * (rank + 1) + (rank + 1) * i);
PREPARE();
CALL(Exscan, exscan, mine, all, p, MPI_INT, MPI_SUM, world);
CHECK_ALL("exscan", rank == 0 ? -1 : 50 * rank * (rank - 1) + rank * i);
