#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "algorithms/registry.hpp"
#include "measure/grid.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

/// The memory of the hosts, which must hold the buffers of their ranks, what results are compared
/// with, and what a call takes. All ranks give the same answers.
class MemoryLimit {
 public:
  /// Collective.
  MemoryLimit(MPI_Comm comm, std::shared_ptr<const Topology> topology);

  /// Why a cell's buffers do not fit, or cannot be counted; empty if they do.
  std::string lack(const Cell& cell) const;
  /// The same with a call of the MPI's own.
  std::string lack_for_native(const Cell& cell) const;
  /// The same with a call of an algorithm.
  std::string lack_for(const Algorithm& algorithm, const Cell& cell) const;

 private:
  /// `more`: of a rank, beside the buffers.
  std::string lack(const Cell& cell, double more) const;
  /// By far: nothing to be counted.
  bool fits(const Cell& cell, double more) const;

  const std::shared_ptr<const Topology> topology_;
  double bytes_ = 0;  // of the smallest host
};

}  // namespace tutti::core
