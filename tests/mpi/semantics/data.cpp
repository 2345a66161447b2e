// Addresses, types and operators: what MPI says of them holds, and no handle is kept beyond a call.

#include <cstddef>

#include "semantics.hpp"

namespace tutti::test {
namespace {

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
    if (k % 2) MPI_Type_contiguous(4, MPI_INT, &type.handle);
#if MPI_VERSION >= 4
    else if (k % 4 == 0)
      MPI_Type_vector_c(4, 1, 2, MPI_INT, &type.handle);
#endif
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

}  // namespace

const std::vector<Case> data_cases = {CASE(absolute_addresses),
                                      CASE(exscan_leaves_rank_0_alone),
                                      CASE(operator_freed_after_the_call),
                                      CASE(type_freed_after_the_call),
                                      CASE(small_integers_wrap),
                                      CASE(all_ranks_get_the_same_bits),
                                      CASE(elements_of_many_bytes),
                                      CASE(a_message_above_two_gibibytes)};

}  // namespace tutti::test
