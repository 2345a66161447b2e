#include "execute/forward.hpp"

#include <algorithm>
#include <optional>

namespace tutti {

namespace {

/// A copy of one piece of the input that has nothing else in it.
bool is_plain(const Schedule& schedule, const Action& action) {
  return action.kind == Kind::copy && action.last - action.first == 1 &&
         action.from_last - action.from_first == 1 &&
         schedule.slices[action.from_first].buffer == Buffer::input &&
         schedule.slices[action.first].buffer != Buffer::input;
}

/// What a copy has written and nobody has changed since.
struct Copied {
  std::size_t action;  // the copy
  Slice from, to;

  /// Where the slice's elements stand in the input, if all of them were copied.
  std::optional<Slice> source_of(const Slice& slice) const {
    if (slice.buffer != to.buffer || slice.offset < to.offset || slice.end() > to.end())
      return std::nullopt;
    return Slice{from.buffer, from.offset + (slice.offset - to.offset), slice.count};
  }
};

}  // namespace

Schedule forward_copies(const Schedule& schedule, bool goes_on) {
  Schedule result = schedule;
  std::vector<Copied> copies;  // that still stand as they were written, as a whole
  std::vector<char> needed(schedule.actions.size(), 1);
  const auto need_all_that = [&](auto&& holds) {
    std::erase_if(copies, [&](const Copied& copy) {
      if (!holds(copy)) return false;
      needed[copy.action] = 1;
      return true;
    });
  };
  for (std::size_t t = 0; t < schedule.round_count(); ++t) {
    // In one round nobody reads what another writes: first all that is read, then what is written.
    for (std::size_t a = schedule.round_begin(t); a < schedule.round_end(t); ++a) {
      const Action& action = schedule.actions[a];
      const auto reads = [&](std::uint32_t first, std::uint32_t last, bool may_forward) {
        for (std::uint32_t i = first; i < last; ++i) {
          const Slice& slice = schedule.slices[i];
          const auto copy = std::find_if(copies.begin(), copies.end(), [&](const Copied& each) {
            return each.source_of(slice).has_value();
          });
          if (may_forward && copy != copies.end())
            result.slices[i] = *copy->source_of(slice);
          else
            need_all_that([&](const Copied& each) { return each.to.overlaps(slice); });
        }
      };
      // A message of several pieces that lie together stays one of as many.
      if (action.sends()) reads(action.first, action.last, action.last - action.first == 1);
      reads(action.from_first, action.from_last, false);
    }
    for (std::size_t a = schedule.round_begin(t); a < schedule.round_end(t); ++a) {
      const Action& action = schedule.actions[a];
      if (action.sends()) continue;
      for (const Slice& slice : schedule.slices_of(action)) {
        // What overwrites all of a copy makes it needless; what changes it, or a part, does not.
        if (action.kind == Kind::recv || action.kind == Kind::copy)
          std::erase_if(copies, [&](const Copied& each) {
            return slice.buffer == each.to.buffer && slice.offset <= each.to.offset &&
                   slice.end() >= each.to.end();
          });
        need_all_that([&](const Copied& each) { return each.to.overlaps(slice); });
      }
      if (is_plain(schedule, action)) {
        copies.push_back({a, schedule.slices[action.from_first], schedule.slices[action.first]});
        needed[a] = 0;
      }
    }
  }
  // What is left in the output is the result; scratch is nobody's.
  need_all_that([&](const Copied& each) { return goes_on || each.to.buffer == Buffer::output; });
  if (std::find(needed.begin(), needed.end(), 0) == needed.end()) return result;

  std::vector<Action> actions;
  std::vector<std::uint32_t> rounds;
  for (std::size_t t = 0; t < schedule.round_count(); ++t) {
    rounds.push_back(static_cast<std::uint32_t>(actions.size()));
    for (std::size_t a = schedule.round_begin(t); a < schedule.round_end(t); ++a)
      if (needed[a]) actions.push_back(schedule.actions[a]);
  }
  result.actions = std::move(actions);
  result.rounds = std::move(rounds);
  return result;
}

}  // namespace tutti
