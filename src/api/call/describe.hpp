// MPI's arguments made a description of the call, one function for each collective.

#pragma once

#include <algorithm>
#include <climits>

#include "api/call/communicator.hpp"
#include "api/call/known_types.hpp"

namespace tutti::core {

/// MPI's arguments made a description of the call, one function per collective: where its data are,
/// as bytes or as elements to combine. False: the arguments are wrong, or nothing for Tutti, and
/// the MPI must judge them. Count and Place are int, or wider in the forms with large counts.

namespace describing {

inline bool is_type(MPI_Datatype type) { return type != MPI_DATATYPE_NULL; }

/// The type of a buffer, if it may be used.
inline bool shape(Description& op, const void* buffer, std::size_t count, MPI_Datatype type,
                  TypeShape& result) {
  if (!is_type(type) || buffer == MPI_IN_PLACE) return false;
  result = known_types().shape_of(type);
  op.lasts = op.lasts && result.named;
  // No data at address 0, unless a type with absolute addresses says so.
  return result.usable && (buffer != MPI_BOTTOM || count == 0 || !result.named);
}

/// One buffer of `count` elements, `blocks` of them one after the other.
template <class Count>
bool add(Description& op, PackedBuffer& parts, const void* buffer, Count count, MPI_Datatype type,
         int blocks, std::size_t& block_bytes) {
  TypeShape of;
  if (count < 0 || !shape(op, buffer, static_cast<std::size_t>(count), type, of)) return false;
  const auto number = static_cast<std::size_t>(count);
  block_bytes = of.size * number;
  if (of.dense) {
    parts.add(buffer, 0, number * static_cast<std::size_t>(blocks), type, of);
  } else {
    for (int i = 0; i < blocks; ++i)
      parts.add(buffer, of.extent * static_cast<MPI_Aint>(count) * i, number, type, of);
  }
  return true;
}

/// Notes that the description is made of these lists, one entry for each rank.
template <class... Lists>
void read_lists(Description& op, const Lists*... lists) {
  (op.lists.add(lists, static_cast<std::size_t>(op.call.p)), ...);
}

/// Blocks at places of their own, of one type (places count its extents).
template <class Count, class Place>
bool add_blocks(Description& op, PackedBuffer& parts, const void* buffer, const Count* counts,
                const Place* places, MPI_Datatype type, std::vector<std::size_t>& sizes) {
  TypeShape of;
  if (counts == nullptr || places == nullptr) return false;
  read_lists(op, counts, places);
  std::size_t most = 0;
  for (int i = 0; i < op.call.p; ++i) {
    if (counts[i] < 0) return false;
    most = std::max(most, static_cast<std::size_t>(counts[i]));
  }
  if (!shape(op, buffer, most, type, of)) return false;
  for (int i = 0; i < op.call.p; ++i) {
    const auto number = static_cast<std::size_t>(counts[i]);
    parts.add(buffer, of.extent * static_cast<MPI_Aint>(places[i]), number, type, of);
    sizes.push_back(of.size * number);
  }
  return true;
}

/// Blocks of types of their own (places in bytes).
template <class Count, class Place>
bool add_blocks(Description& op, PackedBuffer& parts, const void* buffer, const Count* counts,
                const Place* places, const MPI_Datatype* types, std::vector<std::size_t>& sizes) {
  if (counts == nullptr || places == nullptr || types == nullptr) return false;
  read_lists(op, counts, places, types);
  for (int i = 0; i < op.call.p; ++i) {
    TypeShape of;
    // The buffer's address alone says nothing: places may be addresses.
    // MPICH takes any for blocks that are empty: whoever says so must stay on the others' road.
    const bool is_empty = counts[i] == 0 && types[i] == MPI_DATATYPE_NULL;
    if (counts[i] < 0 || (!is_empty && !shape(op, buffer, 0, types[i], of))) return false;
    const auto number = static_cast<std::size_t>(counts[i]);
    parts.add(buffer, static_cast<MPI_Aint>(places[i]), number, types[i], of);
    sizes.push_back(of.size * number);
  }
  return true;
}

inline bool set_root(Description& op, int root) {
  op.call.root = root;
  return root >= 0 && root < op.call.p;
}

/// This rank's own block of a scatter or gather; at the root it may be in place.
template <class Count>
bool add_own(Description& op, PackedBuffer& parts, const void* buffer, Count count,
             MPI_Datatype type, int root) {
  op.call.in_place = op.call.rank == root && buffer == MPI_IN_PLACE;
  return set_root(op, root) &&
         (op.call.in_place || add(op, parts, buffer, count, type, 1, op.call.count));
}

/// All blocks where their sizes are known, this rank's among them.
template <class Count, class Place>
bool add_known_blocks(Description& op, PackedBuffer& parts, const void* buffer, const Count* counts,
                      const Place* places, MPI_Datatype type) {
  if (!add_blocks(op, parts, buffer, counts, places, type, op.call.counts)) return false;
  op.call.count = op.call.counts[static_cast<std::size_t>(op.call.rank)];
  return true;
}

/// A buffer twice, without saying MPI_IN_PLACE, is an error that MPICH reports; Open MPI does in
/// reduce.
inline bool is_alias(const Description& op, const void* send, const void* recv) {
#ifdef MPICH
  const bool reported = true;
#else
  const bool reported = op.call.collective == Collective::reduce;
#endif
  return reported && send == recv && op.in.bytes() > 0 && op.out.bytes() > 0;
}

/// MPICH crashes on a negative count of a reduction.
template <class Count>
bool is_count(Description& op, Count count) {
#ifdef MPICH
  if (count < 0) op.wrong = MPI_ERR_COUNT;
#else
  (void)op;
#endif
  return count >= 0;
}

/// Elements to combine: `in_count` here, `out_count` there.
inline bool combine(Description& op, const void* send, void* recv, std::size_t in_count,
                    std::size_t out_count, MPI_Datatype type, MPI_Op operation) {
  const bool in_place = send == MPI_IN_PLACE;
  TypeShape of;
  if (operation == MPI_OP_NULL || !shape(op, recv, out_count, type, of)) return false;
  if (!in_place && in_count > 0 && send == MPI_BOTTOM && of.named) return false;
  // In place is for those who get something.
  if (recv == MPI_IN_PLACE ||
      (in_place && op.call.collective == Collective::reduce && op.call.rank != op.call.root))
    return false;
  op.reduction = known_types().reduction_of(operation, type, of, op.call.commutative);
  op.call.work = op.reduction.work;
  op.lasts = op.lasts && op.reduction.kernel != nullptr;
  // An element is not cut, and a message counts bytes in an int.
  if (op.reduction.undefined || op.reduction.element > INT_MAX) return false;
  op.op = operation;
  op.call.in_place = op.filled = in_place;
  op.call.element_bytes = op.reduction.element;
  const bool padded = op.reduction.element != of.size;  // a kernel reads over the gaps
  op.out.add(recv, 0, out_count, type, of, padded);
  if (in_place)  // reduce_scatter gives more than it gets
    op.out.add(recv, of.extent * static_cast<MPI_Aint>(out_count),
               std::max(in_count, out_count) - out_count, type, of, padded);
  else
    op.in.add(send, 0, in_count, type, of, padded);
  if (!in_place && is_alias(op, send, recv)) return false;
  // Exscan leaves rank 0's result alone.
  if (op.call.collective != Collective::exscan || op.call.rank > 0)
    op.out_bytes = out_count * op.reduction.element;
  return true;
}

}  // namespace describing

inline bool describe_barrier(Description&, MPI_Comm) { return true; }

template <class Count>
bool describe_bcast(Description& op, void* buffer, Count count, MPI_Datatype type, int root,
                    MPI_Comm) {
  using namespace describing;
  op.filled = op.call.rank == root;
  return set_root(op, root) && add(op, op.out, buffer, count, type, 1, op.call.count);
}

template <class Count>
bool describe_scatter(Description& op, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm) {
  using namespace describing;
  return add_own(op, op.out, recvbuf, recvcount, recvtype, root) &&
         (op.call.rank != root ||
          (add(op, op.in, sendbuf, sendcount, sendtype, op.call.p, op.call.count) &&
           !is_alias(op, sendbuf, recvbuf)));
}

template <class Count, class Place>
bool describe_scatterv(Description& op, const void* sendbuf, const Count* sendcounts,
                       const Place* displs, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                       MPI_Datatype recvtype, int root, MPI_Comm) {
  using namespace describing;
  return add_own(op, op.out, recvbuf, recvcount, recvtype, root) &&
         (op.call.rank != root ||
          add_known_blocks(op, op.in, sendbuf, sendcounts, displs, sendtype));
}

template <class Count>
bool describe_gather(Description& op, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                     void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm) {
  using namespace describing;
  if (!add_own(op, op.in, sendbuf, sendcount, sendtype, root)) return false;
  op.filled = op.call.in_place;
  return op.call.rank != root ||
         (add(op, op.out, recvbuf, recvcount, recvtype, op.call.p, op.call.count) &&
          !is_alias(op, sendbuf, recvbuf));
}

template <class Count, class Place>
bool describe_gatherv(Description& op, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, const Count* recvcounts, const Place* displs,
                      MPI_Datatype recvtype, int root, MPI_Comm) {
  using namespace describing;
  if (!add_own(op, op.in, sendbuf, sendcount, sendtype, root)) return false;
  op.filled = op.call.in_place;
  return op.call.rank != root ||
         add_known_blocks(op, op.out, recvbuf, recvcounts, displs, recvtype);
}

template <class Count>
bool describe_allgather(Description& op, const void* sendbuf, Count sendcount,
                        MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                        MPI_Datatype recvtype, MPI_Comm) {
  using namespace describing;
  op.filled = op.call.in_place = sendbuf == MPI_IN_PLACE;
  if (!op.call.in_place && !add(op, op.in, sendbuf, sendcount, sendtype, 1, op.call.count))
    return false;
  return add(op, op.out, recvbuf, recvcount, recvtype, op.call.p, op.call.count) &&
         !is_alias(op, sendbuf, recvbuf);
}

template <class Count, class Place>
bool describe_allgatherv(Description& op, const void* sendbuf, Count sendcount,
                         MPI_Datatype sendtype, void* recvbuf, const Count* recvcounts,
                         const Place* displs, MPI_Datatype recvtype, MPI_Comm) {
  using namespace describing;
  op.filled = op.call.in_place = sendbuf == MPI_IN_PLACE;
  if (!op.call.in_place && !add(op, op.in, sendbuf, sendcount, sendtype, 1, op.call.count))
    return false;
  return add_known_blocks(op, op.out, recvbuf, recvcounts, displs, recvtype);
}

template <class Count>
bool describe_alltoall(Description& op, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm) {
  using namespace describing;
  op.filled = op.call.in_place = sendbuf == MPI_IN_PLACE;
  if (!op.call.in_place && !add(op, op.in, sendbuf, sendcount, sendtype, op.call.p, op.call.count))
    return false;
  return add(op, op.out, recvbuf, recvcount, recvtype, op.call.p, op.call.count) &&
         !is_alias(op, sendbuf, recvbuf);
}

/// alltoallv with one type for each side, alltoallw with one for each block.
template <class Count, class Place, class Types>
bool describe_alltoallv(Description& op, const void* sendbuf, const Count* sendcounts,
                        const Place* sdispls, Types sendtypes, void* recvbuf,
                        const Count* recvcounts, const Place* rdispls, Types recvtypes, MPI_Comm) {
  using namespace describing;
  op.filled = op.call.in_place = sendbuf == MPI_IN_PLACE;
  if (!add_blocks(op, op.out, recvbuf, recvcounts, rdispls, recvtypes, op.call.recv_counts))
    return false;
  if (op.call.in_place) {
    op.call.send_counts = op.call.recv_counts;
    return true;
  }
  return add_blocks(op, op.in, sendbuf, sendcounts, sdispls, sendtypes, op.call.send_counts);
}

template <class Count, class Place>
bool describe_alltoallw(Description& op, const void* sendbuf, const Count* sendcounts,
                        const Place* sdispls, const MPI_Datatype* sendtypes, void* recvbuf,
                        const Count* recvcounts, const Place* rdispls,
                        const MPI_Datatype* recvtypes, MPI_Comm comm) {
  return describe_alltoallv(op, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                            rdispls, recvtypes, comm);
}

template <class Count>
bool describe_reduce(Description& op, const void* sendbuf, void* recvbuf, Count count,
                     MPI_Datatype type, MPI_Op operation, int root, MPI_Comm) {
  if (!describing::set_root(op, root) || !describing::is_count(op, count)) return false;
  op.call.count = static_cast<std::size_t>(count);
  return describing::combine(op, sendbuf, recvbuf, op.call.count,
                             op.call.rank == root ? op.call.count : 0, type, operation);
}

template <class Count>
bool describe_allreduce(Description& op, const void* sendbuf, void* recvbuf, Count count,
                        MPI_Datatype type, MPI_Op operation, MPI_Comm) {
  if (!describing::is_count(op, count)) return false;
  op.call.count = static_cast<std::size_t>(count);
  return describing::combine(op, sendbuf, recvbuf, op.call.count, op.call.count, type, operation);
}

template <class Count>
bool describe_reduce_scatter(Description& op, const void* sendbuf, void* recvbuf,
                             const Count* recvcounts, MPI_Datatype type, MPI_Op operation,
                             MPI_Comm) {
  if (recvcounts == nullptr) return false;
  describing::read_lists(op, recvcounts);
  for (int i = 0; i < op.call.p; ++i) {
    if (!describing::is_count(op, recvcounts[i])) return false;
    op.call.counts.push_back(static_cast<std::size_t>(recvcounts[i]));
  }
  op.call.count = op.call.counts[static_cast<std::size_t>(op.call.rank)];
  return describing::combine(op, sendbuf, recvbuf, op.call.total(), op.call.count, type, operation);
}

template <class Count>
bool describe_reduce_scatter_block(Description& op, const void* sendbuf, void* recvbuf,
                                   Count recvcount, MPI_Datatype type, MPI_Op operation, MPI_Comm) {
  if (!describing::is_count(op, recvcount)) return false;
  op.call.count = static_cast<std::size_t>(recvcount);
  return describing::combine(op, sendbuf, recvbuf, op.call.total(), op.call.count, type, operation);
}

template <class Count>
bool describe_scan(Description& op, const void* sendbuf, void* recvbuf, Count count,
                   MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  return describe_allreduce(op, sendbuf, recvbuf, count, type, operation, comm);
}

template <class Count>
bool describe_exscan(Description& op, const void* sendbuf, void* recvbuf, Count count,
                     MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  return describe_allreduce(op, sendbuf, recvbuf, count, type, operation, comm);
}

}  // namespace tutti::core
