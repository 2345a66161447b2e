/**
 * @file
 * The C interface: MPI's blocking collectives by name, run through Tutti's schedules.
 *
 * Each `tutti_x` takes the arguments of `MPI_X`, means the same and fails the same: an error is
 * raised on the caller's communicator, with the error class that the MPI itself would give. What
 * Tutti does not do (an intercommunicator, say) goes to the MPI and counts as `native`.
 *
 * @code
 * #include <tutti/tutti.h>
 *
 * double mine = work(), sum;
 * tutti_force("allreduce", "recursive_doubling");  // optional: Tutti chooses if nobody does
 * tutti_allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
 * @endcode
 *
 * The functions may be called between MPI_Init and MPI_Finalize; no other set-up is needed.
 */
#ifndef TUTTI_TUTTI_H
#define TUTTI_TUTTI_H

#include <mpi.h>
#include <tutti/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @name The blocking collectives, as MPI defines them. */
/** @{ */
/** Means what MPI's function of this name means, with its arguments and its errors. */
int tutti_barrier(MPI_Comm comm);
int tutti_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

int tutti_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int tutti_scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                   MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm);
int tutti_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int tutti_gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                  MPI_Comm comm);
int tutti_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int tutti_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                     MPI_Comm comm);

int tutti_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 int root, MPI_Comm comm);
int tutti_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm);
int tutti_reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int tutti_reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

int tutti_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int tutti_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                    MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int tutti_alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                    const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                    const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);

int tutti_scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm);
int tutti_exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm);
/** @} */

#if MPI_VERSION >= 4
/** @name The same with large counts, where the MPI has them. */
/** @{ */
/** As without `_c`, with counts of type MPI_Count and offsets of type MPI_Aint. */
int tutti_bcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm);

int tutti_scatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int tutti_scatterv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                     MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm);
int tutti_gather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int tutti_gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                    int root, MPI_Comm comm);
int tutti_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int tutti_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                       MPI_Datatype recvtype, MPI_Comm comm);

int tutti_reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Op op, int root, MPI_Comm comm);
int tutti_allreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm);
int tutti_reduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int tutti_reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

int tutti_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int tutti_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int tutti_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);

int tutti_scan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                 MPI_Op op, MPI_Comm comm);
int tutti_exscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm);
/** @} */
#endif

/**
 * A collective call that was prepared: started, waited for, started again.
 *
 * Tutti has no hidden thread: an operation moves while a rank is in a call that Tutti does (any of
 * them moves all operations of the process), not while it computes or waits in the MPI, be it in
 * a collective that was left to the MPI.
 */
typedef struct tutti_operation_s* tutti_operation;

/** @name Preparing a collective. Buffers, datatypes and operators must live until the operation is
 *  freed. Like the call itself, preparing is collective. */
/** @{ */
/** As the call without `_init`; what it would do, `operation` does each time it is started. */
int tutti_barrier_init(MPI_Comm comm, tutti_operation* operation);
int tutti_bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                     tutti_operation* operation);

int tutti_scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                       tutti_operation* operation);
int tutti_scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[],
                        MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                        int root, MPI_Comm comm, tutti_operation* operation);
int tutti_gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                      tutti_operation* operation);
int tutti_gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                       MPI_Comm comm, tutti_operation* operation);
int tutti_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                         tutti_operation* operation);
int tutti_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          MPI_Comm comm, tutti_operation* operation);

int tutti_reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, int root, MPI_Comm comm, tutti_operation* operation);
int tutti_allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm, tutti_operation* operation);
int tutti_reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[],
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                              tutti_operation* operation);
int tutti_reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount,
                                    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                    tutti_operation* operation);

int tutti_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                        tutti_operation* operation);
int tutti_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                         MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                         const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                         tutti_operation* operation);
int tutti_alltoallw_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                         const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                         const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                         tutti_operation* operation);

int tutti_scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, tutti_operation* operation);
int tutti_exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, tutti_operation* operation);
/** @} */

/** @name Running what was prepared. Errors are returned, not raised: the communicator of the call
 *  may be gone. */
/** @{ */
/** Starts an operation that is not under way. */
int tutti_start(tutti_operation operation);
/** Moves all operations; `done` tells whether this one is. */
int tutti_test(tutti_operation operation, int* done);
/** Waits until an operation is done, and says how it ended. */
int tutti_wait(tutti_operation operation);
/** Waits if need be, frees the operation and sets the handle to NULL. */
int tutti_free(tutti_operation* operation);
/** @} */

/**
 * The number of an algorithm, for tutti_use_next().
 *
 * @param text    `allreduce/ring`, `bcast/chain:segment=32K`, `native`: the MPI's own; NULL or "":
 *                none, number 0
 * @param number  gets it
 * @return MPI_SUCCESS, or MPI_ERR_ARG if there is no such algorithm
 */
int tutti_algorithm(const char* text, int* number);

/**
 * The next collective that this thread calls or prepares uses this algorithm, whatever was forced.
 * If it cannot, the call fails. All ranks of its communicator must say the same.
 */
int tutti_use_next(int number);

/**
 * Forces the algorithm of every later call of a collective in this process. All ranks of a
 * communicator must force the same.
 *
 * @param collective  its name without prefix: `allreduce`
 * @param algorithm   a name of the catalogue, with parameters if wanted: `ring`,
 *                    `chain:segment=32K`; `native` hands the collective to the MPI; NULL or ""
 *                    lets Tutti choose again
 * @return MPI_SUCCESS, or MPI_ERR_ARG if there is no such collective or algorithm. Nothing is
 *         forced then.
 */
int tutti_force(const char* collective, const char* algorithm);

/**
 * Stops recording what TUTTI_TRACE asks for, or goes on: a trace of what counts is shorter. To be
 * called on all ranks between the same collectives; without TUTTI_TRACE it does nothing.
 *
 * @param on  0: stop; else: go on, as at the start
 * @return MPI_SUCCESS
 */
int tutti_trace(int on);

/**
 * How many calls of a collective this process ran with an algorithm, however it was chosen and
 * whichever its parameters.
 *
 * @param collective  `allreduce`
 * @param algorithm   `ring`, without parameters; `native` for calls handed to the MPI
 * @param calls       gets the number
 * @return MPI_SUCCESS, or MPI_ERR_ARG if there is no such collective or algorithm
 */
int tutti_count(const char* collective, const char* algorithm, unsigned long long* calls);

/** How messages within a node travel. The texts stay. */
typedef struct {
  const char* way; /**< `shared`, `attach`, `copy` or `off`, as TUTTI_NODE means them */
  const char* why; /**< why it is not `shared`; else empty */
  int sleeps;      /**< 1: on some node ranks outnumber cores, and who waits sleeps */
  double reading;  /**< what to read in another rank's memory takes, in copies; 1 if not `shared` */
} tutti_node_transport;

/**
 * What Tutti sees of a communicator's nodes. Collective: all ranks get the same. The communicator
 * is prepared for algorithms, as it else is when calls have come often enough (TUTTI_YOUNG).
 *
 * @param comm       the communicator
 * @param nodes      gets each rank's node, numbered from 0 as they first appear; what
 *                   TUTTI_TOPOLOGY pretends, if it does
 * @param domains    gets each rank's domain there, a cache or near memory that it is bound to; 0
 *                   where none are known. NULL: nobody asks
 * @param transport  gets how messages within a node travel
 * @return MPI_SUCCESS, or MPI_ERR_COMM if it is no communicator, or one between two groups
 */
int tutti_topology(MPI_Comm comm, int nodes[], int domains[], tutti_node_transport* transport);

/**
 * Lays a logical grid on a physical mesh or torus of as many places, so that neighbours in its
 * lines are near each other: lines of the grid lie on lines of the network where the shapes allow
 * it, or are folded over several of its dimensions. Local; places are numbered row by row.
 *
 * @param physical_dims  number of physical dimensions
 * @param physical       their sizes
 * @param torus          not 0: the ends of each are joined
 * @param logical_dims   number of logical dimensions
 * @param logical        their sizes
 * @param places         gets the physical place of each logical one
 * @param largest_hop    gets the most links between neighbours in a line of the grid
 * @param closing_hop    gets the most links from the end of a line to its beginning
 * @return MPI_SUCCESS, or MPI_ERR_DIMS if they do not have as many places or a size is below 1
 */
int tutti_placement(int physical_dims, const int physical[], int torus, int logical_dims,
                    const int logical[], int places[], int* largest_hop, int* closing_hop);

#ifdef __cplusplus
}
#endif

#endif
