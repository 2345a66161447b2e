#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "schedule/blocks.hpp"
#include "schedule/work.hpp"

namespace tutti::core {

class Topology;

enum class Collective : std::uint8_t {
  barrier,
  bcast,
  scatter,
  scatterv,
  gather,
  gatherv,
  allgather,
  allgatherv,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  alltoall,
  alltoallv,
  alltoallw,
  scan,
  exscan
};
inline constexpr int collective_count = 17;

std::string_view name_of(Collective collective);
std::optional<Collective> collective_named(std::string_view name);

bool has_root(Collective collective);
/// Combines contributions with an operator; the others only move data.
bool reduces(Collective collective);
/// Every rank ends with one vector (bcast, reduce, allreduce, scan, exscan) ...
bool is_vector(Collective collective);
/// ... or blocks of sizes that the caller lists (the v-operations and reduce_scatter).
bool is_irregular(Collective collective);
bool is_alltoall(Collective collective);
/// Every rank knows the sizes of all blocks, which may differ (allgatherv, reduce_scatter).
bool has_common_blocks(Collective collective);
/// How common blocks compare: uneven, if one has more than twice the mean. any: not told apart.
enum class Evenness : std::uint8_t { any, even, uneven };
std::string_view name_of(Evenness evenness);
/// The element where nobody says: a double for a reduction, else a byte.
std::size_t usual_element_bytes(Collective collective);
/// MPI_IN_PLACE has a meaning (at the root only where there is one).
bool allows_in_place(Collective collective);

/// What one rank knows of a problem when it calls: all that its algorithm may read.
struct Call {
  Collective collective = Collective::barrier;
  int p = 1;
  Rank rank = 0;
  Rank root = 0;
  bool in_place = false;
  bool commutative = true;
  Work work = Work::sum_double;  // of a reduction
  std::size_t element_bytes = 1;
  /// The vector's length, or that of this rank's block; equal blocks: of every block.
  std::size_t count = 0;
  /// The sizes of all p blocks, where this rank knows them and they may differ.
  std::vector<std::size_t> counts{};
  /// alltoallv and w: what goes to, and comes from, each rank.
  std::vector<std::size_t> send_counts{}, recv_counts{};
  /// Which ranks share a node; none: nothing is known, as if all did.
  std::shared_ptr<const Topology> topology{};

  /// The p blocks, one after the other in `buffer`.
  Blocks blocks_in(Buffer buffer) const;
  /// The blocks that go out (alltoall family), one after the other in `buffer`.
  Blocks outgoing_in(Buffer buffer) const;
  /// The blocks that come in (alltoall family).
  Blocks incoming_in(Buffer buffer) const;
  /// Elements of all blocks, or of the vector.
  std::size_t total() const;
  /// any: where there are no common blocks.
  Evenness evenness() const;
  /// Where this rank's contribution stands: in its input, or in its output if in place.
  Buffer source() const { return in_place ? Buffer::output : Buffer::input; }
};

/// What is asked, of all ranks.
///
/// Buffers hold the blocks packed, in rank order. `bcast` has one buffer: `output`, filled at the
/// root beforehand. In place, a rank's contribution stands in its output where MPI puts it: its own
/// block for the gathers, the whole vector for reductions, all outgoing blocks for alltoall.
struct Problem {
  Collective collective = Collective::barrier;
  int p = 1;
  Rank root = 0;
  /// The vector's length; or that of each block where all are equal.
  std::size_t count = 0;
  /// Irregular: p block sizes; alltoallv and w: p x p, row i what rank i sends.
  std::vector<std::size_t> counts{};
  /// Who calls in place; empty: nobody.
  std::vector<bool> in_place{};
  bool commutative = true;
  std::size_t element_bytes = 1;
  /// Which ranks share a node; none: nothing is known, as if all did.
  std::shared_ptr<const Topology> topology{};

  bool is_in_place(Rank rank) const { return !in_place.empty() && in_place[rank]; }
  /// Elements in rank's buffers.
  std::size_t input_count(Rank rank) const;
  std::size_t output_count(Rank rank) const;
  /// The size of one block (not for alltoallv and w).
  std::size_t block(Rank rank) const { return counts.empty() ? count : counts[rank]; }
  /// What rank i sends to rank j (alltoall family).
  std::size_t block(Rank i, Rank j) const {
    return counts.empty() ? count : counts[static_cast<std::size_t>(i) * p + j];
  }
  /// Elements of all blocks (alltoall: those of rank 0), or of the vector.
  std::size_t total() const;

  Call call(Rank rank) const;

  /// Throws std::invalid_argument with a line that names what is wrong; beyond 2^60 bytes in all
  /// offsets could overflow.
  void validate() const;
  /// `allgatherv, p = 5, 40 elements, in place`
  std::string describe() const;

  /// A problem of `total` elements, blocks equal or, where they may differ, nearly so. Regular
  /// collectives take total / p for each block, at least one element unless total is 0.
  static Problem even(Collective collective, int p, std::size_t total);
};

}  // namespace tutti::core
