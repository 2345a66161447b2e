#pragma once

#include <mpi.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

/// All that is needed to repeat a measurement: host, MPI, layout, environment, commit. Collective;
/// complete on rank 0.
nlohmann::ordered_json provenance(MPI_Comm world, int argc, char** argv);

/// `0`, `0-3,8` or `0-12:4` (every fourth): numbers in rising order.
std::string ranges(const std::vector<int>& numbers);

/// What Tutti sees of a communicator's nodes. Collective.
std::shared_ptr<const Topology> topology_seen(MPI_Comm comm);

}  // namespace tutti::core
