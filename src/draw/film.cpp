// A schedule as the page plays it: what moves in each step, and when.

#include "draw/film.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "draw/history.hpp"
#include "draw/notation.hpp"
#include "model/replay.hpp"

namespace tutti::core {

using Json = nlohmann::ordered_json;

namespace {

/// What each rank holds, part by part: the set of ranks combined, or -1. Where a part is there
/// more than once the one with most contributions counts.
void add_changes(Film& film, const History& history) {
  std::map<std::vector<Rank>, int> sets;
  std::vector<std::vector<int>> before(history.problem.p, std::vector<int>(film.parts.size(), -1));
  for (std::size_t i = 0; i < history.states.size(); ++i)
    for (Rank r = 0; r < history.problem.p; ++r) {
      std::vector<int> now(film.parts.size(), -1);
      for (const Data& data : data_of(history.states[i][r])) {
        std::vector<Rank> ranks = data.ranks;
        std::sort(ranks.begin(), ranks.end());
        const auto [set, is_new] = sets.emplace(ranks, static_cast<int>(sets.size()));
        if (is_new) film.sets.push_back(ranks);
        const auto [first, end] = history.notation.parts_of(data);
        for (std::size_t part = first; part < end; ++part)
          if (now[part] < 0 || film.sets[now[part]].size() < ranks.size()) now[part] = set->second;
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
void leave_out_unseen(std::vector<Scene>& scenes) {
  for (std::size_t i = scenes.size(); i-- > 1;) {
    Scene &before = scenes[i - 1], &scene = scenes[i];
    if (scene.title != "local" || !scene.changes.empty()) continue;
    join(before.copies, scene.copies);
    join(before.reductions, scene.reductions);
    before.seconds = scene.seconds;
    scenes.erase(scenes.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// Messages, who acts locally, and when all is done.
void add_travels(Film& film, const History& history, const Timeline& times) {
  auto& scenes = film.scenes;
  for (std::size_t m = 0; m < history.contents.size(); ++m) {
    const Message& message = history.matching.messages[m];
    const Schedule& receiver = history.schedules[message.to.rank];
    const Action& action = receiver.actions[message.to.action];
    std::string what;
    for (const Label& label : history.notation.name(data_of(history.contents[m]), 40))
      what += (what.empty() ? "" : ", ") + label.text();
    if (what.empty() && receiver.count_of(action) > 0) what = "counts";
    Scene& scene = scenes[history.steps.of_message[m] + 1];
    scene.seconds = std::max(scene.seconds, times.ends[m]);
    scene.travels.push_back({message.from.rank, message.to.rank, action.combines(),
                             receiver.count_of(action) * history.problem.element_bytes,
                             std::move(what), times.begins[m], times.ends[m]});
  }
  add_local(scenes, history);
  for (Rank r = 0; r < history.problem.p; ++r)
    for (std::size_t t = 0; t < history.schedules[r].round_count(); ++t) {
      Scene& scene =
          t >= history.local_end[r] ? scenes.back() : scenes[history.steps.of_round[r][t] + 1];
      scene.seconds = std::max(scene.seconds, times.round_ends[r][t]);
    }
  for (std::size_t i = 1; i < scenes.size(); ++i)
    scenes[i].seconds = std::max(scenes[i].seconds, scenes[i - 1].seconds);
}

}  // namespace

Film film_of(const std::string& name, const Problem& problem,
             const std::vector<Schedule>& schedules, const std::string& profile,
             const Rates& rates) {
  const History history = history_of(problem, schedules);
  Film film;
  film.title = title_of(name, problem);
  film.key = history.notation.key();
  film.name = name;
  film.profile = profile;
  film.collective = name_of(problem.collective);
  film.p = problem.p;
  for (std::size_t part = 0; part < history.notation.part_count(); ++part) {
    film.parts.push_back(history.notation.part_name(part));
    film.owners.push_back(history.notation.owner(part));
  }
  const std::size_t count = history.states.size();
  film.scenes.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    film.scenes[i].title = i == 0                     ? "start"
                           : i == 1 || i + 1 == count ? "local"
                                                      : fmt::format("step {}", i - 1);
  add_changes(film, history);
  add_travels(film, history, timeline_of(schedules, problem.element_bytes, rates));
  leave_out_unseen(film.scenes);
  return film;
}

Json json_of(const Film& film) {
  Json json{{"title", film.title},           {"key", film.key},         {"name", film.name},
            {"collective", film.collective}, {"profile", film.profile}, {"p", film.p},
            {"parts", film.parts},           {"owners", film.owners}};
  // How many, and which.
  json["sets"] = Json::array();
  for (const auto& set : film.sets) json["sets"].push_back({set.size(), ranks_text(set)});
  json["scenes"] = Json::array();
  for (const Scene& scene : film.scenes) {
    Json entry{{"title", scene.title},
               {"us", scene.seconds * 1e6},
               {"messages", Json::array()},
               {"changes", Json::array()}};
    if (!scene.copies.empty()) entry["copies"] = scene.copies;
    if (!scene.reductions.empty()) entry["reductions"] = scene.reductions;
    for (const Travel& each : scene.travels)
      entry["messages"].push_back({each.from, each.to, each.combines ? 1 : 0, each.bytes, each.what,
                                   each.begin * 1e6, each.end * 1e6});
    // Numbers alone, four for each: there are many.
    for (const Change& each : scene.changes)
      for (const long number : {static_cast<long>(each.rank), static_cast<long>(each.first),
                                static_cast<long>(each.last), static_cast<long>(each.set)})
        entry["changes"].push_back(number);
    json["scenes"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace tutti::core
