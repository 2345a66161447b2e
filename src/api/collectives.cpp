// MPI's blocking collectives, each made a call of the core: where its data are, as bytes or as
// elements to combine. What Tutti does not do, and what is wrong with a call, is the MPI's own
// business: it gets the call unchanged.

#include <algorithm>
#include <climits>
#include <cstring>
#include <stdexcept>

#include "api/call.hpp"
#include "api/native.hpp"
#include "tutti/tutti.h"

namespace tutti {

namespace {

/// A datatype as far as a call needs it.
struct TypeShape {
  std::size_t size = 0;
  MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;

  explicit TypeShape(MPI_Datatype type) {
    MPI_Count bytes = 0;
    PMPI_Type_size_x(type, &bytes);
    size = static_cast<std::size_t>(bytes);
    PMPI_Type_get_extent(type, &lower, &extent);
    PMPI_Type_get_true_extent(type, &true_lower, &true_extent);
  }
  /// Elements lie in memory as they travel.
  bool is_dense() const {
    return lower == 0 && true_lower == 0 && extent == true_extent &&
           extent == static_cast<MPI_Aint>(size);
  }
};

/// `count` elements of a datatype somewhere in memory.
struct Typed {
  char* address = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::size_t bytes = 0;
};

/// A buffer of a collective that moves data: its parts in order. As bytes it is `direct` if the
/// parts follow each other without gaps, else it is packed.
class Parts {
 public:
  void add(const void* base, MPI_Aint offset, int count, MPI_Datatype type,
           const TypeShape& shape) {
    char* address = static_cast<char*>(const_cast<void*>(base)) + offset;
    const std::size_t bytes = shape.size * static_cast<std::size_t>(count);
    if (bytes > 0) {
      if (bytes_ == 0) direct_ = address;
      dense_ = dense_ && shape.is_dense() && address == direct_ + bytes_;
    }
    parts_.push_back({address, count, type, bytes});
    bytes_ += bytes;
  }
  std::size_t bytes() const { return bytes_; }

  /// The bytes, for reading; packed into `room` if need be.
  const void* read(std::vector<char>& room, int& error) {
    if (dense_) return direct_;
    void* packed = write(room);
    pack(packed, error);
    return packed;
  }
  /// Where to write the bytes; `finish` then puts them where they belong.
  void* write(std::vector<char>& room) {
    if (dense_) return direct_;
    if (room.size() < bytes_) room.resize(bytes_);
    return room.data();
  }
  void pack(void* packed, int& error) { transfer(packed, error, true); }
  void finish(void* packed, int& error) {
    if (!dense_) transfer(packed, error, false);
  }

 private:
  void transfer(void* packed, int& error, bool packs) {
    if (packed == direct_ && dense_) return;
    char* bytes = static_cast<char*>(packed);
    for (const Typed& part : parts_) {
      // MPI_Pack counts bytes in an int: large parts go in several.
      const std::size_t size =
          part.count > 0 ? part.bytes / static_cast<std::size_t>(part.count) : 0;
      const int most =
          size == 0 ? INT_MAX : static_cast<int>(std::max<std::size_t>(1, (1u << 30) / size));
      MPI_Aint lower = 0, extent = 0;
      if (part.count > most) PMPI_Type_get_extent(part.type, &lower, &extent);
      for (int done = 0; done < part.count && size > 0 && !error; done += most) {
        const int count = std::min(most, part.count - done);
        const int length = static_cast<int>(size * static_cast<std::size_t>(count));
        char* memory = part.address + extent * done;
        int position = 0;
        error =
            packs ? PMPI_Pack(memory, count, part.type, bytes, length, &position, MPI_COMM_SELF)
                  : PMPI_Unpack(bytes, length, &position, memory, count, part.type, MPI_COMM_SELF);
        bytes += length;
      }
    }
  }

  std::vector<Typed> parts_;
  std::size_t bytes_ = 0;
  char* direct_ = nullptr;
  bool dense_ = true;
};

bool is_type(MPI_Datatype type) { return type != MPI_DATATYPE_NULL; }
bool is_root(const CommunicatorState& state, int root) { return root >= 0 && root < state.p(); }

Call call_of(const CommunicatorState& state, Collective collective, int root = 0) {
  Call call;
  call.collective = collective;
  call.p = state.p();
  call.rank = state.rank();
  call.root = root;
  return call;
}

/// Runs a collective that moves bytes. `filled`: part of the output is data already (in place, or
/// the root of a broadcast).
int move(CommunicatorState& state, MPI_Comm comm, const Call& call, Parts& in, Parts& out,
         bool filled) {
  int error = MPI_SUCCESS;
  Binding binding;
  binding.input = in.read(state.packed_input, error);
  binding.output = out.write(state.packed_output);
  if (filled && !error) out.pack(binding.output, error);
  if (!error) {
    if (const int failed = run(state, comm, call, Elements{}, binding)) return failed;
    out.finish(binding.output, error);
  }
  if (error) PMPI_Comm_call_errhandler(comm, error);
  return error;
}

int copy_typed(const void* from, void* to, int count, MPI_Datatype type) {
  return PMPI_Sendrecv(from, count, type, 0, 0, to, count, type, 0, 0, MPI_COMM_SELF,
                       MPI_STATUS_IGNORE);
}

/// Runs a reduction of `in_count` elements here into `out_count` elements there. What the datatype
/// looks like is this rank's own affair: dense elements are combined where they are, others in
/// memory of our own.
int combine(CommunicatorState& state, MPI_Comm comm, Call call, const void* sendbuf, void* recvbuf,
            std::size_t in_count, std::size_t out_count, MPI_Datatype type, MPI_Op op,
            Reduction& reduction) {
  int commutes = 0;
  PMPI_Op_commutative(op, &commutes);
  call.commutative = commutes != 0;
  call.in_place = sendbuf == MPI_IN_PLACE;
  const TypeShape shape(type);
  Binding binding;
  binding.reduction = &reduction;
  binding.type = type;
  if (shape.is_dense()) {
    binding.input = call.in_place ? nullptr : sendbuf;
    binding.output = recvbuf;
    Elements dense;
    dense.size = shape.size;
    dense.extent = dense.span = static_cast<std::ptrdiff_t>(shape.size);
    return run(state, comm, call, dense, binding);
  }
  Elements elements;
  elements.size = shape.size;
  elements.extent = shape.extent;
  elements.contiguous = false;
  elements.lower = shape.true_lower;
  elements.span = shape.true_extent;
  const auto room = [&](std::vector<char>& memory, std::size_t count) {
    memory.resize(std::max(memory.size(), elements.bytes(count)));
    return memory.data() + elements.first(count);
  };
  char* in = room(state.packed_input, in_count);
  char* out = room(state.packed_output, std::max(in_count, out_count));
  const std::size_t filled = call.in_place ? std::max(in_count, out_count) : 0;
  int error = MPI_SUCCESS;
  if (!call.in_place && in_count > 0)
    error = copy_typed(sendbuf, in, static_cast<int>(in_count), type);
  else if (filled > 0)
    error = copy_typed(recvbuf, out, static_cast<int>(filled), type);
  const bool exscan_first = call.collective == Collective::exscan && call.rank == 0;
  binding.input = in;
  binding.output = out;
  if (!error)
    if (const int failed = run(state, comm, call, elements, binding)) return failed;
  if (!error && out_count > 0 && !exscan_first)
    error = copy_typed(out, recvbuf, static_cast<int>(out_count), type);
  if (error) PMPI_Comm_call_errhandler(comm, error);
  return error;
}

/// The state for a call that Tutti does; null: the MPI does it, and it is counted.
CommunicatorState* taken(Collective collective, MPI_Comm comm) {
  CommunicatorState* state = is_off(collective) ? nullptr : CommunicatorState::of(comm);
  if (state == nullptr) count_native(collective);
  return state;
}

bool all_counts_fit(const int* counts, int p) {
  return counts != nullptr && std::all_of(counts, counts + p, [](int count) { return count >= 0; });
}

}  // namespace

}  // namespace tutti

using namespace tutti;

/// Wrong arguments: the MPI says so itself, in its own words.
#define LEAVE_TO_THE_MPI(name, arguments) return native().name arguments

extern "C" {

int tutti_barrier(MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::barrier, comm);
  if (state == nullptr) LEAVE_TO_THE_MPI(barrier, (comm));
  return run(*state, comm, call_of(*state, Collective::barrier), Elements{}, {});
}

int tutti_bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::bcast, comm);
  if (state == nullptr || count < 0 || !is_type(type) || !is_root(*state, root))
    LEAVE_TO_THE_MPI(bcast, (buffer, count, type, root, comm));
  Parts none, out;
  out.add(buffer, 0, count, type, TypeShape(type));
  Call call = call_of(*state, Collective::bcast, root);
  call.count = out.bytes();
  return move(*state, comm, call, none, out, call.rank == root);
}

int tutti_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::scatter, comm);
  const bool here = state != nullptr && state->rank() == root;
  const bool in_place = here && recvbuf == MPI_IN_PLACE;
  if (state == nullptr || !is_root(*state, root) ||
      (here && (sendcount < 0 || !is_type(sendtype))) ||
      (!in_place && (recvcount < 0 || !is_type(recvtype))))
    LEAVE_TO_THE_MPI(scatter,
                     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
  Parts in, out;
  Call call = call_of(*state, Collective::scatter, root);
  call.in_place = in_place;
  if (here) {
    const TypeShape shape(sendtype);
    for (int i = 0; i < call.p; ++i)
      in.add(sendbuf, shape.extent * sendcount * static_cast<MPI_Aint>(i), sendcount, sendtype,
             shape);
    call.count = shape.size * static_cast<std::size_t>(sendcount);
  }
  if (!in_place) {
    out.add(recvbuf, 0, recvcount, recvtype, TypeShape(recvtype));
    if (!here) call.count = out.bytes();
  }
  return move(*state, comm, call, in, out, false);
}

int tutti_scatterv(const void* sendbuf, const int* sendcounts, const int* displs,
                   MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::scatterv, comm);
  const bool here = state != nullptr && state->rank() == root;
  const bool in_place = here && recvbuf == MPI_IN_PLACE;
  if (state == nullptr || !is_root(*state, root) ||
      (here &&
       (!all_counts_fit(sendcounts, state->p()) || displs == nullptr || !is_type(sendtype))) ||
      (!in_place && (recvcount < 0 || !is_type(recvtype))))
    LEAVE_TO_THE_MPI(scatterv, (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                                root, comm));
  Parts in, out;
  Call call = call_of(*state, Collective::scatterv, root);
  call.in_place = in_place;
  if (here) {
    const TypeShape shape(sendtype);
    for (int i = 0; i < call.p; ++i) {
      in.add(sendbuf, shape.extent * displs[i], sendcounts[i], sendtype, shape);
      call.counts.push_back(shape.size * static_cast<std::size_t>(sendcounts[i]));
    }
    call.count = call.counts[root];
  }
  if (!in_place) {
    out.add(recvbuf, 0, recvcount, recvtype, TypeShape(recvtype));
    if (!here) call.count = out.bytes();
  }
  return move(*state, comm, call, in, out, false);
}

int tutti_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::gather, comm);
  const bool here = state != nullptr && state->rank() == root;
  const bool in_place = here && sendbuf == MPI_IN_PLACE;
  if (state == nullptr || !is_root(*state, root) ||
      (here && (recvcount < 0 || !is_type(recvtype))) ||
      (!in_place && (sendcount < 0 || !is_type(sendtype))))
    LEAVE_TO_THE_MPI(gather,
                     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
  Parts in, out;
  Call call = call_of(*state, Collective::gather, root);
  call.in_place = in_place;
  if (!in_place) {
    in.add(sendbuf, 0, sendcount, sendtype, TypeShape(sendtype));
    call.count = in.bytes();
  }
  if (here) {
    const TypeShape shape(recvtype);
    for (int i = 0; i < call.p; ++i)
      out.add(recvbuf, shape.extent * recvcount * static_cast<MPI_Aint>(i), recvcount, recvtype,
              shape);
    call.count = shape.size * static_cast<std::size_t>(recvcount);
  }
  return move(*state, comm, call, in, out, in_place);
}

int tutti_gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const int* recvcounts, const int* displs, MPI_Datatype recvtype, int root,
                  MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::gatherv, comm);
  const bool here = state != nullptr && state->rank() == root;
  const bool in_place = here && sendbuf == MPI_IN_PLACE;
  if (state == nullptr || !is_root(*state, root) ||
      (here &&
       (!all_counts_fit(recvcounts, state->p()) || displs == nullptr || !is_type(recvtype))) ||
      (!in_place && (sendcount < 0 || !is_type(sendtype))))
    LEAVE_TO_THE_MPI(
        gatherv, (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm));
  Parts in, out;
  Call call = call_of(*state, Collective::gatherv, root);
  call.in_place = in_place;
  if (!in_place) {
    in.add(sendbuf, 0, sendcount, sendtype, TypeShape(sendtype));
    call.count = in.bytes();
  }
  if (here) {
    const TypeShape shape(recvtype);
    for (int i = 0; i < call.p; ++i) {
      out.add(recvbuf, shape.extent * displs[i], recvcounts[i], recvtype, shape);
      call.counts.push_back(shape.size * static_cast<std::size_t>(recvcounts[i]));
    }
    call.count = call.counts[root];
  }
  return move(*state, comm, call, in, out, in_place);
}

int tutti_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::allgather, comm);
  const bool in_place = sendbuf == MPI_IN_PLACE;
  if (state == nullptr || recvcount < 0 || !is_type(recvtype) ||
      (!in_place && (sendcount < 0 || !is_type(sendtype))))
    LEAVE_TO_THE_MPI(allgather, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
  Parts in, out;
  Call call = call_of(*state, Collective::allgather);
  call.in_place = in_place;
  if (!in_place) in.add(sendbuf, 0, sendcount, sendtype, TypeShape(sendtype));
  const TypeShape shape(recvtype);
  for (int i = 0; i < call.p; ++i)
    out.add(recvbuf, shape.extent * recvcount * static_cast<MPI_Aint>(i), recvcount, recvtype,
            shape);
  call.count = shape.size * static_cast<std::size_t>(recvcount);
  return move(*state, comm, call, in, out, in_place);
}

int tutti_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const int* recvcounts, const int* displs, MPI_Datatype recvtype,
                     MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::allgatherv, comm);
  const bool in_place = sendbuf == MPI_IN_PLACE;
  if (state == nullptr || !all_counts_fit(recvcounts, state->p()) || displs == nullptr ||
      !is_type(recvtype) || (!in_place && (sendcount < 0 || !is_type(sendtype))))
    LEAVE_TO_THE_MPI(allgatherv,
                     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
  Parts in, out;
  Call call = call_of(*state, Collective::allgatherv);
  call.in_place = in_place;
  if (!in_place) in.add(sendbuf, 0, sendcount, sendtype, TypeShape(sendtype));
  const TypeShape shape(recvtype);
  for (int i = 0; i < call.p; ++i) {
    out.add(recvbuf, shape.extent * displs[i], recvcounts[i], recvtype, shape);
    call.counts.push_back(shape.size * static_cast<std::size_t>(recvcounts[i]));
  }
  call.count = call.counts[call.rank];
  return move(*state, comm, call, in, out, in_place);
}

int tutti_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::alltoall, comm);
  const bool in_place = sendbuf == MPI_IN_PLACE;
  if (state == nullptr || recvcount < 0 || !is_type(recvtype) ||
      (!in_place && (sendcount < 0 || !is_type(sendtype))))
    LEAVE_TO_THE_MPI(alltoall, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
  Parts in, out;
  Call call = call_of(*state, Collective::alltoall);
  call.in_place = in_place;
  if (!in_place) {
    const TypeShape shape(sendtype);
    for (int i = 0; i < call.p; ++i)
      in.add(sendbuf, shape.extent * sendcount * static_cast<MPI_Aint>(i), sendcount, sendtype,
             shape);
  }
  const TypeShape shape(recvtype);
  for (int i = 0; i < call.p; ++i)
    out.add(recvbuf, shape.extent * recvcount * static_cast<MPI_Aint>(i), recvcount, recvtype,
            shape);
  call.count = shape.size * static_cast<std::size_t>(recvcount);
  return move(*state, comm, call, in, out, in_place);
}

int tutti_alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls,
                    MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* rdispls,
                    MPI_Datatype recvtype, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::alltoallv, comm);
  const bool in_place = sendbuf == MPI_IN_PLACE;
  if (state == nullptr || !all_counts_fit(recvcounts, state->p()) || rdispls == nullptr ||
      !is_type(recvtype) ||
      (!in_place &&
       (!all_counts_fit(sendcounts, state->p()) || sdispls == nullptr || !is_type(sendtype))))
    LEAVE_TO_THE_MPI(alltoallv, (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                 rdispls, recvtype, comm));
  Parts in, out;
  Call call = call_of(*state, Collective::alltoallv);
  call.in_place = in_place;
  const TypeShape to(recvtype);
  for (int i = 0; i < call.p; ++i) {
    out.add(recvbuf, to.extent * rdispls[i], recvcounts[i], recvtype, to);
    call.recv_counts.push_back(to.size * static_cast<std::size_t>(recvcounts[i]));
  }
  if (in_place) {
    call.send_counts = call.recv_counts;
  } else {
    const TypeShape from(sendtype);
    for (int i = 0; i < call.p; ++i) {
      in.add(sendbuf, from.extent * sdispls[i], sendcounts[i], sendtype, from);
      call.send_counts.push_back(from.size * static_cast<std::size_t>(sendcounts[i]));
    }
  }
  return move(*state, comm, call, in, out, in_place);
}

int tutti_alltoallw(const void* sendbuf, const int* sendcounts, const int* sdispls,
                    const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                    const int* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::alltoallw, comm);
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const auto types_fit = [&](const MPI_Datatype* types) {
    return types != nullptr && std::all_of(types, types + state->p(), is_type);
  };
  if (state == nullptr || !all_counts_fit(recvcounts, state->p()) || rdispls == nullptr ||
      !types_fit(recvtypes) ||
      (!in_place &&
       (!all_counts_fit(sendcounts, state->p()) || sdispls == nullptr || !types_fit(sendtypes))))
    LEAVE_TO_THE_MPI(alltoallw, (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                 rdispls, recvtypes, comm));
  Parts in, out;
  Call call = call_of(*state, Collective::alltoallw);
  call.in_place = in_place;
  for (int i = 0; i < call.p; ++i) {
    const TypeShape shape(recvtypes[i]);
    out.add(recvbuf, rdispls[i], recvcounts[i], recvtypes[i], shape);
    call.recv_counts.push_back(shape.size * static_cast<std::size_t>(recvcounts[i]));
  }
  if (in_place) call.send_counts = call.recv_counts;
  for (int i = 0; i < call.p && !in_place; ++i) {
    const TypeShape shape(sendtypes[i]);
    in.add(sendbuf, sdispls[i], sendcounts[i], sendtypes[i], shape);
    call.send_counts.push_back(shape.size * static_cast<std::size_t>(sendcounts[i]));
  }
  return move(*state, comm, call, in, out, in_place);
}

int tutti_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 int root, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::reduce, comm);
  if (state == nullptr || count < 0 || !is_type(type) || op == MPI_OP_NULL ||
      !is_root(*state, root))
    LEAVE_TO_THE_MPI(reduce, (sendbuf, recvbuf, count, type, op, root, comm));
  Reduction reduction = reduction_for(op, type);
  if (reduction.undefined)
    LEAVE_TO_THE_MPI(reduce, (sendbuf, recvbuf, count, type, op, root, comm));
  Call call = call_of(*state, Collective::reduce, root);
  call.count = static_cast<std::size_t>(count);
  return combine(*state, comm, call, sendbuf, recvbuf, call.count,
                 call.rank == root ? call.count : 0, type, op, reduction);
}

int tutti_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::allreduce, comm);
  if (state == nullptr || count < 0 || !is_type(type) || op == MPI_OP_NULL)
    LEAVE_TO_THE_MPI(allreduce, (sendbuf, recvbuf, count, type, op, comm));
  Reduction reduction = reduction_for(op, type);
  if (reduction.undefined) LEAVE_TO_THE_MPI(allreduce, (sendbuf, recvbuf, count, type, op, comm));
  Call call = call_of(*state, Collective::allreduce);
  call.count = static_cast<std::size_t>(count);
  return combine(*state, comm, call, sendbuf, recvbuf, call.count, call.count, type, op, reduction);
}

int tutti_reduce_scatter(const void* sendbuf, void* recvbuf, const int* recvcounts,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::reduce_scatter, comm);
  if (state == nullptr || !all_counts_fit(recvcounts, state->p()) || !is_type(type) ||
      op == MPI_OP_NULL)
    LEAVE_TO_THE_MPI(reduce_scatter, (sendbuf, recvbuf, recvcounts, type, op, comm));
  Reduction reduction = reduction_for(op, type);
  if (reduction.undefined)
    LEAVE_TO_THE_MPI(reduce_scatter, (sendbuf, recvbuf, recvcounts, type, op, comm));
  Call call = call_of(*state, Collective::reduce_scatter);
  call.counts.assign(recvcounts, recvcounts + call.p);
  call.count = call.counts[call.rank];
  return combine(*state, comm, call, sendbuf, recvbuf, call.total(), call.count, type, op,
                 reduction);
}

int tutti_reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                               MPI_Op op, MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::reduce_scatter_block, comm);
  if (state == nullptr || recvcount < 0 || !is_type(type) || op == MPI_OP_NULL)
    LEAVE_TO_THE_MPI(reduce_scatter_block, (sendbuf, recvbuf, recvcount, type, op, comm));
  Reduction reduction = reduction_for(op, type);
  if (reduction.undefined)
    LEAVE_TO_THE_MPI(reduce_scatter_block, (sendbuf, recvbuf, recvcount, type, op, comm));
  Call call = call_of(*state, Collective::reduce_scatter_block);
  call.count = static_cast<std::size_t>(recvcount);
  return combine(*state, comm, call, sendbuf, recvbuf, call.total(), call.count, type, op,
                 reduction);
}

int tutti_scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::scan, comm);
  if (state == nullptr || count < 0 || !is_type(type) || op == MPI_OP_NULL)
    LEAVE_TO_THE_MPI(scan, (sendbuf, recvbuf, count, type, op, comm));
  Reduction reduction = reduction_for(op, type);
  if (reduction.undefined) LEAVE_TO_THE_MPI(scan, (sendbuf, recvbuf, count, type, op, comm));
  Call call = call_of(*state, Collective::scan);
  call.count = static_cast<std::size_t>(count);
  return combine(*state, comm, call, sendbuf, recvbuf, call.count, call.count, type, op, reduction);
}

int tutti_exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm) {
  CommunicatorState* state = taken(Collective::exscan, comm);
  if (state == nullptr || count < 0 || !is_type(type) || op == MPI_OP_NULL)
    LEAVE_TO_THE_MPI(exscan, (sendbuf, recvbuf, count, type, op, comm));
  Reduction reduction = reduction_for(op, type);
  if (reduction.undefined) LEAVE_TO_THE_MPI(exscan, (sendbuf, recvbuf, count, type, op, comm));
  Call call = call_of(*state, Collective::exscan);
  call.count = static_cast<std::size_t>(count);
  return combine(*state, comm, call, sendbuf, recvbuf, call.count, call.count, type, op, reduction);
}

int tutti_force(const char* collective, const char* algorithm) {
  const auto which = collective_named(collective == nullptr ? "" : collective);
  if (!which) return MPI_ERR_ARG;
  try {
    force(*which, algorithm == nullptr ? "" : algorithm);
  } catch (const std::invalid_argument&) {
    return MPI_ERR_ARG;
  }
  return MPI_SUCCESS;
}

int tutti_count(const char* collective, const char* algorithm, unsigned long long* calls) {
  const auto which = collective_named(collective == nullptr ? "" : collective);
  if (!which || algorithm == nullptr || calls == nullptr) return MPI_ERR_ARG;
  *calls = calls_of(*which, algorithm);
  return MPI_SUCCESS;
}

}  // extern "C"
