// Which messages of one step share a link of a mesh.

#include "verify/conflicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tutti::core {

std::vector<std::vector<Ends>> messages_by_step(const std::vector<Schedule>& schedules) {
  const Matching matching = match(schedules);
  const Steps steps = steps_of(schedules, matching);
  std::vector<std::vector<Ends>> messages(steps.count);
  for (std::size_t m = 0; m < matching.messages.size(); ++m)
    messages[steps.of_message[m] - 1].emplace_back(matching.messages[m].from.rank,
                                                   matching.messages[m].to.rank);
  return messages;
}

namespace {

/// Adds the links that carry several messages, until there are `most`.
void find_conflicts(const Mesh& mesh, int step, const std::vector<Ends>& messages,
                    const std::vector<int>& carried, std::size_t most,
                    std::vector<Conflict>& found) {
  const std::size_t before = found.size();
  for (const auto& [from, to] : messages)
    mesh.follow(from, to, [&, from = from, to = to](const Link& link) {
      if (carried[mesh.index_of(link)] < 2) return;
      auto known = std::find_if(found.begin() + static_cast<std::ptrdiff_t>(before), found.end(),
                                [&](const Conflict& other) { return other.link == link; });
      if (known == found.end()) {
        if (found.size() == most) return;
        known = found.insert(found.end(), {step, link, {}});
      }
      known->messages.emplace_back(from, to);
    });
}

template <class Value>
int largest_of(const std::vector<Load>& steps, Value value) {
  int largest = 0;
  for (const Load& load : steps) largest = std::max(largest, load.*value);
  return largest;
}

}  // namespace

std::size_t Traffic::messages() const {
  return std::accumulate(steps.begin(), steps.end(), std::size_t{0},
                         [](std::size_t sum, const Load& load) {
                           return sum + static_cast<std::size_t>(load.messages);
                         });
}

std::size_t Traffic::conflicts() const {
  return std::accumulate(steps.begin(), steps.end(), std::size_t{0},
                         [](std::size_t sum, const Load& load) {
                           return sum + static_cast<std::size_t>(load.conflicts);
                         });
}

int Traffic::links() const { return largest_of(steps, &Load::links); }

int Traffic::largest() const { return largest_of(steps, &Load::largest); }

Traffic traffic_on(const Mesh& mesh, const std::vector<Schedule>& schedules, std::size_t most) {
  if (schedules.size() != static_cast<std::size_t>(mesh.p()))
    throw std::invalid_argument(
        fmt::format("{} has {} ranks, but there are schedules of {}: give a mesh of as many",
                    mesh.describe(), mesh.p(), schedules.size()));
  const auto messages = messages_by_step(schedules);
  Traffic traffic;
  std::vector<int> carried(static_cast<std::size_t>(mesh.p()) * mesh.dimensions() * 2, 0);
  std::vector<std::size_t> used;
  for (std::size_t s = 0; s < messages.size(); ++s) {
    Load& load = traffic.steps.emplace_back();
    load.messages = static_cast<int>(messages[s].size());
    for (const auto& [from, to] : messages[s])
      mesh.follow(from, to, [&](const Link& link) {
        int& count = carried[mesh.index_of(link)];
        if (++count == 1) used.push_back(mesh.index_of(link));
        load.conflicts += count == 2;
        load.largest = std::max(load.largest, count);
      });
    load.links = static_cast<int>(used.size());
    if (load.conflicts > 0 && traffic.first.size() < most)
      find_conflicts(mesh, static_cast<int>(s) + 1, messages[s], carried, most, traffic.first);
    for (const std::size_t index : used) carried[index] = 0;
    used.clear();
  }
  return traffic;
}

std::string describe(const Mesh& mesh, const Conflict& conflict) {
  std::string text = fmt::format("step {}, link {}: ", conflict.step, mesh.describe(conflict.link));
  const auto& messages = conflict.messages;
  // Two show what is wrong.
  for (std::size_t i = 0; i < std::min<std::size_t>(messages.size(), 2); ++i)
    text += fmt::format("{}{} -> {}",
                        i == 0                 ? ""
                        : messages.size() == 2 ? " and "
                                               : ", ",
                        messages[i].first, messages[i].second);
  if (messages.size() > 2) text += fmt::format(" and {} more", messages.size() - 2);
  return text;
}

}  // namespace tutti::core
