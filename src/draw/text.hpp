#pragma once

#include <string>

#include "draw/picture.hpp"

namespace tutti::core {

/// Step by step: who sends what to whom, and who holds what when the step is over.
std::string draw_text(const Picture& picture, std::size_t width = 100);

/// The line without the blanks at its end, and its end.
std::string without_trailing_blanks(std::string line);

}  // namespace tutti::core
