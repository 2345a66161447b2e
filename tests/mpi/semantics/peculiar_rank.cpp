// Every rank takes the same road, whatever is peculiar to one of them.

#include "semantics.hpp"

namespace tutti::test {
namespace {

void vector_with_gaps(Type& type, int count) {
  MPI_Type_vector(count, 1, 2, MPI_INT, &type.handle);
  type.commit();
}

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

}  // namespace

const std::vector<Case> peculiar_rank_cases = {
    CASE(derived_type_on_one_rank), CASE(zero_count_on_one_rank), CASE(in_place_on_one_rank),
    CASE(unaligned_buffer_on_one_rank), CASE(parts_out_of_order_on_one_rank)};

}  // namespace tutti::test
