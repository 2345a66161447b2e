// Which ranks' schedules tell what an algorithm takes.

#include "model/sample.hpp"

#include <algorithm>
#include <map>

#include "algorithms/pattern/nodes.hpp"

namespace tutti::core {

namespace {

/// Actions, slices and the like that may be generated for one time: about a millisecond's worth.
/// The four nodes that stand for all may have some more.
constexpr std::size_t thorough_budget = 20'000;
/// And where a program waits: about fifty microseconds' worth.
constexpr std::size_t quick_budget = 1'000;
/// Schedules of this length are of algorithms in which nearly all ranks do the same.
constexpr std::size_t long_schedule = 1'000;

std::size_t size_of(const Schedule& schedule) {
  return 8 + schedule.actions.size() + schedule.slices.size();
}

/// Places of a node, and how many each stands for: its first rank and its last, who meet other
/// nodes, of several leaders one more, and of the others two.
std::map<int, double> standing_for(int ranks, int leaders) {
  const int part = leaders > 1 ? (ranks + leaders - 1) / leaders : 1;  // for which a leader speaks
  const int others = part > 1 ? leaders - 1 : 0;
  std::map<int, double> places{{0, 1}};
  if (others > 0) places[part] += others;
  const int next = 1, middle = others > 0 ? ranks / 2 / part * part + 1 : ranks / 2 + 2;
  for (const int place : {next, middle}) places[place] += (ranks - 2 - others) / 2.0;
  places[ranks - 1] += 1;
  return places;
}

/// The same where each domain has a leader.
std::map<int, double> standing_for_domains(const Topology& topology, int node) {
  const std::span<const Rank> ranks = topology.ranks_of(node);
  std::vector<int> leaders, others;
  int most = -1;  // domains are numbered as they appear
  for (int place = 0; place < static_cast<int>(ranks.size()); ++place) {
    const int domain = topology.domain_of(ranks[place]);
    (domain > most ? leaders : others).push_back(place);
    most = std::max(most, domain);
  }
  std::map<int, double> places{{0, 1}};
  if (leaders.size() > 1) places[leaders[1]] += static_cast<double>(leaders.size() - 1);
  if (others.empty()) return places;
  for (const int place : {others.front(), others[others.size() / 2]})
    places[place] += static_cast<double>(others.size() - 1) / 2;
  places[others.back()] += 1;
  return places;
}

class Sampling {
 public:
  Sampling(const Problem& problem, const Topology& topology, const Algorithm& algorithm,
           const Parameters& parameters, const SampleSize& size)
      : problem_(problem),
        topology_(topology),
        algorithm_(algorithm),
        parameters_(parameters),
        size_(size) {
    sample_.place.assign(problem.p, -1);
    leaders_ = leaders_of(parameters);
  }

  Sample take() && {
    const int last = topology_.nodes() - 1;
    std::vector<int> order{topology_.node_of(problem_.root), 0, last, last / 2};
    for (int i = 0; i <= last + 4 && has_room(i); ++i) {
      const int node = i < 4 ? order[i] : i - 4;
      if (sample_.place[topology_.ranks_of(node)[0]] < 0) add_node(node);
    }
    return std::move(sample_);
  }

 private:
  bool is_quick() const { return size_.care == Care::quick; }

  bool has_room(int nodes) const {
    if (size_.is_whole || nodes == 0) return true;
    if (sample_.nodes.size() == size_.most_nodes) return false;
    if (is_quick() && size_.is_compared) return nodes < 3;
    const std::size_t budget = is_quick() ? quick_budget : thorough_budget;
    return spent_ <= (nodes < 4 ? 4 * budget : budget);
  }

  void add_node(int node) {
    sample_.nodes.emplace_back();
    const std::span<const Rank> ranks = topology_.ranks_of(node);
    const auto size = static_cast<int>(ranks.size());
    add(ranks[0], 1);
    const std::size_t each = size_of(sample_.members.back().schedule);
    constexpr int few = 8;  // as many stand for all, or nearly
    // From rank to rank: nobody can be left out.
    const bool is_one_way = algorithm_.node_aware && (problem_.collective == Collective::scan ||
                                                      problem_.collective == Collective::exscan);
    if (size_.is_whole || !is_quick() || size <= few || is_one_way ||
        (!size_.is_compared && ranks.size() * each <= quick_budget)) {
      for (int i = 1; i < size; ++i) add(ranks[i], 1);
      return;
    }
    if (!size_.is_compared && each > long_schedule && !leaders_.number) {
      add(ranks[size / 2], size - 1);
    } else {
      for (const auto& [place, weight] : representatives(node))
        if (place > 0) add(ranks[place], weight);
    }
    if (node == topology_.node_of(problem_.root) && sample_.place[problem_.root] < 0)
      add(problem_.root, 1);
  }

  std::map<int, double> representatives(int node) const {
    const std::size_t leaders = leaders_.number.value_or(1);
    if (leaders == Leaders::of_domains) return standing_for_domains(topology_, node);
    return standing_for(topology_.size_of(node), static_cast<int>(leaders));
  }

  void add(Rank rank, double weight) {
    sample_.nodes.back().push_back(sample_.members.size());
    sample_.place[rank] = static_cast<int>(sample_.members.size());
    sample_.members.push_back(
        {rank, weight, likely_schedule(problem_, algorithm_, parameters_, rank)});
    spent_ += size_of(sample_.members.back().schedule);
    // Some look at all ranks and send little.
    spent_ += is_quick() ? problem_.p / 64 : problem_.p / 8 + (leaders_.number ? problem_.p : 0);
  }

  const Problem& problem_;
  const Topology& topology_;
  const Algorithm& algorithm_;
  const Parameters& parameters_;
  const SampleSize size_;
  Leaders leaders_;
  std::size_t spent_ = 0;
  Sample sample_;
};

}  // namespace

Schedule likely_schedule(const Problem& problem, const Algorithm& algorithm,
                         const Parameters& parameters, Rank rank) {
  Generator generator(algorithm, problem.call(rank), parameters);
  const auto ranks = static_cast<std::size_t>(problem.p);
  const std::size_t block = (problem.total() + ranks - 1) / ranks;
  while (!generator.finished()) {
    const Slice& counts = generator.schedule().stages.back().slice;
    generator.resume(std::vector<std::size_t>(counts.count / sizeof(std::uint64_t), block));
  }
  return generator.take();
}

Sample sample_of(const Problem& problem, const Topology& topology, const Algorithm& algorithm,
                 const Parameters& parameters, const SampleSize& size) {
  return Sampling(problem, topology, algorithm, parameters, size).take();
}

}  // namespace tutti::core
