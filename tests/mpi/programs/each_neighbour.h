/* Every neighbourhood collective once, like each_collective.h, on a ring: each rank sends to the
 * right and gets from the left. */

PREPARE();
CALL(Neighbor_allgather, neighbor_allgather, mine, 1, MPI_INT, all, 1, MPI_INT, ring);
check("neighbor_allgather", all[0] == 100 * left);
PREPARE();
CALL(Neighbor_allgatherv, neighbor_allgatherv, mine, 1, MPI_INT, all, ONES, PLACES, MPI_INT, ring);
check("neighbor_allgatherv", all[0] == 100 * left);
PREPARE();
CALL(Neighbor_alltoall, neighbor_alltoall, mine, 1, MPI_INT, all, 1, MPI_INT, ring);
check("neighbor_alltoall", all[0] == 100 * left);
PREPARE();
CALL(Neighbor_alltoallv, neighbor_alltoallv, mine, ONES, PLACES, MPI_INT, all, ONES, PLACES,
     MPI_INT, ring);
check("neighbor_alltoallv", all[0] == 100 * left);
PREPARE();
CALL(Neighbor_alltoallw, neighbor_alltoallw, mine, ONES, addresses, types, all, ONES, addresses,
     types, ring);
check("neighbor_alltoallw", all[0] == 100 * left);
