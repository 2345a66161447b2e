// Nodes are numbered, described as text and read from it.

#include "topology/topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <unordered_map>

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

/// Numbers things as they first appear.
class Numbers {
 public:
  explicit Numbers(const std::vector<int>& things) {
    const auto [least, most] = std::minmax_element(things.begin(), things.end());
    // Mostly they are numbers themselves.
    constexpr int few = 4;
    if (*least >= 0 && static_cast<std::size_t>(*most) < few * things.size())
      known_.assign(static_cast<std::size_t>(*most) + 1, -1);
  }

  int of(int thing) {
    if (known_.empty()) return others_.try_emplace(thing, next_).second ? next_++ : others_[thing];
    int& number = known_[static_cast<std::size_t>(thing)];
    if (number < 0) number = next_++;
    return number;
  }

 private:
  std::vector<int> known_;
  std::unordered_map<int, int> others_;
  int next_ = 0;
};

}  // namespace

/// What the topology was cut into, by the number of parts.
struct Topology::Splits {
  std::mutex mutex;
  std::map<int, std::weak_ptr<const Topology>> made;
};

Topology::Topology(const std::vector<int>& nodes) : splits_(std::make_shared<Splits>()) {
  if (nodes.empty()) throw std::invalid_argument("a topology needs at least one rank");
  node_of_.reserve(nodes.size());
  Numbers numbers(nodes);
  std::vector<int> sizes;
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const int node = numbers.of(nodes[r]);
    if (node == static_cast<int>(sizes.size())) sizes.push_back(0);
    // A rank that comes back to a node after another one.
    if (r > 0 && sizes[node] > 0 && node != node_of_.back()) contiguous_ = false;
    node_of_.push_back(node);
    ++sizes[node];
  }
  smallest_ = *std::min_element(sizes.begin(), sizes.end());
  largest_ = *std::max_element(sizes.begin(), sizes.end());
  first_.resize(sizes.size() + 1);
  std::partial_sum(sizes.begin(), sizes.end(), first_.begin() + 1);
  node_order_.resize(nodes.size());
  std::vector<int> next = first_;
  for (Rank r = 0; r < p(); ++r) node_order_[next[node_of_[r]]++] = r;
}

Topology Topology::one_node(int p) { return Topology(std::vector<int>(p, 0)); }

Topology Topology::one_rank_per_node(int p) {
  std::vector<int> nodes(p);
  std::iota(nodes.begin(), nodes.end(), 0);
  return Topology(nodes);
}

std::shared_ptr<const Topology> Topology::split(int parts) const {
  parts = std::clamp(parts, 1, largest_);
  const std::scoped_lock lock(splits_->mutex);
  std::weak_ptr<const Topology>& known = splits_->made[parts];
  if (auto made = known.lock()) return made;
  std::vector<int> result(node_of_.size());
  for (Rank r = 0; r < p(); ++r) {
    const int size = size_of(node_of(r)), number = std::clamp(parts, 1, size);
    const int each = size / number, longer = size % number;  // the first few have one more
    const int part = place_of(r) < longer * (each + 1) ? place_of(r) / (each + 1)
                                                       : (place_of(r) - longer) / each;
    result[r] = first_[node_of(r)] + part;  // there are no more parts than ranks
  }
  auto made = std::make_shared<const Topology>(result);
  known = made;
  return made;
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
