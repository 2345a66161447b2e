#pragma once

#include "draw/picture.hpp"

namespace tutti::core {

/// Ranks as columns, steps as rows: arrows for messages, boxes for what each rank holds when the
/// step is over.
std::string draw_svg(const Picture& picture);

}  // namespace tutti::core
