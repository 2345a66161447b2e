// Communicators of all kinds, thousands of them, and what users have attached to them.

#include "semantics.hpp"

namespace tutti::test {
namespace {

void communicator_freed_and_another_made() {
  for (int k = 0; k < 30; ++k) {
    MPI_Comm comm = MPI_COMM_NULL;
    if (k % 3 == 0)
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else
      MPI_Comm_split(MPI_COMM_WORLD, rank % k, k % 2 ? rank : -rank, &comm);
    check_sum(comm);
    check_sum(comm);
    MPI_Comm_free(&comm);
  }
}

void thousands_of_communicators() {
  for (int k = 0; k < communicators; ++k) {
    MPI_Comm comm = MPI_COMM_NULL;
    SUCCEEDS(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    check_sum(comm);
    MPI_Comm_free(&comm);
  }
}

void many_communicators_at_once() {
  std::vector<MPI_Comm> alive(static_cast<std::size_t>(std::min(300, communicators)));
  for (MPI_Comm& comm : alive) {
    SUCCEEDS(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    check_sum(comm);
  }
  for (const MPI_Comm comm : alive) check_sum(comm);
  for (MPI_Comm& comm : alive) MPI_Comm_free(&comm);
}

int copies = 0, deletions = 0, handled = 0;
int count_copy(MPI_Comm, int, void*, void* in, void* out, int* flag) {
  ++copies;
  *static_cast<void**>(out) = in;
  *flag = 1;
  return MPI_SUCCESS;
}
int count_delete(MPI_Comm, int, void*, void*) {
  ++deletions;
  return MPI_SUCCESS;
}
void count_error(MPI_Comm*, int*, ...) { ++handled; }

void attributes_and_error_handlers_untouched() {
  copies = deletions = handled = 0;
  int key = MPI_KEYVAL_INVALID, mark = 0;
  MPI_Comm comm = MPI_COMM_NULL, other = MPI_COMM_NULL;
  MPI_Comm_create_keyval(count_copy, count_delete, &key, nullptr);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, key, &mark);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL, seen = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  check_sum(comm);
  SUCCEEDS(tutti_barrier(comm));
  expect(copies == 0 && deletions == 0, "a collective ran the user's attribute callbacks");
  MPI_Comm_get_errhandler(comm, &seen);
  expect(seen == handler, "the error handler changed");

  int number = 0;
  tutti_bcast(&number, -1, MPI_INT, 0, comm);
  expect(handled == 1, fmt::format("the user's error handler ran {} times, not once", handled));

  MPI_Comm_dup(comm, &other);
  expect(copies == 1, "a dup copies the attribute once");
  MPI_Comm_free(&comm);
  expect(deletions == 1, "a free deletes the attribute once");
  check_sum(other);
  MPI_Comm_free(&other);
  expect(copies == 1 && deletions == 2, "the copy's attribute is deleted once");
  MPI_Errhandler_free(&seen);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free_keyval(&key);
}

void intercommunicators_go_to_the_mpi() {
  if (p < 2) return;
  const bool low = rank < p / 2;
  MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? p / 2 : 0, 5, &inter);
  const unsigned long long before = calls("allreduce", "native");
  SUCCEEDS(tutti_barrier(inter));
  const int one = 1;
  int sum = 0, word = rank == 0 ? 42 : 0;
  SUCCEEDS(tutti_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
  expect(sum == (low ? p - p / 2 : p / 2), "allreduce: not the other group's sum");
  SUCCEEDS(tutti_bcast(&word, 1, MPI_INT, !low ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter));
  expect(low || word == 42, "bcast: wrong number");
  expect(calls("allreduce", "native") == before + 1, "not counted as native");
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

void one_rank() {
  const MPI_Comm self = MPI_COMM_SELF;
  const int one = 1, zero = 0, x = 17;
  MPI_Datatype type = MPI_INT;
  const std::vector<std::function<int(int*)>> all = {
      [&](int* y) { return *y = x, tutti_barrier(self); },
      [&](int* y) { return *y = x, tutti_bcast(y, 1, type, 0, self); },
      [&](int* y) { return tutti_scatter(&x, 1, type, y, 1, type, 0, self); },
      [&](int* y) { return tutti_scatterv(&x, &one, &zero, type, y, 1, type, 0, self); },
      [&](int* y) { return tutti_gather(&x, 1, type, y, 1, type, 0, self); },
      [&](int* y) { return tutti_gatherv(&x, 1, type, y, &one, &zero, type, 0, self); },
      [&](int* y) { return tutti_allgather(&x, 1, type, y, 1, type, self); },
      [&](int* y) { return tutti_allgatherv(&x, 1, type, y, &one, &zero, type, self); },
      [&](int* y) { return tutti_reduce(&x, y, 1, type, MPI_SUM, 0, self); },
      [&](int* y) { return tutti_allreduce(&x, y, 1, type, MPI_SUM, self); },
      [&](int* y) { return tutti_reduce_scatter(&x, y, &one, type, MPI_SUM, self); },
      [&](int* y) { return tutti_reduce_scatter_block(&x, y, 1, type, MPI_SUM, self); },
      [&](int* y) { return tutti_alltoall(&x, 1, type, y, 1, type, self); },
      [&](int* y) { return tutti_alltoallv(&x, &one, &zero, type, y, &one, &zero, type, self); },
      [&](int* y) { return tutti_alltoallw(&x, &one, &zero, &type, y, &one, &zero, &type, self); },
      [&](int* y) { return tutti_scan(&x, y, 1, type, MPI_SUM, self); },
      [&](int* y) { return *y = x, tutti_exscan(&zero, y, 1, type, MPI_SUM, self); }};
  for (std::size_t i = 0; i < all.size(); ++i) {
    int y = 0;
    succeeds(all[i](&y), "a collective of one rank");
    expect(y == x, fmt::format("collective number {}: wrong number", i));
  }
}

}  // namespace

const std::vector<Case> communicator_cases = {
    CASE(communicator_freed_and_another_made), CASE(thousands_of_communicators),
    CASE(many_communicators_at_once),          CASE(attributes_and_error_handlers_untouched),
    CASE(intercommunicators_go_to_the_mpi),    CASE(one_rank)};

}  // namespace tutti::test
