// Collectives as their definitions say, on packed bytes: the reference where an MPI's own is wrong.
//
// Open MPI 4.1.4 cuts bcast, chooses allgatherv and forwards gather and scatter by a rank's own
// type, so that ranks which group the data differently fail or hang; on one rank it multiplies
// alltoallw's places by the extent; in place it overruns its buffer in alltoallw of types with a
// lower bound. MPICH 4.0.2 calls long messages between types with different gaps truncated, forgets
// allgatherv's place on one rank, crashes in reduce_scatter_block of types with a lower bound, and
// in reduce in place at a root other than 0.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tutti::test {

using Bytes = std::vector<char>;

struct Of {
  explicit Of(MPI_Comm comm) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
  }
  int rank = 0, p = 1;
};

inline MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lb = 0, extent = 0;
  MPI_Type_get_extent(type, &lb, &extent);
  return extent;
}

inline Bytes pack(const void* from, int count, MPI_Datatype type) {
  int size = 0, used = 0;
  MPI_Pack_size(count, type, MPI_COMM_SELF, &size);
  Bytes bytes(static_cast<std::size_t>(size) + 1);
  if (count > 0) MPI_Pack(from, count, type, bytes.data(), size, &used, MPI_COMM_SELF);
  bytes.resize(static_cast<std::size_t>(used));
  return bytes;
}

inline void unpack(const Bytes& bytes, void* to, int count, MPI_Datatype type) {
  int used = 0;
  if (count > 0)
    MPI_Unpack(bytes.data(), static_cast<int>(bytes.size()), &used, to, count, type, MPI_COMM_SELF);
}

/// Sends each rank its bytes and returns what came from each.
inline std::vector<Bytes> exchange_bytes(const std::vector<Bytes>& out, MPI_Comm comm) {
  const Of of(comm);
  const auto p = static_cast<std::size_t>(of.p);
  std::vector<int> sizes(p), incoming(p);
  for (std::size_t i = 0; i < p; ++i) sizes[i] = static_cast<int>(out[i].size());
  PMPI_Alltoall(sizes.data(), 1, MPI_INT, incoming.data(), 1, MPI_INT, comm);
  std::vector<Bytes> in(p);
  std::vector<MPI_Request> requests;
  for (int i = 0; i < of.p; ++i) {
    const auto k = static_cast<std::size_t>(i);
    in[k].resize(static_cast<std::size_t>(incoming[k]));
    MPI_Irecv(in[k].data(), incoming[k], MPI_BYTE, i, 0, comm, &requests.emplace_back());
    MPI_Isend(out[k].data(), sizes[k], MPI_BYTE, i, 0, comm, &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return in;
}

inline int plain_bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Of of(comm);
  const bool sends = of.rank == root;
  const std::vector<Bytes> in =
      exchange_bytes(std::vector<Bytes>(static_cast<std::size_t>(of.p),
                                        sends ? pack(buffer, count, type) : Bytes()),
                     comm);
  if (!sends) unpack(in[static_cast<std::size_t>(root)], buffer, count, type);
  return MPI_SUCCESS;
}

/// Equal blocks as the counts and places of a v-operation.
struct Even {
  Even(int count, MPI_Comm comm)
      : counts(static_cast<std::size_t>(Of(comm).p), count), places(counts) {
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  }
  std::vector<int> counts, places;
};

inline int plain_gatherv(const void* send, int send_count, MPI_Datatype send_type, void* recv,
                         const int counts[], const int places[], MPI_Datatype type, int root,
                         MPI_Comm comm) {
  const Of of(comm);
  std::vector<Bytes> out(static_cast<std::size_t>(of.p));
  if (send != MPI_IN_PLACE) out[static_cast<std::size_t>(root)] = pack(send, send_count, send_type);
  const std::vector<Bytes> in = exchange_bytes(out, comm);
  for (int i = 0; of.rank == root && i < of.p; ++i)
    if (i != root || send != MPI_IN_PLACE)
      unpack(in[static_cast<std::size_t>(i)],
             static_cast<char*>(recv) + extent_of(type) * places[i], counts[i], type);
  return MPI_SUCCESS;
}

inline int plain_gather(const void* send, int send_count, MPI_Datatype send_type, void* recv,
                        int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Even even(count, comm);
  return plain_gatherv(send, send_count, send_type, recv, even.counts.data(), even.places.data(),
                       type, root, comm);
}

inline int plain_scatterv(const void* send, const int counts[], const int places[],
                          MPI_Datatype send_type, void* recv, int count, MPI_Datatype type,
                          int root, MPI_Comm comm) {
  const Of of(comm);
  std::vector<Bytes> out(static_cast<std::size_t>(of.p));
  for (int i = 0; of.rank == root && i < of.p; ++i)
    out[static_cast<std::size_t>(i)] = pack(
        static_cast<const char*>(send) + extent_of(send_type) * places[i], counts[i], send_type);
  const std::vector<Bytes> in = exchange_bytes(out, comm);
  if (recv != MPI_IN_PLACE) unpack(in[static_cast<std::size_t>(root)], recv, count, type);
  return MPI_SUCCESS;
}

inline int plain_scatter(const void* send, int send_count, MPI_Datatype send_type, void* recv,
                         int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Even even(send_count, comm);
  return plain_scatterv(send, even.counts.data(), even.places.data(), send_type, recv, count, type,
                        root, comm);
}

inline int plain_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* recv,
                            const int counts[], const int places[], MPI_Datatype type,
                            MPI_Comm comm) {
  const Of of(comm);
  const auto block = [&](int i) { return static_cast<char*>(recv) + places[i] * extent_of(type); };
  const Bytes mine = send == MPI_IN_PLACE ? pack(block(of.rank), counts[of.rank], type)
                                          : pack(send, send_count, send_type);
  const std::vector<Bytes> in =
      exchange_bytes(std::vector<Bytes>(static_cast<std::size_t>(of.p), mine), comm);
  for (int i = 0; i < of.p; ++i) unpack(in[static_cast<std::size_t>(i)], block(i), counts[i], type);
  return MPI_SUCCESS;
}

inline int plain_allgather(const void* send, int send_count, MPI_Datatype send_type, void* recv,
                           int count, MPI_Datatype type, MPI_Comm comm) {
  const Even even(count, comm);
  return plain_allgatherv(send, send_count, send_type, recv, even.counts.data(), even.places.data(),
                          type, comm);
}

inline int plain_alltoallw(const void* send, const int counts[], const int places[],
                           const MPI_Datatype types[], void* recv, const int recv_counts[],
                           const int recv_places[], const MPI_Datatype recv_types[],
                           MPI_Comm comm) {
  const Of of(comm);
  const bool in_place = send == MPI_IN_PLACE;
  std::vector<Bytes> out;
  for (int i = 0; i < of.p; ++i)
    out.push_back(
        in_place ? pack(static_cast<char*>(recv) + recv_places[i], recv_counts[i], recv_types[i])
                 : pack(static_cast<const char*>(send) + places[i], counts[i], types[i]));
  const std::vector<Bytes> in = exchange_bytes(out, comm);
  for (int i = 0; i < of.p; ++i)
    unpack(in[static_cast<std::size_t>(i)], static_cast<char*>(recv) + recv_places[i],
           recv_counts[i], recv_types[i]);
  return MPI_SUCCESS;
}

inline int plain_alltoallv(const void* send, const int counts[], const int places[],
                           MPI_Datatype type, void* recv, const int recv_counts[],
                           const int recv_places[], MPI_Datatype recv_type, MPI_Comm comm) {
  const auto p = static_cast<std::size_t>(Of(comm).p);
  const auto in_bytes = [&](const int list[], MPI_Datatype of) {
    std::vector<int> bytes(p);
    for (std::size_t i = 0; list && i < p; ++i)
      bytes[i] = static_cast<int>(list[i] * extent_of(of));
    return bytes;
  };
  const bool in_place = send == MPI_IN_PLACE;
  const std::vector<int> from = in_bytes(in_place ? nullptr : places, type);
  const std::vector<int> to = in_bytes(recv_places, recv_type);
  const std::vector<MPI_Datatype> types(p, type), recv_types(p, recv_type);
  return plain_alltoallw(send, counts, from.data(), types.data(), recv, recv_counts, to.data(),
                         recv_types.data(), comm);
}

inline int plain_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* recv,
                          int count, MPI_Datatype type, MPI_Comm comm) {
  const Even from(send_count, comm), to(count, comm);
  return plain_alltoallv(send, from.counts.data(), from.places.data(), send_type, recv,
                         to.counts.data(), to.places.data(), type, comm);
}

/// Contributions [first, last) combined in rank order, packed.
inline Bytes fold(const void* mine, int count, MPI_Datatype type, MPI_Op op, int first, int last,
                  MPI_Comm comm) {
  const std::vector<Bytes> in = exchange_bytes(
      std::vector<Bytes>(static_cast<std::size_t>(Of(comm).p), pack(mine, count, type)), comm);
  MPI_Aint lb = 0, size = 0;
  MPI_Type_get_true_extent(type, &lb, &size);
  size += extent_of(type) * std::max(0, count - 1);
  Bytes left(static_cast<std::size_t>(size) + 1), result(left);
  char* const operand = left.data() - lb;
  char* const sum = result.data() - lb;
  for (int i = last - 1; i >= first; --i) {
    unpack(in[static_cast<std::size_t>(i)], i == last - 1 ? sum : operand, count, type);
    if (i < last - 1 && count > 0) MPI_Reduce_local(operand, sum, count, type, op);
  }
  return pack(sum, count, type);
}

inline const void* operand_of(const void* send, const void* recv) {
  return send == MPI_IN_PLACE ? recv : send;
}

inline int plain_reduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op,
                        int root, MPI_Comm comm) {
  const Of of(comm);
  const Bytes all = fold(operand_of(send, recv), count, type, op, 0, of.p, comm);
  if (of.rank == root) unpack(all, recv, count, type);
  return MPI_SUCCESS;
}

inline int plain_allreduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm) {
  unpack(fold(operand_of(send, recv), count, type, op, 0, Of(comm).p, comm), recv, count, type);
  return MPI_SUCCESS;
}

inline int plain_scan(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm) {
  const int rank = Of(comm).rank;
  unpack(fold(operand_of(send, recv), count, type, op, 0, rank + 1, comm), recv, count, type);
  return MPI_SUCCESS;
}

inline int plain_exscan(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm) {
  const int rank = Of(comm).rank;
  const Bytes before = fold(operand_of(send, recv), count, type, op, 0, rank, comm);
  if (rank > 0) unpack(before, recv, count, type);
  return MPI_SUCCESS;
}

inline int plain_reduce_scatter(const void* send, void* recv, const int counts[], MPI_Datatype type,
                                MPI_Op op, MPI_Comm comm) {
  const Of of(comm);
  const int total = std::accumulate(counts, counts + of.p, 0);
  const int before = std::accumulate(counts, counts + of.rank, 0);
  const Bytes all = fold(operand_of(send, recv), total, type, op, 0, of.p, comm);
  int size = 0;
  MPI_Type_size(type, &size);
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(before) * size;
  const auto length = static_cast<std::ptrdiff_t>(counts[of.rank]) * size;
  unpack(Bytes(begin, begin + length), recv, counts[of.rank], type);
  return MPI_SUCCESS;
}

inline int plain_reduce_scatter_block(const void* send, void* recv, int count, MPI_Datatype type,
                                      MPI_Op op, MPI_Comm comm) {
  const std::vector<int> counts(static_cast<std::size_t>(Of(comm).p), count);
  return plain_reduce_scatter(send, recv, counts.data(), type, op, comm);
}

}  // namespace tutti::test
