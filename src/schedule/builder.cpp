// Actions as an algorithm gives them become rounds of a schedule.

#include "schedule/builder.hpp"

#include <stdexcept>

namespace tutti::core {

Slice Builder::scratch(std::size_t count) {
  const Slice slice{Buffer::scratch, schedule_.scratch, count};
  schedule_.scratch += count;
  return slice;
}

Slice Builder::constants(std::span<const std::size_t> values) {
  const Slice slice = scratch(values.size() * sizeof(std::uint64_t));
  for (std::size_t i = 0; i < values.size(); ++i)
    schedule_.constants.push_back({slice.offset + i * sizeof(std::uint64_t), values[i]});
  return slice;
}

void Builder::learn(const Slice& counts, Next next) {
  if (next_) throw std::logic_error("learn: the stage has ended already");
  schedule_.stages.push_back({static_cast<std::uint32_t>(schedule_.round_count()), counts, {}});
  next_ = std::move(next);
  round_is_open_ = false;
}

void Builder::resume(std::span<const std::size_t> learned) {
  const Next next = std::exchange(next_, nullptr);
  schedule_.stages.back().learned.assign(learned.begin(), learned.end());
  next(*this, learned);
}

void Builder::message(Kind kind, Side side, std::span<const Slice> slices, Rank peer) {
  const auto [first, last] = pool(slices);
  if (first != last) add({.kind = kind, .side = side, .peer = peer, .first = first, .last = last});
}

void Builder::local(Kind kind, Side side, std::span<const Slice> from, std::span<const Slice> to) {
  const auto [from_first, from_last] = pool(from);
  const auto [first, last] = pool(to);
  if (first != last)
    add({.kind = kind,
         .side = side,
         .first = first,
         .last = last,
         .from_first = from_first,
         .from_last = from_last});
}

std::pair<std::uint32_t, std::uint32_t> Builder::pool(std::span<const Slice> slices) {
  auto& all = schedule_.slices;
  const auto first = static_cast<std::uint32_t>(all.size());
  for (const Slice& slice : slices) {
    if (slice.count == 0) continue;
    if (all.size() > first && all.back().buffer == slice.buffer && all.back().end() == slice.offset)
      all.back().count += slice.count;
    else
      all.push_back(slice);
  }
  return {first, static_cast<std::uint32_t>(all.size())};
}

void Builder::add(const Action& action) {
  if (!round_is_open_) {
    schedule_.rounds.push_back(static_cast<std::uint32_t>(schedule_.actions.size()));
    round_is_open_ = true;
  }
  schedule_.actions.push_back(action);
}

}  // namespace tutti::core
