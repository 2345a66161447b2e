// Takes copies out of a schedule that can do without them.

#include "execute/elide_copies.hpp"

#include <algorithm>
#include <optional>
#include <utility>

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

bool is_single(const Action& action) { return action.last - action.first == 1; }

/// Goes through the rounds and keeps account of the copies that still stand.
class Elision {
 public:
  explicit Elision(const Schedule& schedule)
      : schedule_(schedule), result_(schedule), needed_(schedule.actions.size(), 1) {}

  Schedule run(bool goes_on) {
    for (std::size_t t = 0; t < schedule_.round_count(); ++t) {
      // In one round nobody reads what another writes: first all that is read, then what is
      // written.
      for (std::size_t a = schedule_.round_begin(t); a < schedule_.round_end(t); ++a) read(a);
      for (std::size_t a = schedule_.round_begin(t); a < schedule_.round_end(t); ++a) write(a);
      for (std::size_t a = schedule_.round_begin(t) + 1; a < schedule_.round_end(t); ++a)
        combine_at_once(a);
    }
    // What is left in the output is the result; scratch is nobody's.
    need_all_that([&](const Copied& each) { return goes_on || each.to.buffer == Buffer::output; });
    if (std::find(needed_.begin(), needed_.end(), 0) != needed_.end()) keep_needed();
    return std::move(result_);
  }

 private:
  void read(std::size_t a) {
    const Action& action = schedule_.actions[a];
    // A message of several pieces that lie together stays one of as many.
    if (action.sends()) read(action.first, action.last, is_single(action));
    read(action.from_first, action.from_last, false);
  }

  void read(std::uint32_t first, std::uint32_t last, bool may_elide) {
    for (std::uint32_t i = first; i < last; ++i) {
      const Slice& slice = schedule_.slices[i];
      const std::optional<Slice> source = source_of(slice);
      if (may_elide && source)
        result_.slices[i] = *source;
      else
        need_all_on(slice);
    }
  }

  void write(std::size_t a) {
    const Action& action = schedule_.actions[a];
    if (action.sends() || combine_with_input(a)) return;
    for (const Slice& slice : schedule_.slices_of(action)) {
      // What overwrites a copy makes it needless; what changes it does not.
      if (action.kind == Kind::recv || action.kind == Kind::copy) forget(slice);
      need_all_on(slice);
    }
    if (is_plain(schedule_, action)) {
      copies_.push_back({a, schedule_.slices[action.from_first], schedule_.slices[action.first]});
      needed_[a] = 0;
    }
  }

  /// What comes is combined with the input where it stands, if only a copy of it would be changed.
  bool combine_with_input(std::size_t a) {
    const Action& action = schedule_.actions[a];
    if (action.kind != Kind::recv_reduce || !is_single(action)) return false;
    const Slice& slice = schedule_.slices[action.first];
    const std::optional<Slice> source = source_of(slice);
    if (!source || slice.count == 0) return false;
    Action& combining = result_.actions[a];
    combining.from_first = static_cast<std::uint32_t>(result_.slices.size());
    combining.from_last = combining.from_first + 1;
    result_.slices.push_back(*source);
    forget(slice);
    return true;
  }

  /// What comes and is combined with the input at once is combined as it comes.
  void combine_at_once(std::size_t a) {
    const Action& own = schedule_.actions[a];
    Action& coming = result_.actions[a - 1];
    if (own.kind != Kind::reduce || coming.kind != Kind::recv || !is_single(own) ||
        !is_single(coming) || schedule_.slices[own.first] != schedule_.slices[coming.first] ||
        own.from_last - own.from_first != 1 ||
        schedule_.slices[own.from_first].buffer != Buffer::input)
      return;
    coming.kind = Kind::recv_reduce;
    coming.side = own.side == Side::left ? Side::right : Side::left;
    coming.from_first = own.from_first;
    coming.from_last = own.from_last;
    needed_[a] = 0;
  }

  void keep_needed() {
    std::vector<Action> actions;
    std::vector<std::uint32_t> rounds;
    for (std::size_t t = 0; t < schedule_.round_count(); ++t) {
      rounds.push_back(static_cast<std::uint32_t>(actions.size()));
      for (std::size_t a = schedule_.round_begin(t); a < schedule_.round_end(t); ++a)
        if (needed_[a]) actions.push_back(result_.actions[a]);
    }
    result_.actions = std::move(actions);
    result_.rounds = std::move(rounds);
  }

  /// Where all of the slice was copied from, if its copy still stands.
  std::optional<Slice> source_of(const Slice& slice) const {
    for (const Copied& each : copies_)
      if (const std::optional<Slice> source = each.source_of(slice)) return source;
    return std::nullopt;
  }

  /// What was copied there does not matter any more; what stands beside it does.
  void forget(const Slice& slice) {
    std::vector<Copied> rest;
    std::erase_if(copies_, [&](const Copied& each) {
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
    copies_.insert(copies_.end(), rest.begin(), rest.end());
  }

  void need_all_on(const Slice& slice) {
    need_all_that([&](const Copied& each) { return each.to.overlaps(slice); });
  }

  void need_all_that(auto&& holds) {
    std::erase_if(copies_, [&](const Copied& copy) {
      if (!holds(copy)) return false;
      needed_[copy.action] = 1;
      return true;
    });
  }

  const Schedule& schedule_;
  Schedule result_;
  std::vector<Copied> copies_;  // what still stands as it was written
  std::vector<char> needed_;    // by action
};

}  // namespace

Schedule elide_copies(const Schedule& schedule, bool goes_on) {
  return Elision(schedule).run(goes_on);
}

}  // namespace tutti::core
