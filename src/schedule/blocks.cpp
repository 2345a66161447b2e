// Where blocks of a vector begin, whatever their sizes.

#include "schedule/blocks.hpp"

namespace tutti::core {

Blocks Blocks::of(const Slice& base, std::span<const std::size_t> counts, int first) {
  auto offsets = std::make_shared<std::vector<std::size_t>>(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) (*offsets)[i + 1] = (*offsets)[i] + counts[i];
  Blocks blocks;
  blocks.base_ = base;
  blocks.first_ = first;
  blocks.number_ = static_cast<int>(counts.size());
  blocks.offsets_ = std::move(offsets);
  return blocks;
}

Blocks Blocks::equal(const Slice& base, int number, std::size_t count, int first) {
  Blocks blocks;
  blocks.base_ = base;
  blocks.first_ = first;
  blocks.number_ = number;
  blocks.count_ = count;
  return blocks;
}

Blocks split(const Slice& vector, int number) {
  const auto n = static_cast<std::size_t>(number);
  Blocks blocks = Blocks::equal(vector, number, vector.count / n);
  blocks.longer_ = vector.count % n;
  return blocks;
}

std::size_t Blocks::count(int from, int to) const {
  if (!order_) return offset(to) - offset(from);
  std::size_t sum = 0;
  for (int i = from; i < to; ++i) sum += count(i);
  return sum;
}

Slices Blocks::range(int from, int to) const {
  if (from >= to) return {};
  if (order_) {
    Slices slices;
    for (int i = from; i < to; ++i) slices.push_back((*this)[i]);
    return slices;
  }
  if (!moved_ || *moved_ < from || *moved_ >= to)
    return {{base_.buffer, base_.offset + offset(from), count(from, to)}};
  Slices slices;
  if (from < *moved_)
    slices.push_back({base_.buffer, base_.offset + offset(from), count(from, *moved_)});
  slices.push_back(elsewhere_);
  if (*moved_ + 1 < to)
    slices.push_back({base_.buffer, base_.offset + offset(*moved_ + 1), count(*moved_ + 1, to)});
  return slices;
}

Slices Blocks::circular(int from, int number) const {
  const int end = from + number, wrapped = end - (first_ + number_);
  if (wrapped <= 0) return range(from, end);
  return join(range(from, first_ + number_), range(first_, first_ + wrapped));
}

Blocks Blocks::with(int block, const Slice& place) const {
  Blocks blocks = *this;
  blocks.moved_ = block;
  blocks.elsewhere_ = place;
  return blocks;
}

Blocks Blocks::in_order(std::vector<int> order) const {
  Blocks blocks = *this;
  blocks.order_ = std::make_shared<const std::vector<int>>(std::move(order));
  return blocks;
}

Slices join(Slices a, const Slices& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace tutti::core
