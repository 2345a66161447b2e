// Data's names in a picture: where contributions are cut, and which letters the parts get.

#include "draw/notation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tutti::core {

namespace {

bool gathers(Collective c) {
  return c == Collective::gather || c == Collective::gatherv || c == Collective::allgather ||
         c == Collective::allgatherv;
}

}  // namespace

Notation::Notation(const Problem& problem)
    : problem_(problem), lettered_(is_vector(problem.collective) || reduces(problem.collective)) {
  std::size_t at = 0;
  const auto add_block = [&](std::size_t count, std::string name, Rank owner) {
    if (count == 0) return;
    blocks_.push_back(at);
    block_names_.push_back(std::move(name));
    block_owners_.push_back(owner);
    at += count;
  };
  const Collective c = problem.collective;
  const int p = problem.p;
  if (is_alltoall(c)) {
    for (Rank i = 0; i < p; ++i) {
      base_.push_back(at);
      for (Rank j = 0; j < p; ++j)
        add_block(problem.block(i, j), fmt::format("{}{}{}", i, p <= 10 ? "" : ",", j), j);
    }
  } else if (is_vector(c)) {
    add_block(problem.count, "", -1);
  } else if (c != Collective::barrier) {
    for (Rank i = 0; i < p; ++i) {
      if (gathers(c)) base_.push_back(at);
      add_block(problem.block(i), std::to_string(i), i);
    }
  }
  blocks_.push_back(at);
  cuts_ = blocks_;
}

std::size_t Notation::position(const Data& data) const {
  return data.index + (base_.empty() ? 0 : base_[data.ranks.front()]);
}

void Notation::cut(const Data& data) {
  cuts_.push_back(position(data));
  cuts_.push_back(position(data) + data.count);
}

void Notation::finish() {
  std::sort(cuts_.begin(), cuts_.end());
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
}

std::size_t Notation::block_of(std::size_t part) const {
  return static_cast<std::size_t>(std::upper_bound(blocks_.begin(), blocks_.end(), cuts_[part]) -
                                  blocks_.begin() - 1);
}

Rank Notation::owner(std::size_t part) const { return block_owners_[block_of(part)]; }

std::pair<std::size_t, std::size_t> Notation::parts_of(const Data& data) const {
  const auto index = [&](std::size_t at) {
    return static_cast<std::size_t>(std::lower_bound(cuts_.begin(), cuts_.end(), at) -
                                    cuts_.begin());
  };
  return {index(position(data)), index(position(data) + data.count)};
}

/// Parts first to last, which touch.
std::string Notation::run(std::size_t first, std::size_t last) const {
  if (lettered_) {
    const auto letter = [](std::size_t part) { return static_cast<char>('A' + part); };
    if (numbered())
      return first == last ? fmt::format("#{}", first) : fmt::format("#{}-{}", first, last);
    return first == last ? std::string(1, letter(first))
                         : fmt::format("{}-{}", letter(first), letter(last));
  }
  const std::size_t from = block_of(first), to = block_of(last);
  const bool whole = cuts_[first] == blocks_[from] && cuts_[last + 1] == blocks_[to + 1];
  const auto name = [&](std::size_t part) {
    const std::size_t block = block_of(part);
    const auto begin = std::lower_bound(cuts_.begin(), cuts_.end(), blocks_[block]);
    const auto number = part - static_cast<std::size_t>(begin - cuts_.begin());
    if (whole || begin[1] == blocks_[block + 1]) return block_names_[block];
    return number < 26 ? block_names_[block] + static_cast<char>('a' + number)
                       : fmt::format("{}.{}", block_names_[block], number);
  };
  if (first == last || (whole && from == to)) return name(first);
  return name(first) + "-" + name(last);
}

/// Blocks of all-to-all are named one by one: a range of pairs means nothing.
bool Notation::may_join(std::size_t part) const {
  return !is_alltoall(problem_.collective) ||
         !std::binary_search(blocks_.begin(), blocks_.end(), cuts_[part]);
}

std::vector<Label> Notation::name(const std::vector<Data>& all, std::size_t width) const {
  std::map<std::string, std::vector<bool>> parts_by_ranks;
  for (const Data& data : all) {
    auto& parts = parts_by_ranks[reduces(problem_.collective) ? ranks_text(data.ranks) : ""];
    parts.resize(cuts_.size() - 1);
    const auto first = std::lower_bound(cuts_.begin(), cuts_.end(), position(data));
    for (auto at = first; *at < position(data) + data.count; ++at) parts[at - cuts_.begin()] = true;
  }
  struct Line {
    std::size_t first;
    Label label;
  };
  std::vector<Line> lines;
  for (const auto& [ranks, parts] : parts_by_ranks) {
    bool begins = true;
    for (std::size_t first = 0; first < parts.size(); ++first) {
      if (!parts[first]) continue;
      std::size_t last = first;
      while (last + 1 < parts.size() && parts[last + 1] && may_join(last + 1)) ++last;
      const std::string text = run(first, last);
      if (!begins && lines.back().label.data.size() + 1 + text.size() <= width)
        lines.back().label.data += (is_alltoall(problem_.collective) ? " " : ",") + text;
      else
        lines.push_back({first, {text, ranks}});
      begins = false;
      first = last;
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.first < b.first; });
  std::vector<Label> labels;
  for (Line& line : lines) labels.push_back(std::move(line.label));
  return labels;
}

std::string Notation::key() const {
  const std::size_t parts = cuts_.size() - 1;
  if (!lettered_ || parts == 0) return {};
  std::size_t least = cuts_.back(), most = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    least = std::min(least, cuts_[i + 1] - cuts_[i]);
    most = std::max(most, cuts_[i + 1] - cuts_[i]);
  }
  const std::string size =
      least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
  return fmt::format("{} {} of {} {}{}", parts == 1 ? "part" : "parts", run(0, parts - 1), size,
                     problem_.element_bytes == 1 ? "byte" : "element", most == 1 ? "" : "s");
}

std::string ranks_text(std::vector<Rank> ranks) {
  std::sort(ranks.begin(), ranks.end());
  const std::size_t n = ranks.size();
  if (n == 0) return {};
  const int step = n > 1 ? ranks[1] - ranks[0] : 1;
  bool regular = n > 4 && step > 1;
  for (std::size_t i = 1; regular && i < n; ++i) regular = ranks[i] - ranks[i - 1] == step;
  if (regular) return fmt::format("{},{}..{}", ranks[0], ranks[1], ranks[n - 1]);
  std::string text;
  for (std::size_t i = 0; i < n;) {
    std::size_t j = i;
    while (j + 1 < n && ranks[j + 1] == ranks[j] + 1) ++j;
    if (i > 0) text += ",";
    text += i == j ? std::to_string(ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[j]);
    i = j + 1;
  }
  return text.size() <= 14 ? text : fmt::format("{} ranks", n);
}

}  // namespace tutti::core
