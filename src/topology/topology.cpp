// Nodes are numbered, described as text and read from it.

#include "topology/topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace tutti::core {

namespace {

std::optional<int> number(std::string_view text, int least) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value < least || value > most_ranks)
    return std::nullopt;
  return value;
}

std::vector<int> grid(int nodes, int each, bool cyclic) {
  std::vector<int> result(static_cast<std::size_t>(nodes) * each);
  for (std::size_t r = 0; r < result.size(); ++r)
    result[r] = static_cast<int>(cyclic ? r % nodes : r / each);
  return result;
}

}  // namespace

Topology::Topology(const std::vector<int>& nodes) {
  if (nodes.empty()) throw std::invalid_argument("a topology needs at least one rank");
  std::map<int, int> numbers;
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const int node = numbers.emplace(nodes[r], static_cast<int>(numbers.size())).first->second;
    if (node == static_cast<int>(ranks_of_.size())) ranks_of_.emplace_back();
    // A rank that comes back to a node after another one.
    if (r > 0 && !ranks_of_[node].empty() && node != node_of_.back()) contiguous_ = false;
    node_of_.push_back(node);
    place_of_.push_back(static_cast<int>(ranks_of_[node].size()));
    ranks_of_[node].push_back(static_cast<Rank>(r));
  }
  smallest_ = largest_ = size_of(0);
  for (const auto& ranks : ranks_of_) {
    smallest_ = std::min(smallest_, static_cast<int>(ranks.size()));
    largest_ = std::max(largest_, static_cast<int>(ranks.size()));
    node_order_.insert(node_order_.end(), ranks.begin(), ranks.end());
  }
}

Topology Topology::one_node(int p) { return Topology(std::vector<int>(p, 0)); }

Topology Topology::one_rank_per_node(int p) {
  std::vector<int> nodes(p);
  std::iota(nodes.begin(), nodes.end(), 0);
  return Topology(nodes);
}

Topology Topology::split(int parts) const {
  std::vector<int> result(node_of_.size());
  for (Rank r = 0; r < p(); ++r) {
    const int size = size_of(node_of(r)), number = std::clamp(parts, 1, size);
    const int each = size / number, longer = size % number;  // the first few have one more
    const int part = place_of(r) < longer * (each + 1) ? place_of(r) / (each + 1)
                                                       : (place_of(r) - longer) / each;
    result[r] = node_of(r) * largest_ + part;
  }
  return Topology(result);
}

Topology Topology::of(const std::vector<Rank>& ranks) const {
  std::vector<int> result;
  for (const Rank rank : ranks) result.push_back(node_of(rank));
  return Topology(result);
}

std::string Topology::describe() const {
  if (is_uniform())
    for (const bool cyclic : {false, true})
      if (node_of_ == grid(nodes(), largest_, cyclic))
        return fmt::format("{}x{}{}", nodes(), largest_, cyclic ? ":cyclic" : "");
  return fmt::format("{}", fmt::join(node_of_, ","));
}

std::shared_ptr<const Topology> parse_topology(std::string_view text) {
  constexpr std::string_view remedy = "write 3x4, 3x4:cyclic or the node of each rank, 0,0,1,1";
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("'{}' is no topology: {}; {}", text, what, remedy));
  };
  std::vector<int> nodes;
  if (const std::size_t cross = text.find('x'); cross != std::string_view::npos) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view placement = text.substr(colon);
    if (!placement.empty() && placement != ":cyclic")
      refuse(fmt::format("unknown placement '{}'", placement.substr(1)));
    const auto count = number(text.substr(0, cross), 1);
    const auto each = number(text.substr(cross + 1, std::max(colon, cross + 1) - cross - 1), 1);
    if (!count || !each || *each > most_ranks / *count)
      refuse("NODESxRANKS needs two whole numbers from 1 on");
    nodes = grid(*count, *each, !placement.empty());
  } else {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string_view word = text.substr(begin, end - begin);
      const auto node = number(word, 0);
      if (!node) refuse(fmt::format("'{}' is no node's number", word));
      nodes.push_back(*node);
      begin = end + 1;
    }
  }
  return std::make_shared<const Topology>(nodes);
}

std::shared_ptr<const Topology> parse_topology(std::string_view text, int p) {
  auto topology = parse_topology(text);
  if (topology->p() != p)
    throw std::invalid_argument(
        fmt::format("topology '{}' has {} ranks, but there are {}: write one that places {}", text,
                    topology->p(), p, p == 1 ? "it" : fmt::format("all {}", p)));
  return topology;
}

}  // namespace tutti::core
