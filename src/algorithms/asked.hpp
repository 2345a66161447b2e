#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

namespace tutti::core {

// What a generator may ask for behind its data: the type says which of the algorithm's parameters
// it gets, and in which form (see adapt.hpp; Hybrid: shape.hpp).

/// `segment`: how many segments of that size the vector makes.
struct Segments {
  int number;
};

/// `segment`, where each block is cut: its size.
struct Segment {
  std::size_t elements;
};

/// `blocks`: into how many pieces the vector, or each block, is cut.
struct Pieces {
  int number;
};

/// `radix`: parts of a range, or digits of a distance.
struct Radix {
  int value;

  /// One beyond p is as good as p.
  static Radix of(std::size_t asked, int p) {
    return {static_cast<int>(std::min<std::size_t>(asked, std::max(2, p)))};
  }
};

/// `leaders`: how many speak for a node.
struct Leaders {
  static constexpr std::size_t of_domains = 0;  // one for each

  std::optional<std::size_t> number{};  // none: the algorithm has no such parameter
};

}  // namespace tutti::core
