// Refuses a round that cannot be carried out, before anything of it happens.

#include "execute/local_round.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tutti::core {

namespace {

class RoundCheck {
 public:
  RoundCheck(LocalRank& rank, Rank p, bool may_combine)
      : rank_(rank),
        schedule_(rank.schedule()),
        p_(p),
        may_combine_(may_combine),
        begin_(schedule_.round_begin(rank.round)),
        end_(schedule_.round_end(rank.round)) {}

  void run() {
    if (begin_ > end_ || end_ > schedule_.actions.size())
      rank_.fail("the round is not in the schedule");
    rank_.open.assign(end_ - begin_, {});
    for (std::size_t a = begin_; a < end_; ++a) {
      check_alone(schedule_.actions[a]);
      note(a);
    }
    check_together();
  }

 private:
  struct Access {
    Slice slice;
    bool writes;
    std::size_t action;
  };

  void check_alone(const Action& action) const {
    const auto pool = schedule_.slices.size();
    if (action.first > action.last || action.last > pool || action.from_first > action.from_last ||
        action.from_last > pool)
      rank_.fail("the slices of an action are not in the schedule");
    const std::span<const Slice> slices = schedule_.slices_of(action);
    check_inside(action, slices);
    check_inside(action, schedule_.sources_of(action));
    if (action.is_message() && (action.peer < 0 || action.peer >= p_))
      rank_.fail(action, "has no such peer");
    if (action.combines() && !may_combine_) rank_.fail(action, "has no reduction to combine with");
    if (!action.sends() && std::ranges::find(slices, Buffer::input, &Slice::buffer) != slices.end())
      rank_.fail(action, "writes to the input");
  }

  void check_inside(const Action& action, std::span<const Slice> slices) const {
    for (const Slice& slice : slices)
      if (!rank_.memory.holds(slice)) rank_.fail(action, "is outside the buffer");
  }

  /// Notes what the action touches, or chains it to those that write the same.
  void note(std::size_t a) {
    const Action& action = schedule_.actions[a];
    const std::span<const Slice> slices = schedule_.slices_of(action);
    if (action.sends()) {
      access(slices, false, a);
      return;
    }
    access(schedule_.sources_of(action), false, a);
    const auto first = std::ranges::find_if(slices, [](const Slice& one) { return one.count > 0; });
    if (first == slices.end()) return;
    const int place = static_cast<int>(a - begin_);
    const auto [last, is_first] = last_write_.try_emplace({first->buffer, first->offset}, place);
    if (!is_first && action.combines() &&
        std::ranges::equal(slices, schedule_.slices_of(schedule_.actions[begin_ + last->second]))) {
      rank_.open[place].before = last->second;
      rank_.open[last->second].after = place;
      last->second = place;
    } else {
      access(slices, true, a);
    }
  }

  void access(std::span<const Slice> slices, bool writes, std::size_t action) {
    for (const Slice& slice : slices)
      if (slice.count > 0) accesses_.push_back({slice, writes, action});
  }

  void check_together() {
    std::ranges::sort(accesses_, {}, [](const Access& one) {
      return std::pair(one.slice.buffer, one.slice.offset);
    });
    // Of those that began before, only the one that reaches furthest matters.
    const Access* furthest = nullptr;
    const Access* furthest_write = nullptr;
    for (const Access& one : accesses_) {
      const Access* other = one.writes ? furthest : furthest_write;
      if (other && other->slice.overlaps(one.slice))
        rank_.fail(schedule_.actions[one.action],
                   "disturbs " + describe(schedule_, schedule_.actions[other->action]));
      const auto beyond = [&](const Access* far) {
        return !far || far->slice.buffer != one.slice.buffer || far->slice.end() < one.slice.end();
      };
      if (beyond(furthest)) furthest = &one;
      if (one.writes && beyond(furthest_write)) furthest_write = &one;
    }
  }

  LocalRank& rank_;
  const Schedule& schedule_;
  const Rank p_;
  const bool may_combine_;
  const std::size_t begin_, end_;
  std::vector<Access> accesses_;
  std::map<std::pair<Buffer, std::size_t>, int> last_write_;  // by where it begins
};

}  // namespace

void open_round(LocalRank& rank, Rank p, bool may_combine) {
  RoundCheck(rank, p, may_combine).run();
}

}  // namespace tutti::core
