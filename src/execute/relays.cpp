// Which algorithms pass on what they received, told by their schedules.

#include "execute/relays.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <span>

namespace tutti::core {

namespace {

/// Holds for a schedule if it sends from slices that hold, directly or not, what came.
bool relays(const Schedule& schedule) {
  std::vector<Slice> came;
  const auto holds_any = [&](std::span<const Slice> slices) {
    return std::any_of(slices.begin(), slices.end(), [&](const Slice& slice) {
      return std::any_of(came.begin(), came.end(),
                         [&](const Slice& other) { return slice.overlaps(other); });
    });
  };
  for (const Action& action : schedule.actions) {
    const auto slices = schedule.slices_of(action);
    if (action.sends()) {
      if (holds_any(slices)) return true;
    } else if (action.is_message() || holds_any(schedule.sources_of(action))) {
      came.insert(came.end(), slices.begin(), slices.end());
    }
  }
  return false;
}

bool find_out(const Algorithm& algorithm) {
  if (algorithm.learns || algorithm.node_aware) return true;
  constexpr int p = 8;  // more than a neighbour each, and a power of two
  Problem problem = Problem::even(algorithm.collective, p, 4 * p);
  const Parameters parameters = algorithm.resolve(problem, Rates{});
  for (Rank rank = 0; rank < p; ++rank)
    if (relays(Generator(algorithm, problem.call(rank), parameters).schedule())) return true;
  return false;
}

}  // namespace

bool relays(const Algorithm& algorithm) {
  const std::span<const Algorithm> table = registry();
  // Pointers into different arrays compare by std::less alone.
  const std::less<const Algorithm*> before;
  if (before(&algorithm, table.data()) || !before(&algorithm, table.data() + table.size()))
    return find_out(algorithm);
  enum : char { unknown, no, yes };
  static std::vector<std::atomic<char>> known(table.size());
  std::atomic<char>& answer = known[static_cast<std::size_t>(&algorithm - table.data())];
  if (answer == unknown) answer = find_out(algorithm) ? yes : no;
  return answer == yes;
}

}  // namespace tutti::core
