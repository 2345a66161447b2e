#pragma once

#include <string>

#include "select/predict.hpp"

namespace tutti::core {

/// The winner of every p (rows) and size (columns) as a letter, with what the letters stand for.
std::string map_text(const DecisionMap& map);

/// The same in colours: Figure 14 of the 2005 paper.
std::string map_svg(const DecisionMap& map);

}  // namespace tutti::core
