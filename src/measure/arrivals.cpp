// Who came last to calls, and how long the others waited.

#include "measure/arrivals.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::core {

std::uint64_t Arrivals::mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15u;  // splitmix64
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

void Arrivals::thin_out() {
  while (kept_.size() > most_) {
    mask_ = mask_ * 2 + 1;
    std::erase_if(kept_, [this](const Arrival& each) { return (mixed(each.call) & mask_) != 0; });
  }
}

namespace {

/// One call: by rank.
using Parts = std::vector<const Arrival*>;

/// Adds what everybody waited.
void add(Collective collective, const Parts& parts, Waiting& waiting) {
  const auto p = static_cast<int>(parts.size());
  const auto root = static_cast<int>(std::clamp<std::int64_t>(parts[0]->root, 0, p - 1));
  const auto later = [&](int a, int b) { return parts[b]->begin > parts[a]->begin ? b : a; };
  int last = 0;
  for (int r = 1; r < p; ++r) last = later(last, r);
  int before = 0;  // the last of the ranks before this one
  for (int r = 0; r < p; ++r) {
    int needed = last;
    switch (collective) {
      case Collective::bcast:
      case Collective::scatter:
      case Collective::scatterv: needed = root; break;
      case Collective::gather:
      case Collective::gatherv:
      case Collective::reduce: needed = r == root ? last : r; break;
      case Collective::scan:
      case Collective::exscan: needed = before = later(before, r); break;
      default: break;
    }
    const Arrival& mine = *parts[r];
    const std::int64_t waited =
        std::clamp<std::int64_t>(parts[needed]->begin - mine.begin, 0, mine.time);
    waiting.time[r] += static_cast<double>(mine.time) * 1e-9;
    waiting.waited[r] += static_cast<double>(waited) * 1e-9;
    waiting.caused[needed] += static_cast<double>(waited) * 1e-9;
  }
  ++waiting.calls;
}

}  // namespace

Waiting waiting_of(Collective collective, const std::vector<std::vector<Arrival>>& ranks) {
  const std::size_t p = ranks.size();
  Waiting waiting{0, std::vector<double>(p), std::vector<double>(p), std::vector<double>(p)};
  std::vector<std::size_t> next(p);  // calls come in order
  Parts parts(p);
  if (p == 0) return waiting;
  for (const Arrival& first : ranks[0]) {
    bool all = true;
    for (std::size_t r = 0; r < p && all; ++r) {
      while (next[r] < ranks[r].size() && ranks[r][next[r]].call < first.call) ++next[r];
      all = next[r] < ranks[r].size() && ranks[r][next[r]].call == first.call;
      if (all) parts[r] = &ranks[r][next[r]];
    }
    if (all) add(collective, parts, waiting);
  }
  return waiting;
}

std::string format_ranks(const std::vector<int>& ranks) {
  constexpr int most_runs = 6;
  std::string text;
  int runs = 0;
  for (std::size_t i = 0; i < ranks.size(); ++runs) {
    if (runs == most_runs) return fmt::format("{},... ({} ranks)", text, ranks.size());
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    text += fmt::format("{}{}", i == 0 ? "" : ",", ranks[i]);
    if (end > i + 1) text += fmt::format("-{}", ranks[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace tutti::core
