// Expressions over contributions, each held once.

#include "verify/symbolic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tutti::core {

Expressions::Id Expressions::intern(const Node& node) {
  const auto [found, is_new] = ids_.try_emplace(node, static_cast<Id>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return found->second;
}

Expressions::Id Expressions::combine(Id left, Id right) {
  if (!is_value(left) || !is_value(right)) return garbage;
  return intern({Is::combination, static_cast<std::uint64_t>(left) << 32 | right});
}

std::vector<Rank> Expressions::operands(Id id, std::size_t limit) const {
  std::vector<Rank> ranks;
  std::vector<Id> open{id};
  while (!open.empty() && ranks.size() < limit) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    if (node.is == Is::combination) {
      open.push_back(static_cast<Id>(node.a));
      open.push_back(static_cast<Id>(node.a >> 32));
    } else if (node.is == Is::contribution) {
      ranks.push_back(static_cast<Rank>(node.a));
    }
  }
  return ranks;
}

std::string Expressions::describe(Id id) const {
  switch (nodes_[id].is) {
    case Is::nothing: return id == undefined ? "nothing written yet" : "a meaningless combination";
    case Is::contribution: return fmt::format("data of rank {}", nodes_[id].a);
    case Is::initial: return "what stood there before the call";
    case Is::constant: return fmt::format("the number {}", nodes_[id].a);
    case Is::combination: break;
  }
  const std::vector<Rank> ranks = operands(id, 17);
  if (ranks.size() < 17) return fmt::format("the ranks {} combined", fmt::join(ranks, ", "));
  return fmt::format("the ranks {}, ... combined", fmt::join(ranks.begin(), ranks.end() - 1, ", "));
}

std::vector<std::uint64_t> Expressions::digests(bool swaps) const {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  };
  std::vector<std::uint64_t> result;
  result.reserve(nodes_.size());
  // Operands come before what is combined of them.
  for (const Node& node : nodes_) {
    if (node.is == Is::combination) {
      const std::uint64_t left = result[node.a >> 32], right = result[static_cast<Id>(node.a)];
      result.push_back(mix((swaps ? left : mix(left)) + right + 1));
    } else {
      result.push_back(mix(mix(node.a) + static_cast<std::uint64_t>(node.is)));
    }
  }
  return result;
}

void append(std::vector<Piece>& pieces, const Piece& piece) {
  if (piece.count == 0) return;
  if (!pieces.empty() && pieces.back().id == piece.id &&
      pieces.back().index + pieces.back().count == piece.index)
    pieces.back().count += piece.count;
  else
    pieces.push_back(piece);
}

std::vector<Piece> combine(Expressions& expressions, const std::vector<Piece>& left,
                           const std::vector<Piece>& right) {
  std::vector<Piece> result;
  std::size_t i = 0, j = 0, used_i = 0, used_j = 0;
  while (i < left.size() && j < right.size()) {
    const std::size_t count = std::min(left[i].count - used_i, right[j].count - used_j);
    const std::size_t index = left[i].index + used_i;
    const bool same_index = index == right[j].index + used_j;
    append(result,
           {count, same_index ? expressions.combine(left[i].id, right[j].id) : Expressions::garbage,
            index});
    if ((used_i += count) == left[i].count) ++i, used_i = 0;
    if ((used_j += count) == right[j].count) ++j, used_j = 0;
  }
  return result;
}

void Contents::resize(std::size_t size, Expressions::Id id) {
  if (size > size_) intervals_.push_back({size_, id, size_});
  size_ = std::max(size, size_);
}

void Contents::read(std::size_t offset, std::size_t count, std::vector<Piece>& into) const {
  if (count == 0) return;  // an empty buffer has no interval to look at
  const std::size_t end = offset + count;
  auto at = std::upper_bound(intervals_.begin(), intervals_.end(), offset,
                             [](std::size_t o, const Interval& i) { return o < i.offset; });
  for (--at; offset < end; ++at) {
    const std::size_t until = at + 1 == intervals_.end() ? size_ : (at + 1)->offset;
    const std::size_t stop = std::min(end, until);
    append(into, {stop - offset, at->id, at->index + (offset - at->offset)});
    offset = stop;
  }
}

void Contents::write(std::size_t offset, const Piece* pieces, std::size_t number) {
  std::size_t end = offset;
  for (std::size_t i = 0; i < number; ++i) end += pieces[i].count;
  if (end == offset) return;
  const auto after = [](std::size_t o, const Interval& i) { return o < i.offset; };
  // The intervals [first, last) begin inside what is overwritten.
  auto first = std::upper_bound(intervals_.begin(), intervals_.end(), offset, after);
  if (first != intervals_.begin() && (first - 1)->offset == offset) --first;
  auto last = std::upper_bound(first, intervals_.end(), end, after);
  if (last != first && (last - 1)->offset == end) --last;
  std::vector<Interval> fresh;
  fresh.reserve(number + 1);
  std::size_t at = offset;
  for (std::size_t i = 0; i < number; ++i) {
    fresh.push_back({at, pieces[i].id, pieces[i].index});
    at += pieces[i].count;
  }
  const bool next_begins_here = last != intervals_.end() && last->offset == end;
  if (end < size_ && !next_begins_here) {
    const Interval& cut = *(last - 1);  // the last one that began before `end` goes on behind it
    fresh.push_back({end, cut.id, cut.index + (end - cut.offset)});
  }
  const auto place = first - intervals_.begin();
  const auto old = static_cast<std::size_t>(last - first);
  const std::size_t kept = std::min(old, fresh.size());
  std::copy(fresh.begin(), fresh.begin() + kept, first);
  if (old > kept)
    intervals_.erase(intervals_.begin() + place + kept, intervals_.begin() + place + old);
  else
    intervals_.insert(intervals_.begin() + place + kept, fresh.begin() + kept, fresh.end());
}

}  // namespace tutti::core
