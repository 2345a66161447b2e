// A rank's buffers in a local execution, between guards.

#include "execute/local_memory.hpp"

#include <algorithm>

namespace tutti::core {

namespace {

constexpr std::byte guard_value{0xa5};

}  // namespace

LocalMemory::Guarded::Guarded(const Bytes& content)
    : all_(content.size() + 2 * guard, guard_value) {
  std::copy(content.begin(), content.end(), bytes().begin());
}

bool LocalMemory::Guarded::intact() const {
  const auto is_guard = [](std::byte b) { return b == guard_value; };
  return std::all_of(all_.begin(), all_.begin() + guard, is_guard) &&
         std::all_of(all_.end() - guard, all_.end(), is_guard);
}

bool LocalMemory::holds(const Slice& slice) const {
  const std::size_t elements = bytes_of(slice.buffer).size() / element_bytes_;
  return slice.offset <= elements && slice.count <= elements - slice.offset;
}

LocalMemory::Bytes LocalMemory::gather(std::span<const Slice> slices) {
  Bytes bytes;
  for (const Slice& slice : slices) {
    const std::span<const std::byte> more = bytes_of(slice);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

void LocalMemory::apply(const Action& action, std::span<const Slice> slices, const Bytes& bytes,
                        const Reduction& reduction) {
  const std::byte* incoming = bytes.data();
  for (const Slice& slice : slices) {
    const std::span<std::byte> mine = bytes_of(slice);
    if (!action.combines())
      std::copy_n(incoming, mine.size(), mine.begin());
    else if (action.side == Side::left)
      reduction(incoming, mine.data(), mine.data(), slice.count);
    else
      reduction(mine.data(), incoming, mine.data(), slice.count);
    incoming += mine.size();
  }
}

bool LocalMemory::intact() const {
  return std::ranges::all_of(buffers_, [](const Guarded& buffer) { return buffer.intact(); });
}

}  // namespace tutti::core
