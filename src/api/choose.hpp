#pragma once

#include "algorithms/registry.hpp"

namespace tutti {

/// What every rank knows of the call's size: all bytes, where MPI demands that they be equal
/// everywhere; nothing, where only each pair of ranks need agree, or where there are none.
std::optional<std::size_t> common_bytes(const Call& call);

/// An algorithm for a call, the same on every rank.
struct Choice {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
  std::string why;
};

/// `request`: what was asked for by name (requests.hpp). `cores`: how many the ranks of a node
/// share, the same on every rank; 0: one for each. Throws std::runtime_error with a line that names
/// the call and the unmet condition if that cannot run.
Choice choose(const Call& call, int request, int cores);

}  // namespace tutti
