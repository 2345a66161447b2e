// Calls that come again: what is remembered of the first must not be taken for what has changed.

#include <cstdint>

#include "semantics.hpp"

namespace tutti::test {
namespace {

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

}  // namespace

const std::vector<Case> repeated_cases = {
    CASE(many_calls_in_turn),
    CASE(lists_changed_between_calls),
#if MPI_VERSION >= 4
    CASE(lists_of_small_and_large_counts),
#endif
};

}  // namespace tutti::test
