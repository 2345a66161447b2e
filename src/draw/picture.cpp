// What a picture of schedules shows: steps, arrows, and who holds what after each.

#include "draw/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "draw/film.hpp"
#include "draw/notation.hpp"
#include "model/replay.hpp"
#include "verify/definition.hpp"
#include "verify/verify.hpp"

namespace tutti::core {

namespace {

constexpr std::size_t most_lines = 8;  // of a rank in a frame, where cells are not places
constexpr std::size_t line_width = 14;
constexpr int most_places = 16;
constexpr std::size_t most_rows = 160;  // of places in all, where a list of blocks says as much

/// Slices that do not overlap.
class Region {
 public:
  void add(const Slice& slice) {
    remove(slice);
    if (slice.count > 0) slices_.push_back(slice);
  }
  void remove(const Slice& slice) {
    std::vector<Slice> left;
    for (const Slice& mine : slices_) {
      if (!mine.overlaps(slice)) {
        left.push_back(mine);
        continue;
      }
      if (mine.offset < slice.offset) left.push_back(mine.part(0, slice.offset - mine.offset));
      if (slice.end() < mine.end())
        left.push_back(mine.part(slice.end() - mine.offset, mine.end() - slice.end()));
    }
    slices_ = std::move(left);
  }
  const std::vector<Slice>& slices() const { return slices_; }

 private:
  std::vector<Slice> slices_;
};

/// What a rank still needs before each round and at the end: what it will read before it writes it,
/// and its result.
std::vector<Region> needed_before_rounds(const Problem& problem, const Schedule& schedule,
                                         Rank rank) {
  std::vector<Region> needed(schedule.round_count() + 1);
  for (const Wanted& result : wanted(problem, rank)) needed.back().add(result.where);
  for (std::size_t t = schedule.round_count(); t-- > 0;) {
    needed[t] = needed[t + 1];
    const auto round = schedule.round(t);
    for (auto action = round.rbegin(); action != round.rend(); ++action) {
      for (const Slice& slice : schedule.slices_of(*action)) {
        if (action->sends() || action->combines())
          needed[t].add(slice);
        else
          needed[t].remove(slice);
      }
      for (const Slice& slice : schedule.sources_of(*action)) needed[t].add(slice);
    }
  }
  return needed;
}

/// The part of `held` that lies in `slices`, in their order; what goes on is joined.
std::vector<Held> within(const std::vector<Held>& held, std::span<const Slice> slices) {
  std::vector<Held> result;
  for (const Slice& slice : slices)
    for (const Held& piece : held) {
      if (!piece.where.overlaps(slice)) continue;
      const std::size_t from = std::max(piece.where.offset, slice.offset);
      const std::size_t to = std::min(piece.where.end(), slice.end());
      const Held part{
          {slice.buffer, from, to - from}, piece.ranks, piece.index + from - piece.where.offset};
      Held* last = result.empty() ? nullptr : &result.back();
      if (last && last->where.buffer == slice.buffer && last->where.end() == from &&
          last->index + last->where.count == part.index && last->ranks == part.ranks)
        last->where.count += part.where.count;
      else
        result.push_back(part);
    }
  return result;
}

std::vector<Data> data_of(const std::vector<Held>& held) {
  std::vector<Data> all;
  for (const Held& piece : held) all.push_back({piece.ranks, piece.index, piece.where.count});
  return all;
}

bool has_message(const Schedule& schedule, std::size_t round) {
  const auto actions = schedule.round(round);
  return std::any_of(actions.begin(), actions.end(),
                     [](const Action& action) { return action.is_message(); });
}

/// Schedules without their last round where it is only local, so that it gets a frame of its own.
std::vector<Schedule> without_local_end(std::vector<Schedule> schedules) {
  for (Schedule& schedule : schedules)
    if (schedule.stages.empty() && schedule.round_count() > 1 &&
        !has_message(schedule, schedule.round_count() - 1)) {
      schedule.actions.resize(schedule.rounds.back());
      schedule.rounds.pop_back();
    }
  return schedules;
}

using State = std::vector<std::vector<Held>>;  // of each rank

class Painter {
 public:
  Painter(const Problem& problem, const std::vector<Schedule>& schedules)
      : problem_(problem),
        schedules_(schedules),
        matching_(match(schedules)),
        steps_(steps_of(schedules, matching_)),
        notation_(problem) {
    for (Rank r = 0; r < problem.p; ++r)
      needed_.push_back(needed_before_rounds(problem, schedules[r], r));
  }

  Picture paint(const std::string& name) {
    collect();
    Picture picture;
    picture.p = problem_.p;
    picture.title = title(name);
    picture.key = notation_.key();
    picture.by_place = all_by_place();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      Frame& frame = picture.frames.emplace_back();
      for (Rank r = 0; r < problem_.p; ++r)
        frame.cells.push_back(picture.by_place ? places(i, r) : lines(states_[i][r]));
    }
    label(picture);
    return picture;
  }

  Film film(const std::string& name, const Rates& rates) {
    collect();
    Film film;
    film.title = title(name);
    film.key = notation_.key();
    film.name = name;
    film.collective = name_of(problem_.collective);
    film.p = problem_.p;
    for (std::size_t part = 0; part < notation_.part_count(); ++part) {
      film.parts.push_back(notation_.part_name(part));
      film.owners.push_back(notation_.owner(part));
    }
    film.scenes.resize(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i)
      film.scenes[i].title = i == 0                              ? "start"
                             : i == 1 || i + 1 == states_.size() ? "local"
                                                                 : fmt::format("step {}", i - 1);
    add_changes(film);
    add_travels(film, timeline_of(schedules_, problem_.element_bytes, rates));
    leave_out_unseen(film.scenes);
    return film;
  }

 private:
  /// What each rank holds, part by part: the set of ranks combined, or -1. Where a part is there
  /// more than once the one with most contributions counts.
  void add_changes(Film& film) const {
    std::map<std::vector<Rank>, int> sets;
    std::vector<std::vector<int>> before(problem_.p, std::vector<int>(film.parts.size(), -1));
    for (std::size_t i = 0; i < states_.size(); ++i)
      for (Rank r = 0; r < problem_.p; ++r) {
        std::vector<int> now(film.parts.size(), -1);
        for (const Data& data : data_of(states_[i][r])) {
          std::vector<Rank> ranks = data.ranks;
          std::sort(ranks.begin(), ranks.end());
          const auto [set, is_new] = sets.emplace(ranks, static_cast<int>(sets.size()));
          if (is_new) film.sets.push_back(ranks);
          const auto [first, end] = notation_.parts_of(data);
          for (std::size_t part = first; part < end; ++part)
            if (now[part] < 0 || film.sets[now[part]].size() < ranks.size())
              now[part] = set->second;
        }
        for (std::size_t part = 0; part < now.size(); ++part) {
          if (now[part] == before[r][part]) continue;
          const std::size_t first = part;
          while (part + 1 < now.size() && now[part + 1] == now[first] &&
                 now[part + 1] != before[r][part + 1])
            ++part;
          film.scenes[i].changes.push_back({r, first, part, now[first]});
        }
        before[r] = std::move(now);
      }
  }

  /// Local actions after which all looks the same belong to the scene before.
  static void leave_out_unseen(std::vector<Scene>& scenes) {
    for (std::size_t i = scenes.size(); i-- > 1;) {
      Scene &before = scenes[i - 1], &scene = scenes[i];
      if (scene.title != "local" || !scene.changes.empty()) continue;
      join(before.copies, scene.copies);
      join(before.reductions, scene.reductions);
      before.seconds = scene.seconds;
      scenes.erase(scenes.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void add_travels(Film& film, const Timeline& times) const {
    auto& scenes = film.scenes;
    for (std::size_t m = 0; m < contents_.size(); ++m) {
      const Message& message = matching_.messages[m];
      const Schedule& receiver = schedules_[message.to.rank];
      const Action& action = receiver.actions[message.to.action];
      std::string what;
      for (const Label& label : notation_.name(data_of(contents_[m]), 40))
        what += (what.empty() ? "" : ", ") + label.text();
      if (what.empty() && receiver.count_of(action) > 0) what = "counts";
      Scene& scene = scenes[steps_.of_message[m] + 1];
      scene.seconds = std::max(scene.seconds, times.ends[m]);
      scene.travels.push_back({message.from.rank, message.to.rank, action.combines(),
                               receiver.count_of(action) * problem_.element_bytes, std::move(what),
                               times.begins[m], times.ends[m]});
    }
    add_local(scenes);
    for (Rank r = 0; r < problem_.p; ++r)
      for (std::size_t t = 0; t < schedules_[r].round_count(); ++t) {
        Scene& scene = t >= local_end_[r] ? scenes.back() : scenes[steps_.of_round[r][t] + 1];
        scene.seconds = std::max(scene.seconds, times.round_ends[r][t]);
      }
    for (std::size_t i = 1; i < scenes.size(); ++i)
      scenes[i].seconds = std::max(scenes[i].seconds, scenes[i - 1].seconds);
  }

  /// What each rank holds and needs: at the start, after local actions, after each step, and after
  /// local actions at the end.
  void collect() {
    const std::vector<Schedule> cut = without_local_end(schedules_);
    const auto held = held_after_steps(problem_, cut);
    const auto at_end = held_after_steps(problem_, schedules_).back();
    contents_.resize(matching_.messages.size());
    for (std::size_t m = 0; m < contents_.size(); ++m) {
      const Place& from = matching_.messages[m].from;
      const Schedule& schedule = schedules_[from.rank];
      contents_[m] = within(held[steps_.of_message[m] - 1][from.rank],
                            schedule.slices_of(schedule.actions[from.action]));
    }
    State start;
    for (Rank r = 0; r < problem_.p; ++r) {
      std::vector<Held> all;
      for (const Given& given : given(problem_, r))
        all.push_back({given.where, {given.rank}, given.index});
      start.push_back(within(all, needed_[r].front().slices()));
    }
    states_.push_back(std::move(start));
    for (std::size_t s = 0; s < held.size(); ++s) {
      State& state = states_.emplace_back();
      for (Rank r = 0; r < problem_.p; ++r) {
        std::size_t rounds = 0;
        while (rounds < cut[r].round_count() && steps_.of_round[r][rounds] <= static_cast<int>(s))
          ++rounds;
        state.push_back(sorted(within(held[s][r], needed_[r][rounds].slices())));
      }
    }
    State& end = states_.emplace_back();
    for (Rank r = 0; r < problem_.p; ++r)
      end.push_back(sorted(within(at_end[r], needed_[r].back().slices())));
    for (Rank r = 0; r < problem_.p; ++r) local_end_.push_back(cut[r].round_count());
    for (const State& state : states_)
      for (const auto& all : state)
        for (const Data& data : data_of(all)) notation_.cut(data);
    for (const auto& content : contents_)
      for (const Data& data : data_of(content)) notation_.cut(data);
    notation_.finish();
  }

  /// Who acts locally, in frames or scenes for the start, each step and the end.
  template <class Frames>
  void add_local(Frames& frames) const {
    for (Rank r = 0; r < problem_.p; ++r)
      for (std::size_t t = 0; t < schedules_[r].round_count(); ++t) {
        auto& frame = t >= local_end_[r] ? frames.back() : frames[steps_.of_round[r][t] + 1];
        for (const Action& action : schedules_[r].round(t)) {
          if (action.is_message()) continue;
          auto& ranks = action.kind == Kind::copy ? frame.copies : frame.reductions;
          if (ranks.empty() || ranks.back() != r) ranks.push_back(r);
        }
      }
  }

  static std::vector<Held> sorted(std::vector<Held> held) {
    std::sort(held.begin(), held.end(), [](const Held& a, const Held& b) {
      return std::pair(a.where.buffer, a.where.offset) < std::pair(b.where.buffer, b.where.offset);
    });
    return held;
  }

  std::string title(const std::string& name) const {
    std::string text = fmt::format("{}, p = {}", name, problem_.p);
    if (has_root(problem_.collective)) text += fmt::format(", root {}", problem_.root);
    if (problem_.collective == Collective::barrier) return text;
    const auto size = [&](std::size_t count) {
      const auto plural = [](std::size_t n, std::string_view what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
      };
      const std::string bytes = plural(count * problem_.element_bytes, "byte");
      return problem_.element_bytes == 1 ? bytes : plural(count, "element") + " (" + bytes + ")";
    };
    if (is_vector(problem_.collective)) return text + ", " + size(problem_.count);
    if (const auto block = equal_block()) return text + ", blocks of " + size(*block);
    return text + fmt::format(", {} in all", size(problem_.total()));
  }

  /// The size of the blocks if they are equal.
  std::optional<std::size_t> equal_block() const {
    for (const std::size_t count : problem_.counts)
      if (count != problem_.counts.front()) return std::nullopt;
    return problem_.counts.empty() ? problem_.count : problem_.counts.front();
  }

  /// Blocks of equal size that everybody holds whole are drawn where they stand.
  bool all_by_place() const {
    const Collective c = problem_.collective;
    if (!(is_alltoall(c) || c == Collective::allgather || c == Collective::allgatherv))
      return false;
    const std::size_t block = equal_block().value_or(0);
    if (block == 0 || problem_.p > most_places) return false;
    if (!is_alltoall(c) && states_.size() * problem_.p > most_rows) return false;
    for (const State& state : states_)
      for (const auto& held : state) {
        std::set<std::pair<Rank, std::size_t>> blocks;
        for (const Held& piece : held) {
          if (piece.where.offset % block != 0 || piece.where.count % block != 0) return false;
          for (std::size_t k = 0; k < piece.where.count; k += block)
            blocks.emplace(piece.ranks.front(), piece.index + k);
        }
        if (blocks.size() > static_cast<std::size_t>(problem_.p)) return false;
      }
    return true;
  }

  /// What stands in several buffers is drawn once, where it was worked on: in scratch, then in the
  /// output. A place in the input gives way to the others.
  std::vector<Holding> places(std::size_t state, Rank rank) const {
    const std::vector<Held>& held = states_[state][rank];
    const std::size_t block = *equal_block();
    const auto p = static_cast<std::size_t>(problem_.p);
    std::vector<Holding> cells(p);
    for (auto piece = held.rbegin(); piece != held.rend(); ++piece)
      for (std::size_t k = piece->where.count / block; k-- > 0;) {
        Holding cell{
            notation_.name({{piece->ranks, piece->index + k * block, block}}, line_width).front(),
            leaves(state, rank, piece->where.part(k * block, block))};
        const auto same = [&](const Holding& other) { return other.label == cell.label; };
        const auto seen = std::find_if(cells.begin(), cells.end(), same);
        if (seen != cells.end()) {
          seen->leaves |= cell.leaves;
          continue;
        }
        std::size_t place = piece->where.offset / block + k;
        if (piece->where.buffer == Buffer::input && !is_alltoall(problem_.collective))
          place = static_cast<std::size_t>(rank);
        place %= p;  // scratch may hold several such areas
        while (!cells[place].label.empty()) place = (place + 1) % p;
        cells[place] = std::move(cell);
      }
    return cells;
  }

  /// Whether the step after a state sends what stands in `slice`.
  bool leaves(std::size_t state, Rank rank, const Slice& slice) const {
    for (std::size_t m = 0; m < contents_.size(); ++m)
      if (matching_.messages[m].from.rank == rank &&
          static_cast<std::size_t>(steps_.of_message[m]) == state)
        for (const Held& piece : contents_[m])
          if (piece.where.overlaps(slice)) return true;
    return false;
  }

  std::vector<Holding> lines(const std::vector<Held>& held) const {
    std::vector<Holding> cells;
    for (Label& label : notation_.name(data_of(held), line_width))
      cells.push_back({std::move(label)});
    if (cells.size() > most_lines) {
      cells.resize(most_lines);
      cells.back().label = {"..."};
    }
    return cells;
  }

  /// Adds arrows, local actions and titles, and leaves out frames in which nothing is to be seen.
  void label(Picture& picture) {
    auto& frames = picture.frames;
    for (std::size_t m = 0; m < contents_.size(); ++m) {
      const Message& message = matching_.messages[m];
      const Schedule& receiver = schedules_[message.to.rank];
      Arrow arrow{message.from.rank, message.to.rank, notation_.name(data_of(contents_[m]), 40),
                  receiver.actions[message.to.action].combines()};
      if (arrow.labels.empty() && receiver.count_of(receiver.actions[message.to.action]) > 0)
        arrow.labels.push_back({"counts"});
      frames[steps_.of_message[m] + 1].arrows.push_back(std::move(arrow));
    }
    add_local(frames);
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

  static void join(std::vector<Rank>& to, const std::vector<Rank>& from) {
    to.insert(to.end(), from.begin(), from.end());
    std::sort(to.begin(), to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
  }

  /// Joins a frame of local actions with the one before it if what is held looks the same.
  static void merge(std::vector<Frame>& frames, std::size_t i) {
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

  const Problem& problem_;
  const std::vector<Schedule>& schedules_;
  Matching matching_;
  Steps steps_;
  Notation notation_;
  std::vector<std::vector<Region>> needed_;  // of each rank, before each round
  std::vector<State> states_;
  std::vector<std::vector<Held>> contents_;  // of each message
  std::vector<std::size_t> local_end_;       // of each rank: the round from which all is local
};

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

namespace {

void check_number(const Problem& problem, const std::vector<Schedule>& schedules) {
  if (schedules.size() != static_cast<std::size_t>(problem.p))
    throw std::invalid_argument(fmt::format("a picture of {} ranks needs as many schedules, not {}",
                                            problem.p, schedules.size()));
}

}  // namespace

Film film_of(const std::string& name, const Problem& problem,
             const std::vector<Schedule>& schedules, const std::string& profile,
             const Rates& rates) {
  check_number(problem, schedules);
  Film film = Painter(problem, schedules).film(name, rates);
  film.profile = profile;
  return film;
}

Picture picture_of(const std::string& name, const Problem& problem,
                   const std::vector<Schedule>& schedules) {
  check_number(problem, schedules);
  return Painter(problem, schedules).paint(name);
}

}  // namespace tutti::core
