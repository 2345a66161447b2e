/**
 * @file
 * The collectives of iCC (the InterCom library) and of NX, the message passing of Intel's iPSC,
 * Delta and Paragon, by their own names, run through Tutti's schedules. Link with -ltutti-icc.
 *
 * @code
 * #include <tutti/icc.h>
 *
 * int main(void) {
 *   double x[100] = {...}, work[100];
 *   gdsum(x, 100, work);                    // or iCC_gdsum: the sum over all nodes, on all nodes
 *   iCC_bcast(x, sizeof x, 0);              // from node 0
 * }
 * @endcode
 *
 * A program needs no mpi.h and no MPI_Init: the first call starts the MPI if nobody did, and then
 * the end of the program ends it. So every node must make a call, be it mynode(). Nodes are the
 * ranks of MPI_COMM_WORLD. A wrong call ends the program with a line that says why, as NX does.
 *
 * As with iCC, the global operations of NX are those of iCC under another name, but a broadcast of
 * NX is not: who calls crecv() does not know that somebody broadcasts, nor who. So csend() to node
 * -1 is a message to each; iCC_bcast(), which all nodes call, is a broadcast.
 */
#ifndef TUTTI_ICC_H
#define TUTTI_ICC_H

#ifdef __cplusplus
extern "C" {
#endif

/** @name Who is there. */
/** @{ */
/** The number of this node, from 0. */
long mynode(void);
/** How many nodes there are. */
long numnodes(void);
/** Always 0: a node has one process. */
long myptype(void);
/** @} */

/** Gives all nodes `len` bytes of node `root`. Called by all. */
void iCC_bcast(void* buf, long len, long root);

/** @name Waiting for all nodes. */
/** @{ */
/** Returns when all nodes have called it. */
void gsync(void);
void iCC_gsync(void);
/** @} */

/**
 * @name Combining vectors, element by element.
 * `x` has `n` elements; on all nodes they become the result. `work` is not touched and may be NULL.
 */
/** @{ */
#define TUTTI_ICC_GLOBAL(name, type)           \
  void g##name(type x[], long n, type work[]); \
  void iCC_g##name(type x[], long n, type work[])
TUTTI_ICC_GLOBAL(isum, long);
TUTTI_ICC_GLOBAL(iprod, long);
TUTTI_ICC_GLOBAL(ihigh, long);
TUTTI_ICC_GLOBAL(ilow, long);
TUTTI_ICC_GLOBAL(iand, long); /**< bit by bit */
TUTTI_ICC_GLOBAL(ior, long);
TUTTI_ICC_GLOBAL(land, long); /**< 0 is false, all else true */
TUTTI_ICC_GLOBAL(lor, long);
TUTTI_ICC_GLOBAL(ssum, float);
TUTTI_ICC_GLOBAL(sprod, float);
TUTTI_ICC_GLOBAL(shigh, float);
TUTTI_ICC_GLOBAL(slow, float);
TUTTI_ICC_GLOBAL(dsum, double);
TUTTI_ICC_GLOBAL(dprod, double);
TUTTI_ICC_GLOBAL(dhigh, double);
TUTTI_ICC_GLOBAL(dlow, double);
#undef TUTTI_ICC_GLOBAL
/** @} */

/**
 * @name Collecting: what the nodes have, one after the other, on all nodes. Lengths are in bytes.
 */
/** @{ */
/** `xlen` may differ, and nobody knows those of the others; `ncnt` gets their sum, which must not
 *  be above `ylen`. */
void gcol(const void* x, long xlen, void* y, long ylen, long* ncnt);
/** As gcol(). */
void iCC_gcol(const void* x, long xlen, void* y, long ylen, long* ncnt);
/** All know `xlens`, the length of each node. */
void gcolx(const void* x, const long xlens[], void* y);
/** As gcolx(). */
void iCC_gcolx(const void* x, const long xlens[], void* y);
/** @} */

/** @name Messages between two nodes, by MPI's own. A type is MPI's tag. */
/** @{ */
/** Sends to a node, or to all others (-1). Returns when `buf` may be used again, received or not;
 *  received it must be before the program ends. `ptype` is 0. */
void csend(long type, const void* buf, long len, long node, long ptype);
/** Receives a message of a type, or of any (-1), from any node, at most `len` bytes. */
void crecv(long type, void* buf, long len);
/** How many bytes the last message received had. */
long infocount(void);
/** Who sent the last message received. */
long infonode(void);
/** Of which type the last message received was. */
long infotype(void);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
