#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "model/profile.hpp"
#include "tune/samples.hpp"

namespace tutti::core {

struct MeasuredRates {
  Profile profile;
  std::vector<Curve> curves;
  std::vector<std::string> remarks;  // what is not measured here, and why
};

/// Thrown on all ranks alike after interrupt().
struct Interrupted {};

/// Told on rank 0: the share of all that is done, and what comes now.
using Report = std::function<void(double share, const std::string& what)>;

/// Measures the rates of this machine, in about so many seconds: the network between the first and
/// the last node, Tutti's messages within a node, what several cores of a node get out of its
/// interface, reductions. Messages are those of Tutti's own calls, cut and carried as in any
/// collective. Collective; the same on all ranks.
MeasuredRates measure_rates(MPI_Comm world, double budget, const Report& report);

}  // namespace tutti::core
