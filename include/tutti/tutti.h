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

#ifdef __cplusplus
extern "C" {
#endif

/** @name The blocking collectives, as MPI defines them. */
/** @{ */
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
 * How many calls of a collective this process ran with an algorithm, however it was chosen and
 * whichever its parameters.
 *
 * @param collective  `allreduce`
 * @param algorithm   `ring`, without parameters; `native` for calls handed to the MPI
 * @param calls       gets the number
 * @return MPI_SUCCESS, or MPI_ERR_ARG if there is no such collective or algorithm
 */
int tutti_count(const char* collective, const char* algorithm, unsigned long long* calls);

#ifdef __cplusplus
}
#endif

#endif
