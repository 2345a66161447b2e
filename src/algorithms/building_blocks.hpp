#pragma once

// The algorithms that others are made of. Each stands in its own file,
// <collective>/<algorithm>.cpp, and appends one rank's rounds over a group and slices:
//
//   vector   where the rank's vector stands; results are left there
//   blocks   the p blocks; a rank's own is filled beforehand
//   mine     the blocks of a reduction: filled with the rank's contribution, block r is the result

#include "schedule/blocks.hpp"
#include "schedule/builder.hpp"
#include "schedule/group.hpp"

namespace tutti::core {

void bcast_linear(Builder& b, const Group& g, int root, const Slices& vector);
void bcast_binomial(Builder& b, const Group& g, int root, const Slices& vector);

void scatter_linear(Builder& b, const Group& g, int root, const Blocks& blocks);
void scatter_binomial(Builder& b, const Group& g, int root, const Blocks& blocks);
void gather_linear(Builder& b, const Group& g, int root, const Blocks& blocks);
void gather_binomial(Builder& b, const Group& g, int root, const Blocks& blocks);

void allgather_linear(Builder& b, const Group& g, const Blocks& blocks);
void allgather_ring(Builder& b, const Group& g, const Blocks& blocks);
void allgather_recursive_doubling(Builder& b, const Group& g, const Blocks& blocks);
void allgather_circulant(Builder& b, const Group& g, const Blocks& blocks);

void reduce_linear(Builder& b, const Group& g, int root, const Slices& vector);
void reduce_binomial(Builder& b, const Group& g, int root, const Slices& vector);

void reduce_scatter_linear(Builder& b, const Group& g, const Blocks& mine, bool commutative);
void reduce_scatter_pairwise(Builder& b, const Group& g, const Blocks& mine, bool commutative);
void reduce_scatter_ring(Builder& b, const Group& g, const Blocks& mine);
void reduce_scatter_circulant(Builder& b, const Group& g, const Blocks& mine);

}  // namespace tutti::core
