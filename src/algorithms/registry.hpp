#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::core {

/// The single table, in the order of the catalogue.
const std::vector<Algorithm>& registry();

/// All algorithms of one collective, in the order of the table.
std::vector<const Algorithm*> algorithms_of(Collective collective);

/// The algorithm that a parameter's value stands for. Throws std::invalid_argument if there is
/// none.
const Algorithm& inner_algorithm(Collective collective, std::size_t value);

}  // namespace tutti::core
