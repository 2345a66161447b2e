#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::core {

/// result = left op right, for `count` elements. The result may stand where an operand stands.
using Reduction = std::function<void(const std::byte* left, const std::byte* right,
                                     std::byte* result, std::size_t count)>;

/// A rank's input, output and scratch in a local execution, each between guards.
class LocalMemory {
 public:
  using Bytes = std::vector<std::byte>;

  explicit LocalMemory(std::size_t element_bytes = 1) : element_bytes_(element_bytes) {}

  std::size_t element_bytes() const { return element_bytes_; }

  /// Makes a buffer anew.
  void set(Buffer buffer, const Bytes& content) { buffer_at(buffer) = Guarded(content); }
  bool holds(const Slice& slice) const;
  std::span<const std::byte> bytes_of(Buffer buffer) const {
    return buffers_[static_cast<int>(buffer)].bytes();
  }
  std::span<std::byte> bytes_of(const Slice& slice) {
    return buffer_at(slice.buffer)
        .bytes()
        .subspan(slice.offset * element_bytes_, slice.count * element_bytes_);
  }
  Bytes gather(std::span<const Slice> slices);
  /// Writes what has come for the action to its slices, or combines it with what stands there.
  void apply(const Action& action, std::span<const Slice> slices, const Bytes& bytes,
             const Reduction& reduction);
  /// Nobody has touched the guards.
  bool intact() const;

 private:
  /// Bytes between two guards that nobody may touch.
  class Guarded {
   public:
    explicit Guarded(const Bytes& content = {});
    std::span<std::byte> bytes() { return std::span(all_).subspan(guard, all_.size() - 2 * guard); }
    std::span<const std::byte> bytes() const { return const_cast<Guarded*>(this)->bytes(); }
    bool intact() const;

   private:
    static constexpr std::size_t guard = 64;
    Bytes all_;
  };

  Guarded& buffer_at(Buffer buffer) { return buffers_[static_cast<int>(buffer)]; }

  std::size_t element_bytes_;
  std::array<Guarded, 3> buffers_;
};

}  // namespace tutti::core
