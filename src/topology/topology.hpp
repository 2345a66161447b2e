#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/slice.hpp"

namespace tutti::core {

/// Which ranks share a node, and a domain of it: a cache, or memory that is nearer than the rest.
/// Nodes are numbered as they first appear, their ranks stand in rank order.
class Topology {
 public:
  /// Rank r lives where `nodes[r]` says, and there where `domains[r]` says; only which of them are
  /// equal counts. No domains are known if there are none, or if they tell nothing: one is a whole
  /// node, or a rank. Throws std::invalid_argument if there is no rank.
  explicit Topology(const std::vector<int>& nodes, const std::vector<int>& domains = {});

  static Topology one_node(int p);
  static Topology one_rank_per_node(int p);

  int p() const { return static_cast<int>(node_of_.size()); }
  int nodes() const { return static_cast<int>(first_.size()) - 1; }
  int node_of(Rank rank) const { return node_of_[rank]; }
  std::span<const Rank> ranks_of(int node) const {
    return std::span(node_order_).subspan(first_[node], size_of(node));
  }
  int size_of(int node) const { return first_[node + 1] - first_[node]; }
  /// The rank's place among those of its node.
  int place_of(Rank rank) const {
    const std::span<const Rank> ranks = ranks_of(node_of(rank));
    return static_cast<int>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
  }
  int smallest() const { return smallest_; }
  int largest() const { return largest_; }

  bool has_domains() const { return !domain_of_.empty(); }
  /// The rank's domain, among those of its node; 0 if none are known.
  int domain_of(Rank rank) const { return has_domains() ? domain_of_[rank] : 0; }
  bool share_domain(Rank a, Rank b) const {
    return node_of(a) == node_of(b) && domain_of(a) == domain_of(b);
  }

  /// All nodes have as many ranks.
  bool is_uniform() const { return smallest_ == largest_; }
  /// Each node's ranks are consecutive: walking node by node is walking in rank order.
  bool is_contiguous() const { return contiguous_; }
  /// All ranks, node by node.
  const std::vector<Rank>& node_order() const { return node_order_; }

  /// Every node cut into `parts` nearly equal parts, the larger first; into single ranks if it has
  /// fewer. It is the same one as long as somebody has it: all ranks' schedules ask for it.
  std::shared_ptr<const Topology> split(int parts) const;
  /// Every node cut into its domains; kept likewise.
  std::shared_ptr<const Topology> split_by_domain() const;
  /// Those of the ranks listed, which become 0, 1, 2, ...
  Topology of(const std::vector<Rank>& ranks) const;

  /// What parse_topology reads back: `3x4`, `2x3x4`, `3x4:cyclic` or `0,0,1,1,0`.
  std::string describe() const;

  /// Ranks share nodes alike, whatever is known of domains.
  bool has_nodes_of(const Topology& other) const { return node_of_ == other.node_of_; }
  bool operator==(const Topology& other) const {
    return node_of_ == other.node_of_ && domain_of_ == other.domain_of_;
  }

 private:
  struct Splits;

  std::vector<std::uint16_t> numbered(const std::vector<int>& domains) const;
  /// Cut as `part_of` says of each rank, if nobody has it under this number.
  template <class Part>
  std::shared_ptr<const Topology> cut(int number, Part part_of) const;

  // Of tens of thousands of ranks no more is kept than this.
  std::vector<int> node_of_;
  std::vector<Rank> node_order_;
  std::vector<int> first_;  // of each node's ranks there; and the end
  int smallest_ = 0, largest_ = 0;
  bool contiguous_ = true;
  std::vector<std::uint16_t> domain_of_;  // empty: none are known
  std::shared_ptr<Splits> splits_;
};

/// Reads `3x4` (3 nodes of 4 ranks, one node after the other), `2x3x4` (2 nodes of 3 domains of 4
/// ranks), either with `:cyclic` (ranks dealt out to the nodes in turn), or the node of each rank,
/// `0,0,1,1,0`, with its domain, `0.0,0.1,0.1`, if it is known. Throws std::invalid_argument.
std::shared_ptr<const Topology> parse_topology(std::string_view text);
/// The same, for p ranks and no other number.
std::shared_ptr<const Topology> parse_topology(std::string_view text, int p);

}  // namespace tutti::core
