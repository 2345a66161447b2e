#pragma once

// What stands between a call and a generator: where the rank's data are, what is copied where
// first, and what in place means. One function template per collective; the registry names the
// generator.

#include <algorithm>
#include <type_traits>

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/lines.hpp"
#include "algorithms/pattern/splitting.hpp"
#include "algorithms/registry.hpp"
#include "algorithms/shape.hpp"

namespace tutti::core::front {

inline Group all(const Call& c) { return Group::all(c.p, c.rank); }

/// For rings: the ranks in the order of their nodes, where it is known and another than theirs, so
/// that each node has one way in and one way out.
inline Group by_node(const Call& c) {
  if (!c.topology || c.topology->is_contiguous()) return all(c);
  return {c.topology->node_order(), c.rank};
}
/// The blocks of those ranks, in this order.
inline Blocks by_node(const Call& c, const Blocks& blocks) {
  if (!c.topology || c.topology->is_contiguous()) return blocks;
  return blocks.in_order(c.topology->node_order());
}

/// How many pieces to cut `elements` into: as asked, but none empty; Algorithm::resolve refuses
/// more than most_pieces.
inline int pieces_of(std::size_t asked, std::size_t elements) {
  return static_cast<int>(std::min({asked, std::max<std::size_t>(1, elements), most_pieces}));
}
/// How many segments of `segment` bytes the vector makes.
inline int segments_of(const Call& c, const Parameters& parameters) {
  const std::size_t bytes = c.count * c.element_bytes, segment = parameters.at("segment");
  return pieces_of(std::max<std::size_t>(1, bytes / segment + (bytes % segment != 0)), c.count);
}

/// A radix beyond p is as good as p.
inline int radix_of(const Call& c, const Parameters& parameters) {
  return static_cast<int>(std::min<std::size_t>(parameters.at("radix"), std::max(2, c.p)));
}

/// More long dimensions than there are is as good as all of them.
inline Hybrid hybrid_of(const Parameters& parameters) {
  Hybrid hybrid{dimensions_of(parameters.at("shape"))};
  if (const auto longs = parameters.find("long"); longs != parameters.end())
    hybrid.longs = static_cast<int>(std::min(longs->second, hybrid.shape.size()));
  return hybrid;
}

template <auto generator>
void barrier(Builder& b, const Call& c, const Parameters&) {
  generator(b, all(c));
}

/// A generator with a root and a vector, with or without a mesh, a number of parts or a radix.
template <auto generator>
void rooted(Builder& b, const Call& c, const Parameters& parameters, const Slice& vector) {
  using F = decltype(generator);
  if constexpr (std::is_invocable_v<F, Builder&, const Group&, int, const Slices&>)
    generator(b, all(c), c.root, {vector});
  else if constexpr (std::is_invocable_v<F, Builder&, const Group&, int, const Slice&>)
    generator(b, all(c), c.root, vector);
  else if constexpr (std::is_invocable_v<F, Builder&, const Group&, int, const Slice&,
                                         const Hybrid&>)
    generator(b, all(c), c.root, vector, hybrid_of(parameters));
  else if (parameters.contains("segment"))
    generator(b, all(c), c.root, vector, segments_of(c, parameters));
  else if (parameters.contains("radix"))
    generator(b, all(c), c.root, vector, radix_of(c, parameters));
  else
    generator(b, all(c), c.root, vector, pieces_of(parameters.at("blocks"), c.count));
}

template <auto generator>
void bcast(Builder& b, const Call& c, const Parameters& parameters) {
  rooted<generator>(b, c, parameters, {Buffer::output, 0, c.count});
}

/// Only the root has a result; the others combine in scratch.
template <auto generator>
void reduce(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice vector =
      c.rank == c.root ? Slice{Buffer::output, 0, c.count} : b.scratch(c.p > 1 ? c.count : 0);
  b.round();
  if (!c.in_place && vector.count > 0) b.copy({Buffer::input, 0, c.count}, vector);
  rooted<generator>(b, c, parameters, vector);
}

template <auto generator, bool node_ordered = false>
void allreduce(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice vector{Buffer::output, 0, c.count};
  b.round();
  if (!c.in_place) b.copy({Buffer::input, 0, c.count}, vector);
  if constexpr (std::is_invocable_v<decltype(generator), Builder&, const Group&, const Slice&,
                                    const Hybrid&>)
    generator(b, all(c), vector, hybrid_of(parameters));
  else if constexpr (std::is_invocable_v<decltype(generator), Builder&, const Group&, const Slice&,
                                         bool>)
    generator(b, all(c), vector, c.commutative);
  else
    generator(b, node_ordered ? by_node(c) : all(c), vector);
}

/// For generators that read the contribution apart from the result: in place it is set aside first.
inline Slice set_aside(Builder& b, const Call& c) {
  const Slice contribution{c.source(), 0, c.count};
  if (!c.in_place || c.p == 1) return contribution;
  const Slice aside = b.scratch(c.count);
  b.round();
  b.copy(contribution, aside);
  return aside;
}

template <auto generator>
void allreduce_apart(Builder& b, const Call& c, const Parameters&) {
  const Slice contribution = set_aside(b, c);
  if (c.in_place && c.p == 1) return;
  generator(b, all(c), contribution, {Buffer::output, 0, c.count});
}

/// A tree by range splitting into radix parts.
template <auto generator>
constexpr bool splits =
    std::is_invocable_v<decltype(generator), Builder&, const Group&, int, const Blocks&, int>;

/// Scatter and gather: the root's blocks stand in its buffer; a rank that speaks for others keeps
/// theirs in scratch, its own stays where it belongs.
template <auto generator>
Blocks subtree_blocks(Builder& b, const Call& c, const Parameters& parameters, const Slice& own) {
  const int end = splits<generator> ? part_end(c.p, c.root, radix_of(c, parameters), c.rank)
                                    : subtree_end(c.p, c.root, c.rank);
  const int below = end - c.rank - 1;
  return Blocks::equal(b.scratch(below * c.count), below, c.count, c.rank + 1).with(c.rank, own);
}

template <auto generator>
void along_tree(Builder& b, const Call& c, const Parameters& parameters, const Blocks& blocks) {
  if constexpr (splits<generator>)
    generator(b, all(c), c.root, blocks, radix_of(c, parameters));
  else
    generator(b, all(c), c.root, blocks);
}

template <auto generator>
void scatter(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice own{Buffer::output, 0, c.count};
  if (c.rank != c.root)
    return along_tree<generator>(b, c, parameters,
                                 subtree_blocks<generator>(b, c, parameters, own));
  const Blocks blocks = c.blocks_in(Buffer::input);
  b.round();
  if (!c.in_place) b.copy(blocks[c.rank], own);
  along_tree<generator>(b, c, parameters, blocks);
}

template <auto generator>
void gather(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice own{Buffer::input, 0, c.count};
  if (c.rank != c.root)
    return along_tree<generator>(b, c, parameters,
                                 subtree_blocks<generator>(b, c, parameters, own));
  const Blocks blocks = c.blocks_in(Buffer::output);
  b.round();
  if (!c.in_place) b.copy(own, blocks[c.rank]);
  along_tree<generator>(b, c, parameters, blocks);
}

/// Over a mesh a rank's own block stands among those that pass through it: all in scratch, unless
/// it is the only one.
inline Blocks passing_blocks(Builder& b, const Call& c, const Hybrid& mesh, const Slice& own) {
  const Group g = all(c);
  const auto [from, to] = Lines(g, mesh.shape).passing(c.root);
  const Slice room = to - from == 1 ? own : b.scratch((to - from) * c.count);
  return Blocks::equal(room, to - from, c.count, from);
}

inline void scatter_mesh(Builder& b, const Call& c, const Parameters& parameters) {
  const Hybrid mesh = hybrid_of(parameters);
  const Slice own{Buffer::output, 0, c.count};
  const bool is_root = c.rank == c.root;
  const Blocks blocks = is_root ? c.blocks_in(Buffer::input) : passing_blocks(b, c, mesh, own);
  scatter_hybrid(b, all(c), c.root, blocks, mesh);
  b.round();
  if (!c.in_place && blocks[c.rank] != own) b.copy(blocks[c.rank], own);
}

inline void gather_mesh(Builder& b, const Call& c, const Parameters& parameters) {
  const Hybrid mesh = hybrid_of(parameters);
  const Slice own{Buffer::input, 0, c.count};
  const bool is_root = c.rank == c.root;
  const Blocks blocks = is_root ? c.blocks_in(Buffer::output) : passing_blocks(b, c, mesh, own);
  b.round();
  if (!c.in_place && blocks[c.rank] != own) b.copy(own, blocks[c.rank]);
  gather_hybrid(b, all(c), c.root, blocks, mesh);
}

/// Linear scatterv and gatherv: a rank other than the root knows its own block only, and needs no
/// other.
inline Blocks own_block(const Call& c, const Slice& own) {
  return Blocks::of(own, {}, c.rank).with(c.rank, own);
}

template <auto generator>
void scatterv(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice own{Buffer::output, 0, c.count};
  constexpr bool learns = std::is_invocable_v<decltype(generator), Builder&, const Group&, int,
                                              const Blocks*, const Slice&>;
  if constexpr (learns) {
    const Blocks blocks = c.rank == c.root ? c.blocks_in(Buffer::input) : own_block(c, own);
    b.round();
    if (c.rank == c.root && !c.in_place) b.copy(blocks[c.rank], own);
    generator(b, all(c), c.root, &blocks, own);
  } else if (c.rank != c.root) {
    generator(b, all(c), c.root, own_block(c, own));
  } else {
    scatter<generator>(b, c, parameters);
  }
}

template <auto generator>
void gatherv(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice own{Buffer::input, 0, c.count};
  constexpr bool learns = std::is_invocable_v<decltype(generator), Builder&, const Group&, int,
                                              const Blocks*, const Slice&>;
  if constexpr (learns) {
    const Blocks blocks = c.rank == c.root ? c.blocks_in(Buffer::output) : own_block(c, own);
    b.round();
    if (c.rank == c.root && !c.in_place) b.copy(own, blocks[c.rank]);
    generator(b, all(c), c.root, &blocks, own);
  } else if (c.rank != c.root) {
    generator(b, all(c), c.root, own_block(c, own));
  } else {
    gather<generator>(b, c, parameters);
  }
}

inline std::size_t largest(const Blocks& blocks) {
  std::size_t most = 1;
  for (int i = 0; i < blocks.size(); ++i) most = std::max(most, blocks.count(i));
  return most;
}

template <auto generator, bool node_ordered = false>
void allgather(Builder& b, const Call& c, const Parameters& parameters) {
  const Blocks blocks = c.blocks_in(Buffer::output);
  b.round();
  if (!c.in_place) b.copy({Buffer::input, 0, c.count}, blocks[c.rank]);
  if constexpr (node_ordered)
    generator(b, by_node(c), by_node(c, blocks));
  else if constexpr (std::is_invocable_v<decltype(generator), Builder&, const Group&,
                                         const Blocks&>)
    generator(b, all(c), blocks);
  else if constexpr (std::is_invocable_v<decltype(generator), Builder&, const Group&, const Blocks&,
                                         const Hybrid&>)
    generator(b, all(c), blocks, hybrid_of(parameters));
  else if constexpr (std::is_invocable_v<decltype(generator), Builder&, const Group&, const Blocks&,
                                         std::size_t, const Topology*>)
    generator(
        b, all(c), blocks,
        std::clamp<std::size_t>(parameters.at("segment") / c.element_bytes, 1, largest(blocks)),
        c.topology.get());
  else
    generator(b, all(c), blocks, pieces_of(parameters.at("blocks"), largest(blocks)));
}

/// A generator that changes many blocks works on a copy of the contribution; over a mesh the own
/// block must stand among the others ...
template <auto generator, bool node_ordered = false>
void reduce_scatter(Builder& b, const Call& c, const Parameters& parameters) {
  constexpr bool over_mesh = std::is_invocable_v<decltype(generator), Builder&, const Group&,
                                                 const Blocks&, const Hybrid&>;
  const Blocks contribution = c.blocks_in(c.source());
  const Slice result{Buffer::output, 0, contribution.count(c.rank)};
  b.round();
  if (c.p == 1) {
    if (!c.in_place) b.copy(contribution[0], result);
    return;
  }
  Blocks mine = c.blocks_in(Buffer::scratch);
  b.scratch(contribution.count(0, c.p));
  if (!c.in_place && !over_mesh) mine = mine.with(c.rank, result);
  b.copy(contribution.range(0, c.p), mine.range(0, c.p));
  if constexpr (over_mesh)
    generator(b, all(c), mine, hybrid_of(parameters));
  else if (node_ordered)
    generator(b, by_node(c), by_node(c, mine));
  else
    generator(b, all(c), mine);
  b.round();
  if (c.in_place || over_mesh) b.copy(mine[c.rank], result);
}

/// ... one that changes its own block only sends straight from the contribution.
template <auto generator>
void reduce_scatter_own(Builder& b, const Call& c, const Parameters&) {
  const Blocks contribution = c.blocks_in(c.source());
  const Slice result{Buffer::output, 0, contribution.count(c.rank)};
  if (c.in_place && c.p == 1) return;
  const Slice own = c.in_place ? b.scratch(result.count) : result;
  b.round();
  b.copy(contribution[c.rank], own);
  generator(b, all(c), contribution.with(c.rank, own), c.commutative);
  b.round();
  if (c.in_place) b.copy(own, result);
}

/// In place, what goes out is set aside first.
template <auto generator>
void alltoall(Builder& b, const Call& c, const Parameters& parameters) {
  const Blocks to = c.incoming_in(Buffer::output);
  Blocks from = c.outgoing_in(c.source());
  if (c.in_place && c.p == 1) return;
  b.round();
  if (c.in_place) {
    const Slice aside = b.scratch(from.count(0, c.p));
    b.copy(from.range(0, c.p), std::span(&aside, 1));
    from = c.outgoing_in(Buffer::scratch);
  } else {
    b.copy(from[c.rank], to[c.rank]);
  }
  if constexpr (std::is_invocable_v<decltype(generator), Builder&, const Group&, const Blocks&,
                                    const Blocks&>)
    generator(b, all(c), from, to);
  else
    generator(b, all(c), from, to, radix_of(c, parameters));
}

template <auto generator>
void scan(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice result{Buffer::output, 0, c.count};
  b.round();
  if (!c.in_place) b.copy({Buffer::input, 0, c.count}, result);
  if constexpr (std::is_invocable_v<decltype(generator), Builder&, const Group&, const Slice&, int>)
    generator(b, all(c), result, segments_of(c, parameters));
  else
    generator(b, all(c), result);
}

template <auto generator>
void exscan(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice contribution{c.source(), 0, c.count}, result{Buffer::output, 0, c.count};
  if constexpr (std::is_invocable_v<decltype(generator), Builder&, const Group&, const Slice&,
                                    const Slice&, int>)
    generator(b, all(c), contribution, result, segments_of(c, parameters));
  else
    generator(b, all(c), contribution, result);
}

/// Without a topology all ranks share a node.
inline Topology nodes_of(const std::shared_ptr<const Topology>& known, int p) {
  return known ? *known : Topology::one_node(p);
}
/// With several leaders, each speaks for a part of its node.
inline Topology parts_of(const Topology& nodes, const Parameters& parameters) {
  const auto leaders = parameters.find("leaders");
  if (leaders == parameters.end()) return nodes;
  return nodes.split(static_cast<int>(std::min<std::size_t>(leaders->second, nodes.p())));
}

/// A composition over nodes.
template <auto generator, Collective between>
void over_nodes(Builder& b, const Call& c, const Parameters& parameters) {
  const Inner inner(between, parameters, c.topology.get());
  if (c.topology && !parameters.contains("leaders"))
    generator(b, c, *c.topology, inner);
  else
    generator(b, c, parts_of(nodes_of(c.topology, c.p), parameters), inner);
}

}  // namespace tutti::core::front
