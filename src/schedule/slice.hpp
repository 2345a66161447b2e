#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::core {

using Rank = int;

/// A machine of more is a slip of the pen.
inline constexpr int most_ranks = 1 << 24;

/// The memory a schedule may name. Never an address: buffers are bound when a plan starts.
enum class Buffer : std::uint8_t { input, output, scratch };

/// `count` elements of a buffer, from element `offset` on.
struct Slice {
  Buffer buffer = Buffer::scratch;
  std::size_t offset = 0;
  std::size_t count = 0;

  std::size_t end() const { return offset + count; }
  /// Elements [from, from + size) of this slice.
  Slice part(std::size_t from, std::size_t size) const { return {buffer, offset + from, size}; }
  bool overlaps(const Slice& other) const {
    return buffer == other.buffer && offset < other.end() && other.offset < end();
  }
  bool operator==(const Slice&) const = default;
};

/// Slices that travel as one message, in this order.
using Slices = std::vector<Slice>;

inline std::size_t count_of(const Slices& slices) {
  std::size_t count = 0;
  for (const Slice& slice : slices) count += slice.count;
  return count;
}

}  // namespace tutti::core
