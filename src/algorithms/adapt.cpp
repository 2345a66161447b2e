// What stands between a call and a generator.

#include "algorithms/adapt.hpp"

#include <algorithm>

#include "algorithms/pattern/lines.hpp"

namespace tutti::core::adapt {

namespace {

/// How many pieces to cut `elements` into: as asked, but none empty; Algorithm::resolve refuses
/// more than most_pieces.
int pieces_of(std::size_t asked, std::size_t elements) {
  return static_cast<int>(std::min({asked, std::max<std::size_t>(1, elements), most_pieces}));
}

}  // namespace

Group by_node(const Call& c) {
  if (!c.topology || c.topology->is_contiguous()) return all(c);
  return {c.topology->node_order(), c.rank};
}

Blocks by_node(const Call& c, const Blocks& blocks) {
  if (!c.topology || c.topology->is_contiguous()) return blocks;
  return blocks.in_order(c.topology->node_order());
}

Asked::operator Segments() const {
  const std::size_t bytes = elements_ * call_.element_bytes,
                    segment = value(ParameterKind::segment);
  return {pieces_of(std::max<std::size_t>(1, bytes / segment + (bytes % segment != 0)), elements_)};
}

Asked::operator Segment() const {
  return {
      std::clamp<std::size_t>(value(ParameterKind::segment) / call_.element_bytes, 1, elements_)};
}

Asked::operator Pieces() const { return {pieces_of(value(ParameterKind::blocks), elements_)}; }

Asked::operator Radix() const { return Radix::of(value(ParameterKind::radix), call_.p); }

Asked::operator Hybrid() const { return hybrid_of(parameters_); }

Asked asked(const Call& c, const Parameters& parameters, const Blocks& blocks) {
  std::size_t most = 1;
  for (int i = 0; i < blocks.size(); ++i) most = std::max(most, blocks.count(i));
  return {c, parameters, most};
}

Slice set_aside(Builder& b, const Call& c) {
  const Slice contribution{c.source(), 0, c.count};
  if (!c.in_place || c.p == 1) return contribution;
  const Slice aside = b.scratch(c.count);
  b.round();
  b.copy(contribution, aside);
  return aside;
}

Blocks passing_blocks(Builder& b, const Call& c, const Hybrid& mesh, const Slice& own) {
  const Group g = all(c);
  const auto [from, to] = Lines(g, mesh.shape).passing(c.root);
  const Slice room = to - from == 1 ? own : b.scratch((to - from) * c.count);
  return Blocks::equal(room, to - from, c.count, from);
}

}  // namespace tutti::core::adapt
