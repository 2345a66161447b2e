// Wrong calls: the error is the MPI's own.

#include "semantics.hpp"

namespace tutti::test {
namespace {

void same_class(const char* what, const std::function<int(bool)>& call) {
  const int native = class_of(call(true)), ours = class_of(call(false));
  expect(native == ours, fmt::format("{}: native class {}, tutti {}", what, native, ours));
}

void wrong_arguments_give_the_mpis_error() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  std::vector<int> a(static_cast<std::size_t>(4 * p)), b(a), negative(a.size(), -1), none(a.size());
  void* const x = a.data();
  void* const y = b.data();
  const MPI_Datatype no_type = MPI_DATATYPE_NULL;
#define SAME(what, name, NAME, ...)                                       \
  same_class(what, [&](bool native) {                                     \
    return native ? PMPI_##NAME(__VA_ARGS__) : tutti_##name(__VA_ARGS__); \
  })
  for (const int root : {p, -5, 1 << 30}) {
    SAME("bcast, wrong root", bcast, Bcast, x, 1, MPI_INT, root, comm);
    SAME("reduce, wrong root", reduce, Reduce, x, y, 1, MPI_INT, MPI_SUM, root, comm);
    SAME("gather, wrong root", gather, Gather, x, 1, MPI_INT, y, 1, MPI_INT, root, comm);
    SAME("scatter, wrong root", scatter, Scatter, x, 1, MPI_INT, y, 1, MPI_INT, root, comm);
    SAME("gatherv, wrong root", gatherv, Gatherv, x, 0, MPI_INT, y, none.data(), none.data(),
         MPI_INT, root, comm);
    SAME("scatterv, wrong root", scatterv, Scatterv, x, none.data(), none.data(), MPI_INT, y, 0,
         MPI_INT, root, comm);
  }
  SAME("bcast, negative count", bcast, Bcast, x, -1, MPI_INT, 0, comm);
  SAME("allgather, negative count", allgather, Allgather, x, -1, MPI_INT, y, -1, MPI_INT, comm);
  SAME("alltoall, negative count", alltoall, Alltoall, x, -1, MPI_INT, y, -1, MPI_INT, comm);
  SAME("reduce_scatter, negative count", reduce_scatter, Reduce_scatter, x, y, negative.data(),
       MPI_INT, MPI_SUM, comm);
  SAME("allgatherv, negative count", allgatherv, Allgatherv, x, -1, MPI_INT, y, negative.data(),
       none.data(), MPI_INT, comm);
  SAME("alltoallv, negative count", alltoallv, Alltoallv, x, negative.data(), none.data(), MPI_INT,
       y, negative.data(), none.data(), MPI_INT, comm);

  SAME("bcast, no type", bcast, Bcast, x, 1, no_type, 0, comm);
  SAME("allreduce, no type", allreduce, Allreduce, x, y, 1, no_type, MPI_SUM, comm);
  SAME("allgather, no type", allgather, Allgather, x, 1, no_type, y, 1, no_type, comm);
  SAME("allreduce, no operator", allreduce, Allreduce, x, y, 1, MPI_INT, MPI_OP_NULL, comm);
  SAME("reduce, no operator", reduce, Reduce, x, y, 1, MPI_INT, MPI_OP_NULL, 0, comm);
  SAME("scan, no operator", scan, Scan, x, y, 1, MPI_INT, MPI_OP_NULL, comm);
  for (const MPI_Op op : {MPI_BAND, MPI_LXOR, MPI_MINLOC})
    SAME("allreduce, operator not for doubles", allreduce, Allreduce, x, y, 1, MPI_DOUBLE, op,
         comm);
  Type pair;
  MPI_Type_contiguous(2, MPI_INT, &pair.handle);
  pair.commit();
  SAME("allreduce, sum of a derived type", allreduce, Allreduce, x, y, 1, pair.handle, MPI_SUM,
       comm);
  Type raw;
  MPI_Type_contiguous(2, MPI_INT, &raw.handle);
  std::vector<MPI_Datatype> raws(ranks(), raw.handle);
  SAME("bcast, type not committed", bcast, Bcast, x, 1, raw.handle, 0, comm);
  SAME("allgather, type not committed", allgather, Allgather, x, 1, raw.handle, y, 1, raw.handle,
       comm);
  SAME("alltoallw, type not committed", alltoallw, Alltoallw, x, none.data(), none.data(),
       raws.data(), y, none.data(), none.data(), raws.data(), comm);

  // A null communicator has no handler: the world's is asked.
  const MPI_Comm null = MPI_COMM_NULL;
  SAME("barrier, no communicator", barrier, Barrier, null);
  SAME("bcast, no communicator", bcast, Bcast, x, 1, MPI_INT, 0, null);
  SAME("allreduce, no communicator", allreduce, Allreduce, x, y, 1, MPI_INT, MPI_SUM, null);
  SAME("alltoall, no communicator", alltoall, Alltoall, x, 1, MPI_INT, y, 1, MPI_INT, null);
#ifndef MPICH  // crashes
  SAME("bcast, in place", bcast, Bcast, MPI_IN_PLACE, 1, MPI_INT, 0, comm);
#endif
  SAME("allreduce, in place as the result", allreduce, Allreduce, x, MPI_IN_PLACE, 1, MPI_INT,
       MPI_SUM, comm);
  SAME("allgather, in place as the result", allgather, Allgather, x, 1, MPI_INT, MPI_IN_PLACE, 1,
       MPI_INT, comm);
  check_sum(comm);
  MPI_Comm_free(&comm);
}

// MPICH 4.0.2 itself crashes here, so there is nothing to compare with.
void a_negative_count_of_a_reduction_is_an_error() {
  int x = 1, y = 0;
  const MPI_Comm comm = MPI_COMM_WORLD;
  for (const int code : {tutti_reduce(&x, &y, -1, MPI_INT, MPI_SUM, 0, comm),
                         tutti_allreduce(&x, &y, -1, MPI_INT, MPI_SUM, comm),
                         tutti_reduce_scatter_block(&x, &y, -1, MPI_INT, MPI_SUM, comm),
                         tutti_scan(&x, &y, -1, MPI_INT, MPI_SUM, comm),
                         tutti_exscan(&x, &y, -1, MPI_INT, MPI_SUM, comm)})
    expect(class_of(code) == MPI_ERR_COUNT, fmt::format("class {}", class_of(code)));
}

/// Rank 0 broadcasts 2 n numbers, rank 1 has room for n.
void broadcast_more_than_there_is_room_for(int n) {
  int classes[2] = {MPI_SUCCESS, MPI_SUCCESS};
  for (int side = 0; p > 1 && side < 2; ++side) {
    // What is left in flight stays on a communicator that nobody uses again.
    MPI_Comm pair = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
    if (pair == MPI_COMM_NULL) continue;
    MPI_Comm_set_errhandler(pair, MPI_ERRORS_RETURN);
    std::vector<int> list(static_cast<std::size_t>(2 * n));
    classes[side] = class_of(
        (side ? tutti_bcast : PMPI_Bcast)(list.data(), rank == 0 ? 2 * n : n, MPI_INT, 0, pair));
  }
  expect(classes[0] == classes[1],
         fmt::format("native class {}, tutti {}", classes[0], classes[1]));
}
void a_message_too_long_is_an_error() { broadcast_more_than_there_is_room_for(50); }
void a_message_of_many_pieces_too_long_is_an_error() {
  broadcast_more_than_there_is_room_for(100000);
}

}  // namespace

const std::vector<Case> error_cases = {
    CASE(wrong_arguments_give_the_mpis_error), CASE(a_negative_count_of_a_reduction_is_an_error),
    // Last: they leave broken communicators behind.
    CASE(a_message_too_long_is_an_error), CASE(a_message_of_many_pieces_too_long_is_an_error)};

}  // namespace tutti::test
