#pragma once

#include <memory>
#include <optional>
#include <span>

#include "schedule/slice.hpp"

namespace tutti::core {

/// Blocks first, first + 1, ... that stand one after the other in a slice. One of them may live
/// elsewhere (a rank's own block in its input, say); its gap in the slice then stays, or is closed.
class Blocks {
 public:
  /// Blocks of given sizes from `base.offset` on.
  static Blocks of(const Slice& base, std::span<const std::size_t> counts, int first = 0);
  /// `number` blocks of `count` elements each.
  static Blocks equal(const Slice& base, int number, std::size_t count, int first = 0);

  int size() const { return number_; }
  Slice operator[](int block) const {
    if (order_) block = (*order_)[block];
    return moved_ && block == *moved_ ? elsewhere_ : own(block);
  }
  std::size_t count(int block) const { return own(order_ ? (*order_)[block] : block).count; }
  /// Elements of blocks [from, to).
  std::size_t count(int from, int to) const;

  /// Blocks [from, to), as few slices as they need.
  Slices range(int from, int to) const;
  /// `number` blocks from `from` on, wrapping round after the last.
  Slices circular(int from, int number) const;

  /// The same blocks, but `block` lives in `place`.
  Blocks with(int block, const Slice& place) const;
  /// The same blocks, which are all numbered from 0 on, in another order: block i of them is
  /// `order[i]` of these.
  Blocks in_order(std::vector<int> order) const;

 private:
  friend Blocks split(const Slice& vector, int number);
  Slice own(int block) const {
    return {base_.buffer, base_.offset + offset(block), offset(block + 1) - offset(block)};
  }
  std::size_t offset(int block) const {
    const auto i = static_cast<std::size_t>(block - first_);
    return offsets_ ? (*offsets_)[i] : i * count_ + std::min(i, longer_);
  }

  Slice base_;
  int first_ = 0;
  int number_ = 0;
  std::size_t count_ = 0;   // of each block ...
  std::size_t longer_ = 0;  // ... and the first few have one more
  std::shared_ptr<const std::vector<std::size_t>> offsets_;
  std::shared_ptr<const std::vector<int>> order_;
  std::optional<int> moved_;
  Slice elsewhere_;
};

/// A vector cut into nearly equal blocks: the first (count mod number) have one element more.
Blocks split(const Slice& vector, int number);

/// Several lists of slices as one.
Slices join(Slices a, const Slices& b);

}  // namespace tutti::core
