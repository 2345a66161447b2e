// What a program learned, as decisions of a profile that the next run reads.

#include "select/learning/store.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace tutti::core {

namespace {

/// The least size of a class; the largest one is 2^size_class.
std::size_t least_of(int size_class) {
  return size_class < 1 ? 0 : (std::size_t{1} << (size_class - 1)) + 1;
}
std::size_t next_after(std::size_t least) {
  return std::bit_ceil(std::max<std::size_t>(1, least)) + 1;
}

/// By size, without gaps.
std::vector<Decision> without_gaps(const std::map<std::size_t, Decision>& measured,
                                   bool has_sizes) {
  std::vector<Decision> choices;
  std::size_t next = 0;
  const auto fill = [&](const Decision& like) {
    choices.push_back(like);
    choices.back().from = next;
    choices.back().measured = false;
  };
  for (const auto& [from, decision] : measured) {
    if (next < from) fill(choices.empty() ? decision : choices.back());
    choices.push_back(decision);
    next = next_after(from);
  }
  if (has_sizes) fill(choices.back());
  return choices;
}

}  // namespace

bool is_learned(const Profile& profile) { return profile.name == learned_name; }

bool has_default_network(const Profile& profile) {
  return profile.rates == default_profile().rates;
}

bool has_default_nodes(const Profile& profile) {
  NodeRates like = *default_profile().node;
  if (!profile.node) return true;
  like.reading = profile.node->reading;  // is always looked at
  return *profile.node == like;
}

void add_learned(Profile& profile, std::span<const Learned> learned) {
  std::vector<DecisionRow> rows = profile.decisions.rows();
  for (const Learned& each : learned) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const DecisionRow& known) {
      return known.covers(each.collective, *each.topology, each.blocks);
    });
    if (row == rows.end())
      row = rows.insert(rows.end(), {each.collective, each.topology, {}, each.blocks});
    std::map<std::size_t, Decision> measured;
    for (const Decision& choice : row->choices)
      if (choice.measured) measured[choice.from] = choice;
    const std::size_t from = least_of(each.size_class);
    measured[from] = {from, each.request, each.seconds, true};
    row->choices = without_gaps(measured, each.size_class >= 0);
  }
  Decisions decisions;
  for (DecisionRow& row : rows) decisions.add(std::move(row));
  profile.decisions = std::move(decisions);
}

}  // namespace tutti::core
