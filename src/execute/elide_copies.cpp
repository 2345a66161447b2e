// Takes copies out of a schedule that can do without them.

#include "execute/elide_copies.hpp"

#include <algorithm>
#include <optional>

namespace tutti::core {

namespace {

/// A copy of one piece of the input that has nothing else in it.
bool is_plain(const Schedule& schedule, const Action& action) {
  return action.kind == Kind::copy && action.last - action.first == 1 &&
         action.from_last - action.from_first == 1 &&
         schedule.slices[action.from_first].buffer == Buffer::input &&
         schedule.slices[action.first].buffer != Buffer::input;
}

/// What a copy has written, or a part of it, and nobody has changed since.
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

Schedule elide_copies(const Schedule& schedule, bool goes_on) {
  Schedule result = schedule;
  std::vector<Copied> copies;  // what still stands as it was written
  std::vector<char> needed(schedule.actions.size(), 1);
  const auto need_all_that = [&](auto&& holds) {
    std::erase_if(copies, [&](const Copied& copy) {
      if (!holds(copy)) return false;
      needed[copy.action] = 1;
      return true;
    });
  };
  const auto copy_of = [&](const Slice& slice) {
    return std::find_if(copies.begin(), copies.end(),
                        [&](const Copied& each) { return each.source_of(slice).has_value(); });
  };
  // What was copied there does not matter any more; what stands beside it does.
  const auto forget = [&](const Slice& slice) {
    std::vector<Copied> rest;
    std::erase_if(copies, [&](const Copied& each) {
      if (!each.to.overlaps(slice)) return false;
      const auto keep = [&](std::size_t begin, std::size_t end) {
        if (begin >= end) return;
        const Slice part{each.to.buffer, begin, end - begin};
        rest.push_back({each.action, *each.source_of(part), part});
      };
      keep(each.to.offset, slice.offset);
      keep(slice.end(), each.to.end());
      return true;
    });
    copies.insert(copies.end(), rest.begin(), rest.end());
  };
  const auto is_single = [](const Action& action) { return action.last - action.first == 1; };
  for (std::size_t t = 0; t < schedule.round_count(); ++t) {
    // In one round nobody reads what another writes: first all that is read, then what is written.
    for (std::size_t a = schedule.round_begin(t); a < schedule.round_end(t); ++a) {
      const Action& action = schedule.actions[a];
      const auto reads = [&](std::uint32_t first, std::uint32_t last, bool may_elide) {
        for (std::uint32_t i = first; i < last; ++i) {
          const Slice& slice = schedule.slices[i];
          const auto copy = copy_of(slice);
          if (may_elide && copy != copies.end())
            result.slices[i] = *copy->source_of(slice);
          else
            need_all_that([&](const Copied& each) { return each.to.overlaps(slice); });
        }
      };
      // A message of several pieces that lie together stays one of as many.
      if (action.sends()) reads(action.first, action.last, is_single(action));
      reads(action.from_first, action.from_last, false);
    }
    for (std::size_t a = schedule.round_begin(t); a < schedule.round_end(t); ++a) {
      const Action& action = schedule.actions[a];
      if (action.sends()) continue;
      if (action.kind == Kind::recv_reduce && is_single(action)) {
        // What comes is combined with the input where it stands.
        const Slice& slice = schedule.slices[action.first];
        if (const auto copy = copy_of(slice); copy != copies.end() && slice.count > 0) {
          Action& combining = result.actions[a];
          combining.from_first = static_cast<std::uint32_t>(result.slices.size());
          combining.from_last = combining.from_first + 1;
          result.slices.push_back(*copy->source_of(slice));
          forget(slice);
          continue;
        }
      }
      for (const Slice& slice : schedule.slices_of(action)) {
        // What overwrites a copy makes it needless; what changes it does not.
        if (action.kind == Kind::recv || action.kind == Kind::copy) forget(slice);
        need_all_that([&](const Copied& each) { return each.to.overlaps(slice); });
      }
      if (is_plain(schedule, action)) {
        copies.push_back({a, schedule.slices[action.from_first], schedule.slices[action.first]});
        needed[a] = 0;
      }
    }
    // What comes and is combined with the input at once is combined as it comes.
    for (std::size_t a = schedule.round_begin(t) + 1; a < schedule.round_end(t); ++a) {
      const Action& own = schedule.actions[a];
      Action& coming = result.actions[a - 1];
      if (own.kind != Kind::reduce || coming.kind != Kind::recv || !is_single(own) ||
          !is_single(coming) || schedule.slices[own.first] != schedule.slices[coming.first] ||
          own.from_last - own.from_first != 1 ||
          schedule.slices[own.from_first].buffer != Buffer::input)
        continue;
      coming.kind = Kind::recv_reduce;
      coming.side = own.side == Side::left ? Side::right : Side::left;
      coming.from_first = own.from_first;
      coming.from_last = own.from_last;
      needed[a] = 0;
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
      if (needed[a]) actions.push_back(result.actions[a]);
  }
  result.actions = std::move(actions);
  result.rounds = std::move(rounds);
  return result;
}

}  // namespace tutti::core
