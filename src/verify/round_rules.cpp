// What may be wrong within one round of one rank's schedule.

#include "verify/round_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::core {

bool check_slices(const Schedule& s, int round, Rank rank, int p, const Sizes& sizes,
                  const OnFault& on_fault) {
  bool right = true;
  const auto find = [&](int action, long index, std::string message) {
    right = false;
    on_fault(action, index, std::move(message));
  };
  for (std::size_t a = s.round_begin(round); a < s.round_end(round); ++a) {
    const Action& action = s.actions[a];
    const int number = static_cast<int>(a);
    if (action.is_message() && (action.peer < 0 || action.peer >= p))
      find(number, -1, fmt::format("there is no rank {}", action.peer));
    if (action.is_message() && action.peer == rank) find(number, -1, "a message to itself");
    const auto check = [&](const Slice& slice, bool writes) {
      const std::size_t size = sizes[static_cast<int>(slice.buffer)];
      if (slice.end() > size || slice.end() < slice.offset)
        find(number, static_cast<long>(size),
             fmt::format("{}[{}..{}) ends outside the buffer of {} elements", name_of(slice.buffer),
                         slice.offset, slice.end(), size));
      if (writes && slice.buffer == Buffer::input)
        find(number, static_cast<long>(slice.offset), "writes to the input");
    };
    for (const Slice& slice : s.slices_of(action)) check(slice, !action.sends());
    std::size_t from = 0;
    for (const Slice& slice : s.sources_of(action)) {
      check(slice, false);
      from += slice.count;
    }
    const bool has_source = !action.is_message() || action.from_first != action.from_last;
    if (has_source && from != s.count_of(action))
      find(number, -1, fmt::format("reads {} elements but writes {}", from, s.count_of(action)));
  }
  return right;
}

bool check_overlaps(const Schedule& s, int round, const OnFault& on_fault) {
  struct Access {
    Slice slice;
    bool writes;
    int action;
  };
  std::vector<Access> accesses;
  std::vector<int> writers;  // one of each set of equal targets
  for (std::size_t a = s.round_begin(round); a < s.round_end(round); ++a) {
    const Action& action = s.actions[a];
    const auto target = s.slices_of(action);
    for (const Slice& slice : s.sources_of(action))
      accesses.push_back({slice, false, static_cast<int>(a)});
    bool repeats = false;
    if (action.combines() && !target.empty())
      for (std::size_t w = writers.size(); w-- > 0 && !repeats;) {
        const auto other = s.slices_of(s.actions[writers[w]]);
        repeats = std::equal(target.begin(), target.end(), other.begin(), other.end());
      }
    if (repeats) continue;
    if (!action.sends()) writers.push_back(static_cast<int>(a));
    for (const Slice& slice : target)
      accesses.push_back({slice, !action.sends(), static_cast<int>(a)});
  }
  std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
    if (a.slice.buffer != b.slice.buffer) return a.slice.buffer < b.slice.buffer;
    return a.slice.offset < b.slice.offset;
  });
  const Access *farthest = nullptr, *farthest_write = nullptr;
  for (const Access& access : accesses) {
    const Access* other = access.writes ? farthest : farthest_write;
    if (other && other->slice.overlaps(access.slice)) {
      on_fault(access.action, static_cast<long>(access.slice.offset),
               fmt::format("touches what '{}' of the same round touches, and one of them writes",
                           describe(s, s.actions[other->action])));
      return false;
    }
    const auto reaches_farther = [&](const Access* than) {
      return !than || than->slice.buffer != access.slice.buffer ||
             than->slice.end() < access.slice.end();
    };
    if (reaches_farther(farthest)) farthest = &access;
    if (access.writes && reaches_farther(farthest_write)) farthest_write = &access;
  }
  return true;
}

}  // namespace tutti::core
