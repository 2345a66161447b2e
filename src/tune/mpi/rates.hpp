#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "measure/fit.hpp"
#include "model/profile.hpp"

namespace tutti::core {

/// What messages of a level took, by size, and the lines through that.
struct Curve {
  std::string level;  // network or node
  std::string kind;   // exchange or one_way
  std::vector<Timing> points;
  std::vector<double> half_widths;  // of the points' intervals, as a share
  Line line;                        // through all
  std::vector<Stretch> stretches;   // with one line each
};

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
