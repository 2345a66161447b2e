// Nodes are numbered, described as text and read from it.

#include "topology/topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
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

/// Nodes of as many domains each, of as many ranks each.
struct Grid {
  int nodes = 1, domains = 1, each = 1;
  bool is_cyclic = false;

  int ranks() const { return domains * each; }
  Topology topology() const {
    std::vector<int> domain_of;
    if (domains > 1)
      domain_of = by_rank([&](int r) { return (is_cyclic ? r / nodes : r % ranks()) / each; });
    return Topology(by_rank([&](int r) { return is_cyclic ? r % nodes : r / ranks(); }), domain_of);
  }

 private:
  template <class Place>
  std::vector<int> by_rank(Place place) const {
    std::vector<int> result;
    for (int r = 0; r < nodes * ranks(); ++r) result.push_back(place(r));
    return result;
  }
};

constexpr std::string_view cyclic_mark = ":cyclic";

/// `2x3x4`, `3x4` and the like; nothing if it is none.
std::optional<Grid> parse_grid(std::string_view text) {
  std::vector<int> extents;
  for (std::size_t begin = 0, size = 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto extent = number(text.substr(begin, end - begin), 1);
    if (!extent || *extent > most_ranks / static_cast<int>(size)) return std::nullopt;
    size *= static_cast<std::size_t>(*extent);
    extents.push_back(*extent);
    begin = end + 1;
  }
  if (extents.size() == 2) return Grid{extents[0], 1, extents[1]};
  if (extents.size() == 3) return Grid{extents[0], extents[1], extents[2]};
  return std::nullopt;
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

/// What the topology was cut into, by the number of parts; 0: its domains.
struct Topology::Splits {
  std::mutex mutex;
  std::map<int, std::weak_ptr<const Topology>> made;
};

Topology::Topology(const std::vector<int>& nodes, const std::vector<int>& domains)
    : splits_(std::make_shared<Splits>()) {
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
  if (!domains.empty()) domain_of_ = numbered(domains);
}

std::vector<std::uint16_t> Topology::numbered(const std::vector<int>& domains) const {
  std::vector<std::uint16_t> result(node_of_.size());
  bool has_several = false, has_shared = false;
  std::vector<int> here;  // of one node
  for (int node = 0; node < nodes(); ++node) {
    here.clear();
    for (const Rank rank : ranks_of(node)) here.push_back(domains[rank]);
    Numbers numbers(here);
    int seen = 0;
    for (const Rank rank : ranks_of(node)) {
      const int number = numbers.of(domains[rank]);
      if (number > std::numeric_limits<std::uint16_t>::max()) return {};  // so many are none
      result[rank] = static_cast<std::uint16_t>(number);
      has_shared = has_shared || number < seen;
      seen = std::max(seen, number + 1);
    }
    has_several = has_several || seen > 1;
  }
  if (!has_several || !has_shared) result.clear();
  return result;
}

Topology Topology::one_node(int p) { return Topology(std::vector<int>(p, 0)); }

Topology Topology::one_rank_per_node(int p) {
  std::vector<int> nodes(p);
  std::iota(nodes.begin(), nodes.end(), 0);
  return Topology(nodes);
}

template <class Part>
std::shared_ptr<const Topology> Topology::cut(int number, Part part_of) const {
  const std::scoped_lock lock(splits_->mutex);
  std::weak_ptr<const Topology>& known = splits_->made[number];
  if (auto made = known.lock()) return made;
  std::vector<int> result(node_of_.size());
  // There are no more parts than ranks.
  for (Rank r = 0; r < p(); ++r) result[r] = first_[node_of(r)] + part_of(r);
  auto made = std::make_shared<const Topology>(result);
  known = made;
  return made;
}

std::shared_ptr<const Topology> Topology::split(int parts) const {
  parts = std::clamp(parts, 1, largest_);
  return cut(parts, [&](Rank rank) {
    const int size = size_of(node_of(rank)), number = std::clamp(parts, 1, size);
    const int each = size / number, longer = size % number;  // the first few have one more
    const int place = place_of(rank);
    return place < longer * (each + 1) ? place / (each + 1) : (place - longer) / each;
  });
}

std::shared_ptr<const Topology> Topology::split_by_domain() const {
  return cut(0, [&](Rank rank) { return domain_of(rank); });
}

Topology Topology::of(const std::vector<Rank>& ranks) const {
  std::vector<int> nodes, domains;
  for (const Rank rank : ranks) nodes.push_back(node_of(rank));
  for (const Rank rank : ranks)
    if (has_domains()) domains.push_back(domain_of(rank));
  return Topology(nodes, domains);
}

std::string Topology::describe() const {
  const int domains =
      has_domains() ? *std::max_element(domain_of_.begin(), domain_of_.end()) + 1 : 1;
  if (is_uniform() && largest_ % domains == 0)
    for (const bool cyclic : {false, true}) {
      const Grid grid{nodes(), domains, largest_ / domains, cyclic};
      if (*this == grid.topology())
        return fmt::format("{}x{}{}{}", nodes(),
                           has_domains() ? fmt::format("{}x", domains) : std::string(), grid.each,
                           cyclic ? cyclic_mark : "");
    }
  if (!has_domains()) return fmt::format("{}", fmt::join(node_of_, ","));
  std::string text;
  for (Rank r = 0; r < p(); ++r)
    text += fmt::format("{}{}.{}", r > 0 ? "," : "", node_of(r), domain_of(r));
  return text;
}

std::shared_ptr<const Topology> parse_topology(std::string_view text) {
  constexpr std::string_view remedy =
      "write 3x4, 2x3x4 with domains of nodes, 3x4:cyclic or the node of each rank, 0,0,1,1";
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("'{}' is no topology: {}; {}", text, what, remedy));
  };
  if (text.find('x') != std::string_view::npos) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view placement = text.substr(colon);
    if (!placement.empty() && placement != cyclic_mark)
      refuse(fmt::format("unknown placement '{}'", placement.substr(1)));
    auto grid = parse_grid(text.substr(0, colon));
    if (!grid) refuse("NODESxRANKS needs two whole numbers from 1 on, NODESxDOMAINSxRANKS three");
    grid->is_cyclic = !placement.empty();
    return std::make_shared<const Topology>(grid->topology());
  }
  std::vector<int> nodes, domains;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t dot = std::min(word.find('.'), word.size());
    const auto node = number(word.substr(0, dot), 0);
    const auto domain = dot < word.size() ? number(word.substr(dot + 1), 0) : std::optional(0);
    if (!node || !domain) refuse(fmt::format("'{}' is no node's number", word));
    nodes.push_back(*node);
    domains.push_back(*domain);
    begin = end + 1;
  }
  return std::make_shared<const Topology>(nodes, domains);
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
