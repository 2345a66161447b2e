#pragma once

#include <type_traits>

#include "algorithms/asked.hpp"
#include "algorithms/claims.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/pattern/splitting.hpp"
#include "algorithms/shape.hpp"
#include "schedule/builder.hpp"
#include "schedule/group.hpp"
#include "schedule/problem.hpp"

/// What stands between a call and a generator: where the rank's data are, what is copied where
/// first, and what in place means. One function template per collective; a row names the
/// generator, and the types that this asks for behind its data tell which parameters it gets.
namespace tutti::core::adapt {

inline Group all(const Call& c) { return Group::all(c.p, c.rank); }

/// For rings: the ranks in the order of their nodes, where it is known and another than theirs, so
/// that each node has one way in and one way out.
Group by_node(const Call& c);
/// The blocks of those ranks, in this order.
Blocks by_node(const Call& c, const Blocks& blocks);

/// The parameters of a call, as generators ask for them.
class Asked {
 public:
  /// What is cut holds so many elements: the vector, or the largest block.
  Asked(const Call& call, const Parameters& parameters, std::size_t elements)
      : call_(call), parameters_(parameters), elements_(elements) {}

  operator Segments() const;
  operator Segment() const;
  operator Pieces() const;
  operator Radix() const;
  operator Hybrid() const;

 private:
  std::size_t value(ParameterKind kind) const { return *value_of(parameters_, kind); }

  const Call& call_;
  const Parameters& parameters_;
  const std::size_t elements_;
};
/// Of a vector.
inline Asked asked(const Call& c, const Parameters& parameters) { return {c, parameters, c.count}; }
/// Of blocks.
Asked asked(const Call& c, const Parameters& parameters, const Blocks& blocks);

template <auto generator, class... Arguments>
constexpr bool takes =
    std::is_invocable_v<decltype(generator), Builder&, const Group&, Arguments...>;

template <auto generator>
void barrier(Builder& b, const Call& c, const Parameters&) {
  generator(b, all(c));
}

/// A generator with a root and a vector.
template <auto generator>
void rooted(Builder& b, const Call& c, const Parameters& parameters, const Slice& vector) {
  if constexpr (takes<generator, int, const Slices&>)
    generator(b, all(c), c.root, {vector});
  else if constexpr (takes<generator, int, const Slice&>)
    generator(b, all(c), c.root, vector);
  else
    generator(b, all(c), c.root, vector, asked(c, parameters));
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
  if constexpr (takes<generator, const Slice&, bool>)
    generator(b, all(c), vector, c.commutative);
  else if constexpr (takes<generator, const Slice&>)
    generator(b, node_ordered ? by_node(c) : all(c), vector);
  else
    generator(b, all(c), vector, asked(c, parameters));
}

/// For generators that read the contribution apart from the result: in place it is set aside first.
Slice set_aside(Builder& b, const Call& c);

template <auto generator>
void allreduce_apart(Builder& b, const Call& c, const Parameters&) {
  const Slice contribution = set_aside(b, c);
  if (c.in_place && c.p == 1) return;
  generator(b, all(c), contribution, {Buffer::output, 0, c.count});
}

/// Scatter and gather: the root's blocks stand in its buffer; a rank that speaks for others keeps
/// theirs in scratch, its own stays where it belongs.
template <auto generator>
Blocks subtree_blocks(Builder& b, const Call& c, const Parameters& parameters, const Slice& own) {
  int end = 0;
  if constexpr (takes<generator, int, const Blocks&, Radix>)
    end = part_end(c.p, c.root, asked(c, parameters), c.rank);
  else
    end = subtree_end(c.p, c.root, c.rank);
  const int below = end - c.rank - 1;
  return Blocks::equal(b.scratch(below * c.count), below, c.count, c.rank + 1).with(c.rank, own);
}

template <auto generator>
void along_tree(Builder& b, const Call& c, const Parameters& parameters, const Blocks& blocks) {
  if constexpr (takes<generator, int, const Blocks&>)
    generator(b, all(c), c.root, blocks);
  else
    generator(b, all(c), c.root, blocks, asked(c, parameters));
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
Blocks passing_blocks(Builder& b, const Call& c, const Hybrid& mesh, const Slice& own);

template <auto generator>
void scatter_mesh(Builder& b, const Call& c, const Parameters& parameters) {
  const Hybrid mesh = hybrid_of(parameters);
  const Slice own{Buffer::output, 0, c.count};
  const bool is_root = c.rank == c.root;
  const Blocks blocks = is_root ? c.blocks_in(Buffer::input) : passing_blocks(b, c, mesh, own);
  generator(b, all(c), c.root, blocks, mesh);
  b.round();
  if (!c.in_place && blocks[c.rank] != own) b.copy(blocks[c.rank], own);
}

template <auto generator>
void gather_mesh(Builder& b, const Call& c, const Parameters& parameters) {
  const Hybrid mesh = hybrid_of(parameters);
  const Slice own{Buffer::input, 0, c.count};
  const bool is_root = c.rank == c.root;
  const Blocks blocks = is_root ? c.blocks_in(Buffer::output) : passing_blocks(b, c, mesh, own);
  b.round();
  if (!c.in_place && blocks[c.rank] != own) b.copy(own, blocks[c.rank]);
  generator(b, all(c), c.root, blocks, mesh);
}

/// Linear scatterv and gatherv: a rank other than the root knows its own block only, and needs no
/// other.
inline Blocks own_block(const Call& c, const Slice& own) {
  return Blocks::of(own, {}, c.rank).with(c.rank, own);
}

template <auto generator>
void scatterv(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice own{Buffer::output, 0, c.count};
  constexpr bool learns = takes<generator, int, const Blocks*, const Slice&>;
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
  constexpr bool learns = takes<generator, int, const Blocks*, const Slice&>;
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

template <auto generator, bool node_ordered = false>
void allgather(Builder& b, const Call& c, const Parameters& parameters) {
  const Blocks blocks = c.blocks_in(Buffer::output);
  b.round();
  if (!c.in_place) b.copy({Buffer::input, 0, c.count}, blocks[c.rank]);
  if constexpr (node_ordered)
    generator(b, by_node(c), by_node(c, blocks));
  else if constexpr (takes<generator, const Blocks&>)
    generator(b, all(c), blocks);
  else if constexpr (takes<generator, const Blocks&, Asked, const Topology*>)
    generator(b, all(c), blocks, asked(c, parameters, blocks), c.topology.get());
  else
    generator(b, all(c), blocks, asked(c, parameters, blocks));
}

/// A generator that changes many blocks works on a copy of the contribution; over a mesh the own
/// block must stand among the others ...
template <auto generator, bool node_ordered = false>
void reduce_scatter(Builder& b, const Call& c, const Parameters& parameters) {
  constexpr bool over_mesh = takes<generator, const Blocks&, Hybrid>;
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
  if constexpr (takes<generator, const Blocks&, const Blocks&>)
    generator(b, all(c), from, to);
  else
    generator(b, all(c), from, to, asked(c, parameters));
}

template <auto generator>
void scan(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice result{Buffer::output, 0, c.count};
  b.round();
  if (!c.in_place) b.copy({Buffer::input, 0, c.count}, result);
  if constexpr (takes<generator, const Slice&>)
    generator(b, all(c), result);
  else
    generator(b, all(c), result, asked(c, parameters));
}

template <auto generator>
void exscan(Builder& b, const Call& c, const Parameters& parameters) {
  const Slice contribution{c.source(), 0, c.count}, result{Buffer::output, 0, c.count};
  if constexpr (takes<generator, const Slice&, const Slice&>)
    generator(b, all(c), contribution, result);
  else
    generator(b, all(c), contribution, result, asked(c, parameters));
}

/// A composition over nodes.
template <auto generator, Collective between>
void over_nodes(Builder& b, const Call& c, const Parameters& parameters) {
  const Inner inner(between, parameters, c.topology.get());
  generator(b, c, *parts_of(nodes_of(c.topology, c.p), leaders_of(parameters)), inner);
}

}  // namespace tutti::core::adapt
