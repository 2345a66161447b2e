#pragma once

#include <cstddef>

/// For `tutti tune`: messages between nodes are cut so from now on, whatever a profile says, unless
/// TUTTI_PIECE does. All ranks call it at the same point.
extern "C" void tutti_tune_pieces(std::size_t bytes);
