#pragma once

#include <mpi.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "timing/memory_limit.hpp"
#include "timing/simulated.hpp"
#include "timing/stopwatch.hpp"
#include "tune/decide.hpp"

namespace tutti::core {

/// The ranks of a communicator: all do what rank 0 asks for, which is the only one to call
/// measure().
class MpiTeam : public Team {
 public:
  using Json = nlohmann::ordered_json;

  /// Collective.
  MpiTeam(MPI_Comm comm, const std::shared_ptr<const Topology>& topology, const Ranking& ranking)
      : comm_(comm), ranking_(ranking), memory_(comm, topology), stopwatch_(comm) {}

  std::vector<std::vector<double>> measure(const std::vector<Cell>& cells,
                                           const std::vector<std::string>& names, int repetitions,
                                           bool first_time) override;
  double seconds() const override { return PMPI_Wtime(); }
  bool is_interrupted() const override { return core::is_interrupted(); }
  Noise noise() const override { return is_simulated ? Noise::none : Noise::some; }

  /// On rank 0: there is no more to do, and this came out.
  void end(const Json& outcome);
  /// On the others: does what rank 0 asks for, until the end; what came out.
  Json follow_all();

 private:
  std::vector<std::vector<double>> follow(const std::string& order);
  void measure_cell(const Cell& cell, const std::vector<std::string>& names,
                    const std::vector<char>& goes, int repetitions,
                    std::vector<std::vector<double>>& sums);
  /// If it does not that is not ours to mend, and no reason to lose the rest. A simulation takes
  /// long for it, and ends if it fails.
  bool try_native(const std::vector<Cell>& cells);

  const MPI_Comm comm_;
  const Ranking& ranking_;
  const MemoryLimit memory_;
  Stopwatch stopwatch_;
};

}  // namespace tutti::core
