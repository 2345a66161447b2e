#pragma once

// Every generator of the catalogue. Each stands in a file of its own,
// <collective>/<algorithm>.cpp, and appends one rank's rounds over a group and slices:
//
//   vector   where the rank's vector stands; results are left there
//   blocks   the p blocks; a rank's own is filled beforehand
//   mine     the blocks of a reduction: filled with the rank's contribution, block r is the result

#include "schedule/blocks.hpp"
#include "schedule/builder.hpp"
#include "schedule/group.hpp"
#include "schedule/problem.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

void barrier_linear(Builder& b, const Group& g);
void barrier_dissemination(Builder& b, const Group& g);
void barrier_binomial(Builder& b, const Group& g);

void bcast_linear(Builder& b, const Group& g, int root, const Slices& vector);
void bcast_binomial(Builder& b, const Group& g, int root, const Slices& vector);
void bcast_knomial(Builder& b, const Group& g, int root, const Slice& vector, int radix);
void bcast_scatter_allgather_recursive_doubling(Builder& b, const Group& g, int root,
                                                const Slice& vector);
void bcast_scatter_allgather_ring(Builder& b, const Group& g, int root, const Slice& vector);
void bcast_chain(Builder& b, const Group& g, int root, const Slice& vector, int segments);
void bcast_circulant(Builder& b, const Group& g, int root, const Slice& vector, int blocks);

void scatter_linear(Builder& b, const Group& g, int root, const Blocks& blocks);
void scatter_binomial(Builder& b, const Group& g, int root, const Blocks& blocks);
void scatter_knomial(Builder& b, const Group& g, int root, const Blocks& blocks, int radix);
void scatterv_binomial(Builder& b, const Group& g, int root, const Blocks* at_root,
                       const Slice& mine);
void gather_linear(Builder& b, const Group& g, int root, const Blocks& blocks);
void gather_binomial(Builder& b, const Group& g, int root, const Blocks& blocks);
void gather_knomial(Builder& b, const Group& g, int root, const Blocks& blocks, int radix);
void gatherv_binomial(Builder& b, const Group& g, int root, const Blocks* at_root,
                      const Slice& mine);

void allgather_linear(Builder& b, const Group& g, const Blocks& blocks);
void allgather_star(Builder& b, const Group& g, const Blocks& blocks);
void allgather_ring(Builder& b, const Group& g, const Blocks& blocks);
void allgather_recursive_doubling(Builder& b, const Group& g, const Blocks& blocks);
void allgather_bruck(Builder& b, const Group& g, const Blocks& blocks);
void allgather_gather_bcast(Builder& b, const Group& g, const Blocks& blocks);
void allgather_circulant(Builder& b, const Group& g, const Blocks& blocks);
void allgatherv_pipelined_ring(Builder& b, const Group& g, const Blocks& blocks,
                               std::size_t segment, const Topology* topology);
void allgatherv_circulant(Builder& b, const Group& g, const Blocks& blocks, int pieces);

void reduce_linear(Builder& b, const Group& g, int root, const Slices& vector);
void reduce_binomial(Builder& b, const Group& g, int root, const Slices& vector);
void reduce_knomial(Builder& b, const Group& g, int root, const Slice& vector, int radix);
void reduce_rabenseifner(Builder& b, const Group& g, int root, const Slice& vector);
void reduce_binary_blocks(Builder& b, const Group& g, int root, const Slice& vector);
void reduce_pairwise_direct(Builder& b, const Group& g, int root, const Slice& vector);
void reduce_ring_gather(Builder& b, const Group& g, int root, const Slice& vector);
void reduce_chain(Builder& b, const Group& g, int root, const Slice& vector, int segments);
void reduce_circulant(Builder& b, const Group& g, int root, const Slice& vector, int blocks);

void allreduce_linear(Builder& b, const Group& g, const Slice& contribution, const Slice& vector);
void allreduce_star(Builder& b, const Group& g, const Slice& vector);
void allreduce_two_shot(Builder& b, const Group& g, const Slice& vector, bool commutative);
void allreduce_reduce_bcast(Builder& b, const Group& g, const Slice& vector);
void allreduce_recursive_doubling(Builder& b, const Group& g, const Slice& vector);
void allreduce_rabenseifner(Builder& b, const Group& g, const Slice& vector);
void allreduce_binary_blocks(Builder& b, const Group& g, const Slice& vector);
void allreduce_pairwise_ring(Builder& b, const Group& g, const Slice& vector);
void allreduce_ring(Builder& b, const Group& g, const Slice& vector);
void allreduce_circulant(Builder& b, const Group& g, const Slice& vector);

void reduce_scatter_linear(Builder& b, const Group& g, const Blocks& mine, bool commutative);
void reduce_scatter_star(Builder& b, const Group& g, const Blocks& mine);
void reduce_scatter_reduce_scatterv(Builder& b, const Group& g, const Blocks& mine);
void reduce_scatter_recursive_halving(Builder& b, const Group& g, const Blocks& mine);
void reduce_scatter_recursive_doubling(Builder& b, const Group& g, const Blocks& mine);
void reduce_scatter_pairwise(Builder& b, const Group& g, const Blocks& mine, bool commutative);
void reduce_scatter_ring(Builder& b, const Group& g, const Blocks& mine);
void reduce_scatter_circulant(Builder& b, const Group& g, const Blocks& mine);

void alltoall_linear(Builder& b, const Group& g, const Blocks& from, const Blocks& to);
void alltoall_bruck(Builder& b, const Group& g, const Blocks& from, const Blocks& to, int radix);
void alltoall_recursive_doubling(Builder& b, const Group& g, const Blocks& from, const Blocks& to);
void alltoall_pairwise_xor(Builder& b, const Group& g, const Blocks& from, const Blocks& to);
void alltoall_pairwise(Builder& b, const Group& g, const Blocks& from, const Blocks& to);

/// `contribution` is what the rank gives; `result` gets what its place demands.
void scan_linear(Builder& b, const Group& g, const Slice& result);
void scan_chain(Builder& b, const Group& g, const Slice& result, int segments);
void exscan_chain(Builder& b, const Group& g, const Slice& contribution, const Slice& result,
                  int segments);
void scan_direct(Builder& b, const Group& g, const Slice& contribution, const Slice& result);
void exscan_direct(Builder& b, const Group& g, const Slice& contribution, const Slice& result);
void scan_recursive_doubling(Builder& b, const Group& g, const Slice& result);
void exscan_linear(Builder& b, const Group& g, const Slice& contribution, const Slice& result);
void exscan_recursive_doubling(Builder& b, const Group& g, const Slice& contribution,
                               const Slice& result);

struct Hybrid;

// Compositions over the lines of a mesh of ranks.
void bcast_hybrid(Builder& b, const Group& g, int root, const Slice& vector, const Hybrid& hybrid);
void scatter_hybrid(Builder& b, const Group& g, int root, const Blocks& blocks, const Hybrid& mesh);
void gather_hybrid(Builder& b, const Group& g, int root, const Blocks& blocks, const Hybrid& mesh);
void allgather_hybrid(Builder& b, const Group& g, const Blocks& blocks, const Hybrid& hybrid);
void reduce_hybrid(Builder& b, const Group& g, int root, const Slice& vector, const Hybrid& hybrid);
void allreduce_hybrid(Builder& b, const Group& g, const Slice& vector, const Hybrid& hybrid);
void reduce_scatter_hybrid(Builder& b, const Group& g, const Blocks& mine, const Hybrid& hybrid);

class Inner;

// Compositions over the nodes of a topology; `inner` is what runs between them.
void barrier_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void barrier_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void bcast_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void bcast_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void scatter_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void scatter_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void gather_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void gather_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void scatterv_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void scatterv_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void gatherv_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void gatherv_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void allgather_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void allgather_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void reduce_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void reduce_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void allreduce_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void allreduce_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void reduce_scatter_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void reduce_scatter_full_lane(Builder& b, const Call& c, const Topology& topology,
                              const Inner& inner);
void alltoall_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void alltoallv_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void alltoallv_send_aggregation(Builder& b, const Call& c, const Topology& topology,
                                const Inner& inner);
void alltoall_send_aggregation(Builder& b, const Call& c, const Topology& topology,
                               const Inner& inner);
void alltoall_receive_distribution(Builder& b, const Call& c, const Topology& topology,
                                   const Inner& inner);
void scan_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void exscan_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void scan_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);
void exscan_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner);

}  // namespace tutti::core
