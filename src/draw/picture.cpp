// What a picture of schedules shows: steps, arrows, and who holds what after each.

#include "draw/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "draw/history.hpp"
#include "draw/notation.hpp"

namespace tutti::core {

namespace {

constexpr std::size_t most_lines = 8;  // of a rank in a frame, where cells are not places
constexpr std::size_t line_width = 14;
constexpr int most_places = 16;
constexpr std::size_t most_rows = 160;  // of places in all, where a list of blocks says as much

/// The size of the blocks if they are equal.
std::optional<std::size_t> equal_block(const Problem& problem) {
  for (const std::size_t count : problem.counts)
    if (count != problem.counts.front()) return std::nullopt;
  return problem.counts.empty() ? problem.count : problem.counts.front();
}

/// Blocks of equal size that everybody holds whole are drawn where they stand.
bool all_by_place(const History& history) {
  const Collective c = history.problem.collective;
  if (!(is_alltoall(c) || c == Collective::allgather || c == Collective::allgatherv)) return false;
  const std::size_t block = equal_block(history.problem).value_or(0);
  if (block == 0 || history.problem.p > most_places) return false;
  if (!is_alltoall(c) && history.states.size() * history.problem.p > most_rows) return false;
  for (const History::State& state : history.states)
    for (const auto& held : state) {
      std::set<std::pair<Rank, std::size_t>> blocks;
      for (const Held& piece : held) {
        if (piece.where.offset % block != 0 || piece.where.count % block != 0) return false;
        for (std::size_t k = 0; k < piece.where.count; k += block)
          blocks.emplace(piece.ranks.front(), piece.index + k);
      }
      if (blocks.size() > static_cast<std::size_t>(history.problem.p)) return false;
    }
  return true;
}

/// Whether the step after a state sends what stands in `slice`.
bool leaves(const History& history, std::size_t state, Rank rank, const Slice& slice) {
  for (std::size_t m = 0; m < history.contents.size(); ++m)
    if (history.matching.messages[m].from.rank == rank &&
        static_cast<std::size_t>(history.steps.of_message[m]) == state)
      for (const Held& piece : history.contents[m])
        if (piece.where.overlaps(slice)) return true;
  return false;
}

/// What stands in several buffers is drawn once, where it was worked on: in scratch, then in the
/// output. A place in the input gives way to the others.
std::vector<Holding> places(const History& history, std::size_t state, Rank rank) {
  const std::vector<Held>& held = history.states[state][rank];
  const std::size_t block = *equal_block(history.problem);
  const auto p = static_cast<std::size_t>(history.problem.p);
  std::vector<Holding> cells(p);
  for (auto piece = held.rbegin(); piece != held.rend(); ++piece)
    for (std::size_t k = piece->where.count / block; k-- > 0;) {
      Holding cell{
          history.notation.name({{piece->ranks, piece->index + k * block, block}}, line_width)
              .front(),
          leaves(history, state, rank, piece->where.part(k * block, block))};
      const auto same = [&](const Holding& other) { return other.label == cell.label; };
      const auto seen = std::find_if(cells.begin(), cells.end(), same);
      if (seen != cells.end()) {
        seen->leaves |= cell.leaves;
        continue;
      }
      std::size_t place = piece->where.offset / block + k;
      if (piece->where.buffer == Buffer::input && !is_alltoall(history.problem.collective))
        place = static_cast<std::size_t>(rank);
      place %= p;  // scratch may hold several such areas
      while (!cells[place].label.empty()) place = (place + 1) % p;
      cells[place] = std::move(cell);
    }
  return cells;
}

std::vector<Holding> lines(const Notation& notation, const std::vector<Held>& held) {
  std::vector<Holding> cells;
  for (Label& label : notation.name(data_of(held), line_width)) cells.push_back({std::move(label)});
  if (cells.size() > most_lines) {
    cells.resize(most_lines);
    cells.back().label = {"..."};
  }
  return cells;
}

/// Joins a frame of local actions with the one before it if what is held looks the same.
void merge(std::vector<Frame>& frames, std::size_t i) {
  Frame &before = frames[i - 1], &frame = frames[i];
  const auto labels = [](const std::vector<Holding>& cells) {
    std::vector<Label> all;
    for (const Holding& cell : cells)
      if (!cell.label.empty()) all.push_back(cell.label);
    return all;
  };
  for (std::size_t r = 0; r < frame.cells.size(); ++r)
    if (labels(frame.cells[r]) != labels(before.cells[r])) return;
  before.cells = std::move(frame.cells);
  join(before.copies, frame.copies);
  join(before.reductions, frame.reductions);
  frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(i));
}

/// Adds arrows, local actions and titles, and leaves out frames in which nothing is to be seen.
void label(std::vector<Frame>& frames, const History& history) {
  for (std::size_t m = 0; m < history.contents.size(); ++m) {
    const Message& message = history.matching.messages[m];
    const Schedule& receiver = history.schedules[message.to.rank];
    Arrow arrow{message.from.rank, message.to.rank,
                history.notation.name(data_of(history.contents[m]), 40),
                receiver.actions[message.to.action].combines()};
    if (arrow.labels.empty() && receiver.count_of(receiver.actions[message.to.action]) > 0)
      arrow.labels.push_back({"counts"});
    frames[history.steps.of_message[m] + 1].arrows.push_back(std::move(arrow));
  }
  add_local(frames, history);
  const std::size_t count = frames.size();
  for (std::size_t i = 0; i < count; ++i) {
    frames[i].step = i < 2 || i + 1 == count ? 0 : static_cast<int>(i) - 1;
    frames[i].title = i == 0               ? "start"
                      : frames[i].step > 0 ? fmt::format("step {}", frames[i].step)
                                           : "local";
  }
  merge(frames, count - 1);
  merge(frames, 1);
  // A barrier starts with nothing.
  const auto holds = [](const std::vector<Holding>& cells) { return !cells.empty(); };
  if (frames.size() > 1 && std::none_of(frames[0].cells.begin(), frames[0].cells.end(), holds))
    frames.erase(frames.begin());
}

}  // namespace

bool Picture::combines() const {
  return std::any_of(frames.begin(), frames.end(), [](const Frame& frame) {
    return !frame.reductions.empty() ||
           std::any_of(frame.arrows.begin(), frame.arrows.end(),
                       [](const Arrow& arrow) { return arrow.combines; });
  });
}

Label Picture::example() const {
  for (const Frame& frame : frames)
    for (const auto& cells : frame.cells)
      for (const Holding& cell : cells)
        if (cell.label.ranks.find_first_of("-,") != std::string::npos) return cell.label;
  return {};
}

std::string meaning_of(const Label& label) {
  const bool several = label.data.find_first_of("-,") != std::string::npos;
  return fmt::format("{} {}, combined over ranks {}", several ? "parts" : "part", label.data,
                     label.ranks);
}

std::string title_of(const std::string& name, const Problem& problem) {
  std::string text = fmt::format("{}, p = {}", name, problem.p);
  if (has_root(problem.collective)) text += fmt::format(", root {}", problem.root);
  if (problem.collective == Collective::barrier) return text;
  const auto size = [&](std::size_t count) {
    const auto plural = [](std::size_t n, std::string_view what) {
      return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    const std::string bytes = plural(count * problem.element_bytes, "byte");
    return problem.element_bytes == 1 ? bytes : plural(count, "element") + " (" + bytes + ")";
  };
  if (is_vector(problem.collective)) return text + ", " + size(problem.count);
  if (const auto block = equal_block(problem)) return text + ", blocks of " + size(*block);
  return text + fmt::format(", {} in all", size(problem.total()));
}

Picture picture_of(const std::string& name, const Problem& problem,
                   const std::vector<Schedule>& schedules) {
  const History history = history_of(problem, schedules);
  Picture picture;
  picture.p = problem.p;
  picture.title = title_of(name, problem);
  picture.key = history.notation.key();
  picture.by_place = all_by_place(history);
  for (std::size_t i = 0; i < history.states.size(); ++i) {
    Frame& frame = picture.frames.emplace_back();
    for (Rank r = 0; r < problem.p; ++r)
      frame.cells.push_back(picture.by_place ? places(history, i, r)
                                             : lines(history.notation, history.states[i][r]));
  }
  label(picture.frames, history);
  return picture;
}

}  // namespace tutti::core
