#pragma once

#include "execute/local_rank.hpp"

namespace tutti::core {

/// Opens the rank's round, of `p` ranks: refuses what cannot be carried out, and chains the actions
/// that write the same slices. All others must leave each other alone: then their order does not
/// matter.
void open_round(LocalRank& rank, Rank p, bool may_combine);

}  // namespace tutti::core
