#pragma once

#include <mpi.h>

#include "model/profile.hpp"
#include "tune/samples.hpp"

namespace tutti::core {

/// What two ranks of a node found out about their messages, as its rates in a profile. Collective
/// over the two. `cores`: of the node.
void set_node_rates(MPI_Comm comm, const Samples& samples, int cores, Profile& profile);

/// What a core needs to change from one rank to another: from small calls of all ranks of a node,
/// beside what they would take if cores changed their ranks in no time. Collective over those
/// ranks, which outnumber the cores. `budget`: seconds.
void set_switching(MPI_Comm comm, double budget, Profile& profile);

}  // namespace tutti::core
