// MPI's semantics, one small named case each.
//
//   mpirun -n 4 semantics [--only NAME] [--communicators 3000] [--large yes]
//
// Each case prints `ok NAME` or `failed NAME: why`; the last line counts them. --large moves one
// message of more than 2 GiB between two ranks (about 5 GiB of memory).

#include <fmt/format.h>
#include <tutti/tutti.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "cases.hpp"
#include "leaks.hpp"

namespace {

using tutti::test::Case;
using tutti::test::run_cases;

int rank = 0, p = 1, threads_granted = MPI_THREAD_SINGLE;
int communicators = 3000;
bool large = false;

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

void succeeds(int code, const char* call) {
  expect(code == MPI_SUCCESS, fmt::format("{} returned {}", call, code));
}
#define SUCCEEDS(call) succeeds(call, #call)

int class_of(int code) {
  int result = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &result);
  return result;
}

unsigned long long calls(const char* collective, const char* algorithm) {
  unsigned long long number = 0;
  SUCCEEDS(tutti_count(collective, algorithm, &number));
  return number;
}

/// A type that frees itself; what it describes stays the caller's business.
struct Type {
  MPI_Datatype handle = MPI_DATATYPE_NULL;
  Type() = default;
  Type(const Type&) = delete;
  ~Type() { free(); }
  void free() {
    if (handle != MPI_DATATYPE_NULL) MPI_Type_free(&handle);
  }
  MPI_Datatype* commit() {
    MPI_Type_commit(&handle);
    return &handle;
  }
};

void vector_with_gaps(Type& type, int count) {
  MPI_Type_vector(count, 1, 2, MPI_INT, &type.handle);
  type.commit();
}

/// What rank r sends as its i-th number.
int value(int r, int i) { return 1000 * r + i; }

std::vector<int> values(int r, int count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) list[static_cast<std::size_t>(i)] = value(r, i);
  return list;
}

const std::vector<int> sizes = {1, 50, 3000, 100000};

std::size_t ranks() { return static_cast<std::size_t>(p); }

// Every rank takes the same road, whatever is peculiar to one of them.

void derived_type_on_one_rank() {
  for (const int n : sizes) {
    Type gaps;
    vector_with_gaps(gaps, n);
    const bool peculiar = rank == p - 1;
    const auto step = static_cast<std::size_t>(peculiar ? 2 : 1);
    std::vector<int> buffer(2 * static_cast<std::size_t>(n), -1);
    const auto number = [&](int i) -> int& { return buffer[step * static_cast<std::size_t>(i)]; };
    for (int i = 0; rank == 0 && i < n; ++i) number(i) = value(7, i);
    SUCCEEDS(tutti_bcast(buffer.data(), peculiar ? 1 : n, peculiar ? gaps.handle : MPI_INT, 0,
                         MPI_COMM_WORLD));
    for (int i = 0; i < n; ++i) expect(number(i) == value(7, i), "bcast: wrong number");
    for (int i = 0; peculiar && i < n; ++i)
      expect(buffer[2 * static_cast<std::size_t>(i) + 1] == -1, "bcast: a gap was written");

    for (int i = 0; i < n; ++i) number(i) = value(rank, i);
    std::vector<int> all(static_cast<std::size_t>(n) * static_cast<std::size_t>(p));
    SUCCEEDS(tutti_allgather(buffer.data(), peculiar ? 1 : n, peculiar ? gaps.handle : MPI_INT,
                             all.data(), n, MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < p; ++r)
      expect(std::equal(all.begin() + r * n, all.begin() + (r + 1) * n, values(r, n).begin()),
             "allgather: wrong number");

    std::vector<int> at_root(all.size(), -1);
    SUCCEEDS(tutti_gather(buffer.data(), peculiar ? 1 : n, peculiar ? gaps.handle : MPI_INT,
                          at_root.data(), n, MPI_INT, 0, MPI_COMM_WORLD));
    expect(rank != 0 || at_root == all, "gather: wrong number");
  }
}

void zero_count_on_one_rank() {
  const auto ranks = static_cast<std::size_t>(p);
  int twice = 0, once = 0;  // without data one buffer may stand for both
  SUCCEEDS(
      tutti_allgather(&twice, 0, MPI_INT, rank == 0 ? &twice : &once, 0, MPI_INT, MPI_COMM_WORLD));
  for (const int n : sizes) {
    std::vector<int> counts(ranks, n), places(ranks);
    counts[ranks / 2] = 0;
    for (int r = 0; r < p; ++r) places[static_cast<std::size_t>(r)] = r * n;
    const int own = counts[static_cast<std::size_t>(rank)];
    const std::vector<int> mine = values(rank, n);
    const auto check = [&](const std::vector<int>& all, const char* what) {
      for (int r = 0; r < p; ++r)
        for (int i = 0; i < n; i += 97) {
          const int expected = i < counts[static_cast<std::size_t>(r)] ? value(r, i) : -1;
          expect(all[static_cast<std::size_t>(r * n + i)] == expected, what);
        }
    };
    std::vector<int> all(ranks * static_cast<std::size_t>(n), -1), again(all), root_only(all);
    SUCCEEDS(tutti_allgatherv(mine.data(), own, MPI_INT, all.data(), counts.data(), places.data(),
                              MPI_INT, MPI_COMM_WORLD));
    check(all, "allgatherv: wrong number");
    SUCCEEDS(tutti_gatherv(mine.data(), own, MPI_INT, root_only.data(), counts.data(),
                           places.data(), MPI_INT, p - 1, MPI_COMM_WORLD));
    if (rank == p - 1) check(root_only, "gatherv: wrong number");
    std::vector<int> part(static_cast<std::size_t>(n), -1);
    SUCCEEDS(tutti_scatterv(root_only.data(), counts.data(), places.data(), MPI_INT, part.data(),
                            own, MPI_INT, p - 1, MPI_COMM_WORLD));
    expect(own == 0 ? part[0] == -1 : part == mine, "scatterv: wrong number");

    // Nothing to and from the rank in the middle.
    const std::vector<int> nothing(ranks, 0);
    const std::vector<int>& mine_to = own == 0 ? nothing : counts;
    std::vector<int> to_all(ranks * static_cast<std::size_t>(n));
    for (int r = 0; r < p; ++r) std::copy(mine.begin(), mine.end(), to_all.begin() + r * n);
    SUCCEEDS(tutti_alltoallv(to_all.data(), mine_to.data(), places.data(), MPI_INT, again.data(),
                             mine_to.data(), places.data(), MPI_INT, MPI_COMM_WORLD));
    if (own > 0) check(again, "alltoallv: wrong number");

    std::vector<int> sum(static_cast<std::size_t>(n), -1);
    SUCCEEDS(tutti_reduce_scatter(to_all.data(), sum.data(), counts.data(), MPI_INT, MPI_MAX,
                                  MPI_COMM_WORLD));
    expect(own > 0 || sum[0] == -1, "reduce_scatter: wrote nobody's block");
  }
}

void in_place_on_one_rank() {
  for (const int n : sizes) {
    const auto count = static_cast<std::size_t>(n);
    std::vector<int> mine = values(rank, n), result(count);
    const int total = 1000 * p * (p - 1) / 2;
    std::vector<int> root = mine;
    SUCCEEDS(tutti_reduce(rank == 0 ? MPI_IN_PLACE : mine.data(), root.data(), n, MPI_INT, MPI_SUM,
                          0, MPI_COMM_WORLD));
    for (int i = 0; rank == 0 && i < n; ++i)
      expect(root[static_cast<std::size_t>(i)] == total + p * i, "reduce: wrong sum");

    std::vector<int> all(count * static_cast<std::size_t>(p), -1);
    std::copy(mine.begin(), mine.end(), all.begin() + rank * n);
    SUCCEEDS(tutti_gather(rank == 0 ? MPI_IN_PLACE : mine.data(), n, MPI_INT, all.data(), n,
                          MPI_INT, 0, MPI_COMM_WORLD));
    for (int r = 0; rank == 0 && r < p; ++r)
      expect(all[static_cast<std::size_t>(r * n)] == value(r, 0), "gather: wrong number");
    SUCCEEDS(tutti_scatter(all.data(), n, MPI_INT,
                           rank == 0 ? MPI_IN_PLACE : static_cast<void*>(result.data()), n, MPI_INT,
                           0, MPI_COMM_WORLD));
    expect(rank == 0 || result == mine, "scatter: wrong number");

    std::vector<int> prefix = mine;
    SUCCEEDS(tutti_scan(rank % 2 ? MPI_IN_PLACE : mine.data(), prefix.data(), n, MPI_INT, MPI_SUM,
                        MPI_COMM_WORLD));
    expect(prefix[count - 1] == 1000 * rank * (rank + 1) / 2 + (rank + 1) * (n - 1),
           "scan: wrong sum");
  }
}

void unaligned_buffer_on_one_rank() {
  for (const int n : sizes) {
    const auto bytes = 8 * static_cast<std::size_t>(n);
    std::vector<char> memory(bytes + 16), received(memory);
    char* const mine = memory.data() + (rank == p - 1 ? 3 : 0);
    char* const sum = received.data() + (rank == 0 ? 5 : 0);
    for (int i = 0; i < n; ++i) {
      const double x = rank + i % 7;
      std::memcpy(mine + 8 * i, &x, 8);
    }
    SUCCEEDS(tutti_allreduce(mine, sum, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; ++i) {
      double x = 0;
      std::memcpy(&x, sum + 8 * i, 8);
      expect(x == p * (p - 1) / 2 + p * (i % 7), "allreduce: wrong sum");
    }
    SUCCEEDS(tutti_bcast(mine, n, MPI_DOUBLE, 0, MPI_COMM_WORLD));
    double last = 0;
    std::memcpy(&last, mine + bytes - 8, 8);
    expect(last == (n - 1) % 7, "bcast: wrong number");
  }
}

// Addresses, types and operators.

void add_ints(void* in, void* inout, int* count, MPI_Datatype* type) {
  MPI_Aint lb = 0, extent = 0, true_lb = 0, true_extent = 0;
  MPI_Type_get_extent(*type, &lb, &extent);
  MPI_Type_get_true_extent(*type, &true_lb, &true_extent);
  for (int i = 0; i < *count; ++i) {
    int x = 0, y = 0;
    char* const at = static_cast<char*>(inout) + true_lb + i * extent;
    std::memcpy(&x, static_cast<char*>(in) + true_lb + i * extent, 4);
    std::memcpy(&y, at, 4);
    y += x;
    std::memcpy(at, &y, 4);
  }
}
void keep_larger(void* in, void* inout, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i)
    static_cast<int*>(inout)[i] = std::max(static_cast<int*>(inout)[i], static_cast<int*>(in)[i]);
}
void keep_left(void* in, void* inout, int* count, MPI_Datatype*) {
  std::memcpy(inout, in, 4 * static_cast<std::size_t>(*count));
}

void absolute(Type& type, std::vector<int>& list) {
  MPI_Aint address = 0;
  MPI_Get_address(list.data(), &address);
  int count = static_cast<int>(list.size());
  MPI_Datatype each = MPI_INT;
  MPI_Type_create_struct(1, &count, &address, &each, &type.handle);
  type.commit();
}

void absolute_addresses() {
  for (const int n : {1, 1000, 50000}) {
    std::vector<int> mine = values(rank == 0 ? 0 : 99, n);
    Type type;
    absolute(type, mine);
    SUCCEEDS(tutti_bcast(MPI_BOTTOM, 1, type.handle, 0, MPI_COMM_WORLD));
    expect(mine == values(0, n), "bcast: wrong number");

    // Copied, so that the numbers stay where the type says.
    const std::vector<int> numbers = values(rank, n);
    std::copy(numbers.begin(), numbers.end(), mine.begin());
    std::vector<int> all(static_cast<std::size_t>(n) * static_cast<std::size_t>(p));
    SUCCEEDS(tutti_allgather(MPI_BOTTOM, 1, type.handle, all.data(), n, MPI_INT, MPI_COMM_WORLD));
    expect(all.back() == value(p - 1, n - 1), "allgather: wrong number");

    std::vector<int> gathered(all.size());
    Type whole;
    absolute(whole, gathered);
    // One rank's block of everything is everything: a root of one.
    SUCCEEDS(
        tutti_gather(all.data(), p * n, MPI_INT, MPI_BOTTOM, 1, whole.handle, 0, MPI_COMM_SELF));
    expect(gathered == all, "gather: wrong number");
  }
  std::vector<int> one = {rank + 1};
  Type type;
  absolute(type, one);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_ints, 1, &op);
  SUCCEEDS(tutti_allreduce(MPI_IN_PLACE, MPI_BOTTOM, 1, type.handle, op, MPI_COMM_WORLD));
  MPI_Op_free(&op);
  expect(one[0] == p * (p + 1) / 2, "allreduce: wrong sum");
}

void parts_out_of_order_on_one_rank() {
  // No gaps, but the second number stands first.
  Type swapped;
  const int lengths[] = {1, 1};
  const MPI_Aint at[] = {4, 0};
  const MPI_Datatype each[] = {MPI_INT, MPI_INT};
  MPI_Type_create_struct(2, lengths, at, each, &swapped.handle);
  swapped.commit();
  const bool peculiar = rank == p - 1;
  for (const int n : sizes) {
    const auto number = [&](std::vector<int>& list, int i) -> int& {
      return list[static_cast<std::size_t>(peculiar ? i ^ 1 : i)];
    };
    const int count = peculiar ? n : 2 * n;
    const MPI_Datatype type = peculiar ? swapped.handle : MPI_INT;
    for (const int root : {0, p - 1}) {
      std::vector<int> list(2 * static_cast<std::size_t>(n), -1);
      for (int i = 0; rank == root && i < 2 * n; ++i) number(list, i) = value(root, i);
      SUCCEEDS(tutti_bcast(list.data(), count, type, root, MPI_COMM_WORLD));
      for (int i = 0; i < 2 * n; ++i)
        expect(number(list, i) == value(root, i), "bcast: wrong number");
    }
    std::vector<int> mine(2 * static_cast<std::size_t>(n)), all(mine.size() * ranks());
    for (int i = 0; i < 2 * n; ++i) number(mine, i) = value(rank, i);
    SUCCEEDS(tutti_allgather(mine.data(), count, type, all.data(), 2 * n, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < 2 * n * p; ++i)
      expect(all[static_cast<std::size_t>(i)] == value(i / (2 * n), i % (2 * n)),
             "allgather: wrong number");
  }
}

void exscan_leaves_rank_0_alone() {
  for (const int n : sizes) {
    const std::vector<int> mine = values(rank, n);
    std::vector<int> before(mine.size(), -77);
    SUCCEEDS(tutti_exscan(mine.data(), before.data(), n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; ++i)
      expect(before[static_cast<std::size_t>(i)] ==
                 (rank == 0 ? -77 : 1000 * rank * (rank - 1) / 2 + rank * i),
             "wrong number");
  }
}

void operator_freed_after_the_call() {
  for (int k = 0; k < 60; ++k) {
    // Handles are used again: the next operator may look like the last.
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(k % 3 == 0 ? add_ints : k % 3 == 1 ? keep_larger : keep_left, k % 3 != 2, &op);
    const int mine = rank + 1;
    int result = 0;
    SUCCEEDS(tutti_allreduce(&mine, &result, 1, MPI_INT, op, MPI_COMM_WORLD));
    MPI_Op_free(&op);
    expect(result == (k % 3 == 0 ? p * (p + 1) / 2 : k % 3 == 1 ? p : 1), "wrong result");
  }
}

void type_freed_after_the_call() {
  for (int k = 0; k < 60; ++k) {
    // Types of equal size, some with gaps: a cache by handle would mix them up.
    Type type;
    if (k % 2)
      MPI_Type_contiguous(4, MPI_INT, &type.handle);
    else
      MPI_Type_vector(4, 1, 2, MPI_INT, &type.handle);
    type.commit();
    std::vector<int> list(8, -1);
    const std::size_t step = k % 2 ? 1 : 2;
    for (std::size_t i = 0; rank == 0 && i < 4; ++i) list[i * step] = k + static_cast<int>(i);
    SUCCEEDS(tutti_bcast(list.data(), 1, type.handle, 0, MPI_COMM_WORLD));
    type.free();
    for (std::size_t i = 0; i < 8; ++i)
      expect(list[i] == (i % step == 0 && i / step < 4 ? k + static_cast<int>(i / step) : -1),
             "wrong number");
  }
}

void small_integers_wrap() {
  const std::vector<signed char> bytes(100, 100);
  std::vector<signed char> sums(100);
  SUCCEEDS(
      tutti_allreduce(bytes.data(), sums.data(), 100, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD));
  for (const signed char sum : sums)
    expect(sum == static_cast<signed char>(100 * p), "signed char does not wrap");
  const std::vector<unsigned short> shorts(100, 60000);
  std::vector<unsigned short> totals(100);
  SUCCEEDS(tutti_allreduce(shorts.data(), totals.data(), 100, MPI_UNSIGNED_SHORT, MPI_SUM,
                           MPI_COMM_WORLD));
  for (const unsigned short total : totals)
    expect(total == static_cast<unsigned short>(60000 * p), "unsigned short does not wrap");
}

void all_ranks_get_the_same_bits() {
  for (const int n : sizes) {
    std::vector<double> mine(static_cast<std::size_t>(n)), sums(mine), first(mine);
    for (int i = 0; i < n; ++i) mine[static_cast<std::size_t>(i)] = 1.0 / (1 + 13 * i + 7 * rank);
    SUCCEEDS(tutti_allreduce(mine.data(), sums.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    first = sums;
    PMPI_Bcast(first.data(), n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    expect(std::memcmp(first.data(), sums.data(), 8 * sums.size()) == 0,
           "another sum than rank 0's");
  }
}

// Communicators.

void check_sum(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  const int one = 1;
  int sum = 0;
  SUCCEEDS(tutti_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
  expect(sum == size, "wrong sum");
}

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

// Progress and threads.

void two_threads_on_two_communicators() {
  if (threads_granted < MPI_THREAD_MULTIPLE) return;
  MPI_Comm comms[2];
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::string wrong[2];
  const auto work = [&](int which) {
    try {
      for (int k = 0; k < 100; ++k) {
        const int n = k % 5 == 0 ? 20000 : 1 + k;
        const std::vector<int> mine(static_cast<std::size_t>(n), rank + which);
        std::vector<int> sums(mine.size());
        SUCCEEDS(tutti_allreduce(mine.data(), sums.data(), n, MPI_INT, MPI_SUM, comms[which]));
        expect(sums.back() == p * (p - 1) / 2 + p * which, "wrong sum");
        SUCCEEDS(tutti_bcast(sums.data(), n, MPI_INT, k % p, comms[which]));
      }
    } catch (const std::exception& error) {
      wrong[which] = error.what();
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  for (const std::string& text : wrong) expect(text.empty(), text);
}

void a_pending_send_keeps_moving() {
  if (p < 2) return;
  constexpr int bytes = 64 << 20;
  std::vector<char> data(rank < 2 ? bytes : 0, static_cast<char>(rank == 0 ? 5 : 0));
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(data.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
  // Rank 1 enters only when it has all, which takes rank 0's help from inside the collective.
  if (rank == 1) MPI_Recv(data.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check_sum(MPI_COMM_WORLD);
  SUCCEEDS(tutti_barrier(MPI_COMM_WORLD));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(rank != 1 || (data.front() == 5 && data.back() == 5), "the message is wrong");
}

// Operations that are prepared.

/// An operation, what it is to give, and what it gave.
struct Prepared {
  const char* name = "";
  std::vector<int> out;
  std::function<int(int)> expected;  // -1: left alone
  tutti_operation handle = nullptr;

  Prepared() = default;
  Prepared(const Prepared&) = delete;
  ~Prepared() {
    if (handle != nullptr) tutti_free(&handle);
  }
  void check() const {
    for (std::size_t i = 0; i < out.size(); ++i)
      expect(out[i] == expected(static_cast<int>(i)), fmt::format("{}: wrong number", name));
  }
};

/// All collectives, with blocks of n numbers.
class AllPrepared {
 public:
  AllPrepared(int n, MPI_Comm comm)
      : all_(n * p), mine_(values(rank, all_)), counts_(ranks(), n), types_(ranks(), MPI_INT) {
    for (int i = 0; i < p; ++i) places_.push_back(i * n), bytes_.push_back(4 * i * n);
    const int root = p - 1, total = 500 * p * (p - 1);
    const void* const in = mine_.data();
    const int *const counts = counts_.data(), *const places = places_.data();
    const MPI_Datatype type = MPI_INT;
    const auto at_root = [=](int x) { return rank == root ? x : -1; };
    const auto block = [=](int i) { return value(i / n, i % n); };
    const auto exchanged = [=](int i) { return value(i / n, rank * n + i % n); };
    const auto scattered = [=](int i) { return value(root, rank * n + i); };
    const auto sum = [=](int i) { return total + p * i; };
#define PREPARE(collective, length, expected, ...)                                         \
  {                                                                                        \
    void* const out =                                                                      \
        add(#collective, length, [=]([[maybe_unused]] int i) -> int { return expected; }); \
    (void)out;                                                                             \
    SUCCEEDS(tutti_##collective##_init(__VA_ARGS__, &list.back()->handle));                \
  }
    PREPARE(barrier, 0, -1, comm)
    PREPARE(bcast, all_, value(root, i), out, all_, type, root, comm)
    PREPARE(scatter, n, scattered(i), in, n, type, out, n, type, root, comm)
    PREPARE(scatterv, n, scattered(i), in, counts, places, type, out, n, type, root, comm)
    PREPARE(gather, all_, at_root(block(i)), in, n, type, out, n, type, root, comm)
    PREPARE(gatherv, all_, at_root(block(i)), in, n, type, out, counts, places, type, root, comm)
    PREPARE(allgather, all_, block(i), in, n, type, out, n, type, comm)
    PREPARE(allgatherv, all_, block(i), in, n, type, out, counts, places, type, comm)
    PREPARE(reduce, all_, at_root(sum(i)), in, out, all_, type, MPI_SUM, root, comm)
    PREPARE(allreduce, all_, sum(i), in, out, all_, type, MPI_SUM, comm)
    PREPARE(reduce_scatter, n, sum(rank * n + i), in, out, counts, type, MPI_SUM, comm)
    PREPARE(reduce_scatter_block, n, sum(rank * n + i), in, out, n, type, MPI_SUM, comm)
    PREPARE(alltoall, all_, exchanged(i), in, n, type, out, n, type, comm)
    PREPARE(alltoallv, all_, exchanged(i), in, counts, places, type, out, counts, places, type,
            comm)
    PREPARE(alltoallw, all_, exchanged(i), in, counts, bytes_.data(), types_.data(), out, counts,
            bytes_.data(), types_.data(), comm)
    PREPARE(scan, all_, 500 * rank * (rank + 1) + (rank + 1) * i, in, out, all_, type, MPI_SUM,
            comm)
    PREPARE(exscan, all_, rank == 0 ? -1 : 500 * rank * (rank - 1) + rank * i, in, out, all_, type,
            MPI_SUM, comm)
#undef PREPARE
  }

  void start() {
    for (const auto& each : list) {
      std::fill(each->out.begin(), each->out.end(), -1);
      if (each->name == std::string("bcast") && rank == p - 1) each->out = mine_;
      succeeds(tutti_start(each->handle), each->name);
    }
  }
  void check() const {
    for (const auto& each : list) each->check();
  }

  std::vector<std::unique_ptr<Prepared>> list;

 private:
  int* add(const char* name, int length, std::function<int(int)> expected) {
    list.push_back(std::make_unique<Prepared>());
    list.back()->name = name;
    list.back()->out.resize(static_cast<std::size_t>(length));
    list.back()->expected = std::move(expected);
    return list.back()->out.data();
  }

  int all_;
  std::vector<int> mine_, counts_, places_, bytes_;
  std::vector<MPI_Datatype> types_;
};

void prepared_operations_waited_in_any_order() {
  for (const int n : {1, 20000}) {
    AllPrepared all(n, MPI_COMM_WORLD);
    const std::size_t number = all.list.size();
    for (int k = 0; k < 3; ++k) {
      all.start();
      // Some forwards, some backwards, some from the middle.
      for (std::size_t i = 0; i < number; ++i) {
        const std::size_t which = rank % 3 == 0   ? i
                                  : rank % 3 == 1 ? number - 1 - i
                                                  : (i + number / 2) % number;
        succeeds(tutti_wait(all.list[which]->handle), all.list[which]->name);
      }
      all.check();
    }
    // Freeing waits.
    all.start();
    for (const auto& each : all.list) {
      succeeds(tutti_free(&each->handle), each->name);
      expect(each->handle == nullptr, "a freed operation keeps its handle");
    }
    all.check();
  }
}

void prepared_operations_beside_blocking_calls() {
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (const int n : {1, 20000}) {
    AllPrepared all(n, MPI_COMM_WORLD);
    for (int k = 0; k < 3; ++k) {
      const auto block = [&] {
        check_sum(MPI_COMM_WORLD);
        check_sum(other);
        SUCCEEDS(tutti_barrier(MPI_COMM_WORLD));
      };
      const auto wait = [&] {
        for (const auto& each : all.list) succeeds(tutti_wait(each->handle), each->name);
      };
      all.start();
      // Some wait in the blocking calls first, some for the operations.
      if ((rank + k) % 2 == 0) block();
      wait();
      if ((rank + k) % 2 != 0) block();
      all.check();
    }
  }
  MPI_Comm_free(&other);
}

void a_prepared_operation_restarted() {
  int mine = 0, sum = 0;
  Prepared all;
  SUCCEEDS(tutti_allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &all.handle));
  int done = 0;
  SUCCEEDS(tutti_test(all.handle, &done));
  expect(done == 1, "an operation that was never started is not done");
  for (int k = 0; k < 500; ++k) {
    mine = rank + k;
    sum = -1;
    SUCCEEDS(tutti_start(all.handle));
    if (k == 0) expect(tutti_start(all.handle) == MPI_ERR_REQUEST, "started while under way");
    for (done = k % 2; !done;) SUCCEEDS(tutti_test(all.handle, &done));
    SUCCEEDS(tutti_wait(all.handle));
    expect(sum == p * (p - 1) / 2 + p * k, "wrong sum");
  }
  expect(tutti_start(nullptr) == MPI_ERR_REQUEST && tutti_wait(nullptr) == MPI_ERR_REQUEST,
         "no operation is no error");
}

void communicator_freed_while_an_operation_is_pending() {
  for (const int n : {1, 100000}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const std::vector<int> mine = values(rank, n);
    std::vector<int> sums(mine.size());
    Prepared all;
    SUCCEEDS(
        tutti_allreduce_init(mine.data(), sums.data(), n, MPI_INT, MPI_SUM, comm, &all.handle));
    SUCCEEDS(tutti_start(all.handle));
    MPI_Comm_free(&comm);
    for (int k = 0; k < 2; ++k) {
      SUCCEEDS(tutti_wait(all.handle));
      for (int i = 0; i < n; ++i)
        expect(sums[static_cast<std::size_t>(i)] == 500 * p * (p - 1) + p * i, "wrong sum");
      std::fill(sums.begin(), sums.end(), -1);
      SUCCEEDS(tutti_start(all.handle));
    }
    SUCCEEDS(tutti_free(&all.handle));
  }
}

void a_prepared_operation_of_the_mpi() {
  const unsigned long long before = calls("allreduce", "native");
  for (const int n : {1, 20000}) {
    const std::vector<int> mine = values(rank, n);
    std::vector<int> sums(mine.size());
    SUCCEEDS(tutti_force("allreduce", "native"));
    Prepared all;
    const int code = tutti_allreduce_init(mine.data(), sums.data(), n, MPI_INT, MPI_SUM,
                                          MPI_COMM_WORLD, &all.handle);
    SUCCEEDS(tutti_force("allreduce", nullptr));
    succeeds(code, "tutti_allreduce_init");
    for (int k = 0; k < 3; ++k) {
      std::fill(sums.begin(), sums.end(), -1);
      SUCCEEDS(tutti_start(all.handle));
      check_sum(MPI_COMM_WORLD);
      SUCCEEDS(tutti_wait(all.handle));
      expect(sums.back() == 500 * p * (p - 1) + p * (n - 1), "wrong sum");
    }
  }
  expect(calls("allreduce", "native") == before + 6, "not counted as native");
}

void wrong_arguments_of_a_prepared_operation() {
  int x = 0, y = 0;
  const auto class_of_start = [](int code, Prepared& prepared) {
    if (code == MPI_SUCCESS) code = tutti_start(prepared.handle);
    return class_of(code);
  };
  Prepared root, count, op;
  expect(class_of_start(tutti_bcast_init(&x, 1, MPI_INT, p, MPI_COMM_WORLD, &root.handle), root) ==
             MPI_ERR_ROOT,
         "bcast, wrong root");
  expect(class_of_start(tutti_bcast_init(&x, -1, MPI_INT, 0, MPI_COMM_WORLD, &count.handle),
                        count) == MPI_ERR_COUNT,
         "bcast, negative count");
  expect(class_of_start(
             tutti_allreduce_init(&x, &y, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD, &op.handle),
             op) == MPI_ERR_OP,
         "allreduce, no operator");
  check_sum(MPI_COMM_WORLD);
}

void an_algorithm_for_the_next_call() {
  const auto number_of = [](const char* text) {
    int number = -1;
    SUCCEEDS(tutti_algorithm(text, &number));
    return number;
  };
  int number = -1;
  expect(tutti_algorithm("allreduce/no_such_algorithm", &number) == MPI_ERR_ARG,
         "unknown algorithm taken");
  expect(tutti_use_next(-1) == MPI_ERR_ARG && tutti_use_next(1 << 20) == MPI_ERR_ARG,
         "unknown number taken");
  expect(number_of(nullptr) == 0 && number_of("") == 0, "no algorithm is not number 0");
  expect(number_of("native") == number_of("native"), "the MPI's own has two numbers");
  // Whatever is forced, and for one call only.
  SUCCEEDS(tutti_force("allreduce", "linear"));
  const unsigned long long ring = calls("allreduce", "ring"), linear = calls("allreduce", "linear");
  SUCCEEDS(tutti_use_next(number_of("allreduce/ring")));
  check_sum(MPI_COMM_WORLD);
  check_sum(MPI_COMM_WORLD);
  expect(calls("allreduce", "ring") == ring + 1, "a blocking call did not use it");
  expect(calls("allreduce", "linear") == linear + 1,
         "the call after it did not use what is forced");
  int mine = rank, sum = 0;
  Prepared all;
  SUCCEEDS(tutti_use_next(number_of("allreduce/ring")));
  SUCCEEDS(tutti_allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &all.handle));
  SUCCEEDS(tutti_force("allreduce", nullptr));
  for (int k = 0; k < 2; ++k) {
    SUCCEEDS(tutti_start(all.handle));
    SUCCEEDS(tutti_wait(all.handle));
    expect(sum == p * (p - 1) / 2, "wrong sum");
  }
  expect(calls("allreduce", "ring") == ring + 3, "a prepared call did not use it");
  // The MPI's own.
  const unsigned long long own = calls("allreduce", "native");
  SUCCEEDS(tutti_use_next(number_of("native")));
  check_sum(MPI_COMM_WORLD);
  expect(p == 1 || calls("allreduce", "native") == own + 1, "the MPI's own did not run");
  // An algorithm of another collective: this call fails, and no other.
  SUCCEEDS(tutti_use_next(number_of("bcast/binomial")));
  const int code = tutti_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(code != MPI_SUCCESS, "allreduce ran with an algorithm of bcast");
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  expect(std::strstr(text, "bcast/binomial") && std::strstr(text, "is no algorithm of allreduce"),
         fmt::format("the error says '{}'", text));
  check_sum(MPI_COMM_WORLD);
}

/// The same arguments again, but what their lists hold has changed. Lists that mean nothing on a
/// rank point nowhere.
void lists_changed_between_calls() {
  const auto ranks = static_cast<std::size_t>(p);
  std::vector<int> counts(ranks), places(ranks), bytes(ranks), from(3 * ranks), to(3 * ranks);
  std::vector<MPI_Datatype> types(ranks);
  int* const nowhere = reinterpret_cast<int*>(16);
  for (int k = 0; k < 12; ++k) {
    const bool turned = k % 4 >= 2;  // each twice in a row
    for (std::size_t r = 0; r < ranks; ++r) {
      counts[r] = turned ? 1 : 2;
      places[r] = static_cast<int>(turned ? 3 * (ranks - 1 - r) : 3 * r);
      bytes[r] = places[r] * static_cast<int>(sizeof(int));
      types[r] = turned ? MPI_FLOAT : MPI_INT;
    }
    const int n = counts[0];
    const auto fill = [&] {
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = 100 * rank + static_cast<int>(i) + k;
      std::fill(to.begin(), to.end(), -1);
    };
    /// Block r of `to` holds what rank r gave, from its place `at` on.
    const auto check = [&](const char* what, const std::function<int(int)>& at) {
      for (int r = 0; r < p; ++r)
        for (int i = 0; i < 3; ++i)
          expect(to[static_cast<std::size_t>(places[static_cast<std::size_t>(r)] + i)] ==
                     (i < n ? 100 * r + at(r) + i + k : -1),
                 fmt::format("{}, call {}", what, k));
    };
    const auto first = [](int) { return 0; };
    const auto mine = [&](int) { return places[static_cast<std::size_t>(rank)]; };
    fill();
    SUCCEEDS(tutti_allgatherv(from.data(), n, MPI_INT, to.data(), counts.data(), places.data(),
                              MPI_INT, MPI_COMM_WORLD));
    check("allgatherv", first);
    fill();
    SUCCEEDS(tutti_alltoallv(from.data(), counts.data(), places.data(), MPI_INT, to.data(),
                             counts.data(), places.data(), MPI_INT, MPI_COMM_WORLD));
    check("alltoallv", mine);
    fill();
    SUCCEEDS(tutti_alltoallw(from.data(), counts.data(), bytes.data(), types.data(), to.data(),
                             counts.data(), bytes.data(), types.data(), MPI_COMM_WORLD));
    check("alltoallw", mine);
    fill();
    int* const there = rank == 0 ? counts.data() : nowhere;
    int* const where = rank == 0 ? places.data() : nowhere;
    SUCCEEDS(tutti_gatherv(from.data(), n, MPI_INT, to.data(), there, where, MPI_INT, 0,
                           MPI_COMM_WORLD));
    if (rank == 0) check("gatherv", first);
    fill();
    SUCCEEDS(tutti_scatterv(from.data(), there, where, MPI_INT, to.data(), n, MPI_INT, 0,
                            MPI_COMM_WORLD));
    expect(to[0] == places[static_cast<std::size_t>(rank)] + k &&
               to[static_cast<std::size_t>(n)] == -1,
           fmt::format("scatterv, call {}", k));
    fill();
    SUCCEEDS(tutti_reduce_scatter(from.data(), to.data(), counts.data(), MPI_INT, MPI_MAX,
                                  MPI_COMM_WORLD));
    expect(to[0] == 100 * (p - 1) + n * rank + k && to[static_cast<std::size_t>(n)] == -1,
           fmt::format("reduce_scatter, call {}", k));
  }
}

#if MPI_VERSION >= 4
/// Lists of int and of MPI_Count in one place, the first half of whose bytes are the same.
void lists_of_small_and_large_counts() {
  if (p != 2) return;
  alignas(MPI_Count) char counts[2 * sizeof(MPI_Count)] = {};
  alignas(MPI_Aint) char places[2 * sizeof(MPI_Aint)] = {};
  const int small[2] = {1, 0};
  const MPI_Count large_counts[2] = {1, 1};
  const MPI_Aint large_places[2] = {0, 1};
  for (int k = 0; k < 4; ++k) {
    const int mine = 10 * rank + k;
    int all[2] = {-1, -1};
    std::memcpy(counts, small, sizeof(small));
    std::memset(places, 0, sizeof(places));
    SUCCEEDS(tutti_allgatherv(&mine, small[rank], MPI_INT, all, reinterpret_cast<int*>(counts),
                              reinterpret_cast<int*>(places), MPI_INT, MPI_COMM_WORLD));
    expect(all[0] == k && all[1] == -1, fmt::format("small counts, call {}", k));
    std::memcpy(counts, large_counts, sizeof(large_counts));
    std::memcpy(places, large_places, sizeof(large_places));
    SUCCEEDS(tutti_allgatherv_c(&mine, 1, MPI_INT, all, reinterpret_cast<MPI_Count*>(counts),
                                reinterpret_cast<MPI_Aint*>(places), MPI_INT, MPI_COMM_WORLD));
    expect(all[0] == k && all[1] == 10 + k, fmt::format("large counts, call {}", k));
  }
}
#endif

/// Twelve calls that come again and again, each with more algorithms than it remembers, among a
/// hundred that push others out.
void many_calls_in_turn() {
  std::vector<int> algorithms{0};
  for (int segment = 4; segment <= 160; segment += 4) {
    algorithms.emplace_back();
    const std::string text = fmt::format("bcast/chain:segment={}", segment);
    SUCCEEDS(tutti_algorithm(text.c_str(), &algorithms.back()));
  }
  std::vector<int> in(400), out(400);
  for (int k = 0; k < 3000; ++k) {
    const int which = k % 2 == 0 ? (k / 2) % 12 : (k * 37) % 100;
    const int count = 1 + (which * 37) % 97, from = (which * 13) % 300, root = which % p;
    for (int i = 0; i < count; ++i) in[from + i] = rank + i + k;
    if (which % 3 == 0) {
      SUCCEEDS(tutti_allreduce(&in[from], &out[from], count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
      for (int i = 0; i < count; ++i)
        expect(out[from + i] == p * (i + k) + p * (p - 1) / 2,
               fmt::format("call {}: wrong sum", k));
      continue;
    }
    SUCCEEDS(tutti_use_next(algorithms[static_cast<std::size_t>(k / 5) % algorithms.size()]));
    SUCCEEDS(tutti_bcast(&in[from], count, MPI_INT, root, MPI_COMM_WORLD));
    for (int i = 0; i < count; ++i)
      expect(in[from + i] == root + i + k, fmt::format("call {}: wrong broadcast", k));
  }
}

// Errors.

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

void forcing_an_algorithm() {
  expect(tutti_force("allreduce", "no_such_algorithm") == MPI_ERR_ARG, "unknown algorithm taken");
  expect(tutti_force("no_such_collective", "ring") == MPI_ERR_ARG, "unknown collective taken");
  expect(tutti_force("bcast", "chain:segment=never") == MPI_ERR_ARG, "bad parameter taken");
  unsigned long long number = 0;
  expect(tutti_count("allreduce", "no_such_algorithm", &number) == MPI_ERR_ARG,
         "unknown algorithm counted");
  for (const char* name : {"ring", "recursive_doubling", "native"}) {
    SUCCEEDS(tutti_force("allreduce", name));
    const unsigned long long before = calls("allreduce", name);
    check_sum(MPI_COMM_WORLD);
    SUCCEEDS(tutti_force("allreduce", nullptr));
    expect(calls("allreduce", name) == before + 1, fmt::format("{} was not counted", name));
  }
  if (p < 2) return;
  // The ring needs a commutative operator: an error, not another algorithm.
  SUCCEEDS(tutti_force("allreduce", "ring"));
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(keep_left, 0, &op);
  const std::vector<int> mine(100, rank);
  std::vector<int> result(100);
  const int code = tutti_allreduce(mine.data(), result.data(), 100, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  SUCCEEDS(tutti_force("allreduce", ""));
  expect(code != MPI_SUCCESS, "a forced algorithm that cannot run did not fail");
  check_sum(MPI_COMM_WORLD);
}

void add_bytes(void* in, void* inout, int* count, MPI_Datatype* type) {
  int size = 0;
  MPI_Type_size(*type, &size);
  for (long i = 0; i < static_cast<long>(size) * *count; ++i)
    static_cast<unsigned char*>(inout)[i] += static_cast<unsigned char*>(in)[i];
}

/// Larger than what ranks of a node write for each other at a time.
void elements_of_many_bytes() {
  constexpr int bytes = 300 << 10, count = 2;
  Type type;
  MPI_Type_contiguous(bytes, MPI_BYTE, &type.handle);
  type.commit();
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_bytes, 1, &op);
  const std::vector<unsigned char> mine(bytes * count, static_cast<unsigned char>(rank + 1));
  std::vector<unsigned char> result(mine.size());
  const auto holds = [&](int sum, const char* what) {
    for (const unsigned char each : result)
      expect(each == static_cast<unsigned char>(sum), fmt::format("{}: a wrong byte", what));
  };
  SUCCEEDS(tutti_allreduce(mine.data(), result.data(), count, type.handle, op, MPI_COMM_WORLD));
  holds(p * (p + 1) / 2, "allreduce");
  SUCCEEDS(tutti_reduce(mine.data(), result.data(), count, type.handle, op, 0, MPI_COMM_WORLD));
  if (rank == 0) holds(p * (p + 1) / 2, "reduce");
  SUCCEEDS(tutti_scan(mine.data(), result.data(), count, type.handle, op, MPI_COMM_WORLD));
  holds((rank + 1) * (rank + 2) / 2, "scan");
  MPI_Op_free(&op);
}

void a_message_above_two_gibibytes() {
  if (!large || p != 2) return;
  constexpr std::size_t piece = 1u << 20, pieces = 2049;
  std::vector<unsigned char> data(piece * pieces);
  const auto at = [](std::size_t i) { return static_cast<unsigned char>((i * 2654435761u) >> 24); };
  for (std::size_t i = 0; rank == 0 && i < data.size(); ++i) data[i] = at(i);
  Type type;
  MPI_Type_contiguous(piece, MPI_BYTE, &type.handle);
  type.commit();
  SUCCEEDS(tutti_bcast(data.data(), pieces, type.handle, 0, MPI_COMM_WORLD));
  for (std::size_t i = 0; i < data.size(); ++i) expect(data[i] == at(i), "wrong byte");
  // The same as one element of a type that is as large.
  Type whole;
  MPI_Type_contiguous(pieces, type.handle, &whole.handle);
  whole.commit();
  if (rank == 1) std::fill(data.begin(), data.end(), static_cast<unsigned char>(0));
  SUCCEEDS(tutti_bcast(data.data(), 1, whole.handle, 0, MPI_COMM_WORLD));
  for (std::size_t i = 0; i < data.size(); ++i) expect(data[i] == at(i), "wrong byte of one");
}

/// One rank meets the others on a new communicator while they still wait for what is pending.
void a_first_collective_beside_a_pending_operation() {
  MPI_Comm fresh = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
  const std::vector<int> mine(30000, rank + 1);
  std::vector<int> sum(mine.size());
  tutti_operation pending = nullptr;
  SUCCEEDS(tutti_allreduce_init(mine.data(), sum.data(), static_cast<int>(mine.size()), MPI_INT,
                                MPI_SUM, MPI_COMM_WORLD, &pending));
  SUCCEEDS(tutti_start(pending));
  if (rank == 0) SUCCEEDS(tutti_barrier(fresh));
  SUCCEEDS(tutti_wait(pending));
  if (rank != 0) SUCCEEDS(tutti_barrier(fresh));
  SUCCEEDS(tutti_free(&pending));
  MPI_Comm_free(&fresh);
  for (const int each : sum) expect(each == p * (p + 1) / 2, "wrong sum");
}

const std::vector<Case> cases = {
    CASE(derived_type_on_one_rank), CASE(zero_count_on_one_rank), CASE(in_place_on_one_rank),
    CASE(unaligned_buffer_on_one_rank), CASE(absolute_addresses),
    CASE(parts_out_of_order_on_one_rank), CASE(exscan_leaves_rank_0_alone),
    CASE(operator_freed_after_the_call), CASE(type_freed_after_the_call), CASE(small_integers_wrap),
    CASE(all_ranks_get_the_same_bits), CASE(communicator_freed_and_another_made),
    CASE(thousands_of_communicators), CASE(many_communicators_at_once),
    CASE(attributes_and_error_handlers_untouched), CASE(intercommunicators_go_to_the_mpi),
    CASE(one_rank), CASE(two_threads_on_two_communicators), CASE(a_pending_send_keeps_moving),
    CASE(prepared_operations_waited_in_any_order), CASE(prepared_operations_beside_blocking_calls),
    CASE(a_prepared_operation_restarted), CASE(communicator_freed_while_an_operation_is_pending),
    CASE(a_prepared_operation_of_the_mpi), CASE(wrong_arguments_of_a_prepared_operation),
    CASE(an_algorithm_for_the_next_call), CASE(many_calls_in_turn),
    CASE(lists_changed_between_calls),
#if MPI_VERSION >= 4
    CASE(lists_of_small_and_large_counts),
#endif
    CASE(wrong_arguments_give_the_mpis_error), CASE(a_negative_count_of_a_reduction_is_an_error),
    CASE(a_first_collective_beside_a_pending_operation), CASE(forcing_an_algorithm),
    CASE(elements_of_many_bytes), CASE(a_message_above_two_gibibytes),
    // Last: they leave broken communicators behind.
    CASE(a_message_too_long_is_an_error), CASE(a_message_of_many_pieces_too_long_is_an_error)};

int run(int argc, char** argv) {
  std::string only;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], text = argv[i + 1];
    if (name == "--only")
      only = text;
    else if (name == "--communicators")
      communicators = std::stoi(text);
    else if (name == "--large")
      large = text == "yes";
    else
      throw std::invalid_argument(fmt::format("unknown option '{}'", name));
  }
  return run_cases(cases, only, 300);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads_granted);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int code = 2;
  try {
    code = run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "semantics: {}\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  if (tutti::test::loses_memory()) code = 1;
  MPI_Finalize();
  return code;
}
