// What several cores of a node get out of its interface.

#include "tune/mpi/interface.hpp"

#include <algorithm>

#include "api/machine/exchange.hpp"
#include "measure/statistics.hpp"
#include "timing/stopwatch.hpp"
#include "tune/mpi/network.hpp"

namespace tutti::core {
namespace {

/// What one pair takes, over what each of so many pairs takes at once, times their number; by pass.
std::vector<std::vector<double>> factors_of(MPI_Comm comm, const std::vector<int>& counts,
                                            std::size_t bytes) {
  constexpr int passes = is_simulated ? 1 : 7, calls = 3;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  MPI_Comm own = MPI_COMM_NULL;
  PMPI_Comm_split(comm, rank / 2, rank, &own);
  Pair pair(own, false);
  std::vector<std::vector<double>> factors(counts.size());
  for (int pass = 0; pass < passes; ++pass) {
    double one = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      MPI_Comm group = MPI_COMM_NULL;
      const bool in = rank / 2 < counts[i];
      PMPI_Comm_split(comm, in ? 0 : MPI_UNDEFINED, rank, &group);
      double seconds = 0;
      if (in) {
        pair.exchange(bytes);
        seconds = most_of(group,
                          time_calls(
                              1, calls, [&] { PMPI_Barrier(group); }, [&] { pair.exchange(bytes); })
                              .front());
        PMPI_Comm_free(&group);
      }
      meet_asleep(comm);
      if (i == 0) one = seconds;
      factors[i].push_back(counts[i] * one / seconds);
    }
  }
  PMPI_Comm_free(&own);
  return factors;
}

}  // namespace

void measure_interface(MPI_Comm comm, Profile& profile) {
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  const Rates& rates = profile.rates;
  const auto bytes = static_cast<std::size_t>(
      std::clamp(20 * rates.alpha / std::max(rates.beta, 1e-12), 65536.0, 1048576.0));
  const int most = ranks / 2;
  std::vector<int> counts;
  for (int pairs = 1; pairs < most; pairs *= 2) counts.push_back(pairs);
  counts.push_back(most);
  const auto factors = factors_of(comm, counts, bytes);
  if (rank != 0) return;
  profile.interface.curve = {{1, 1.0}};
  double widest = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    const Median factor = median_of(factors[i]);
    profile.interface.curve.emplace_back(counts[i], factor.value);
    widest = std::max(widest, factor.half_width());
  }
  profile.uncertainty["interface"] = widest;
}

}  // namespace tutti::core
