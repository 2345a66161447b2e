// A schedule as the page plays it: what moves in each step, and when.

#include "draw/film.hpp"

#include <nlohmann/json.hpp>

#include "draw/notation.hpp"

namespace tutti::core {

using Json = nlohmann::ordered_json;

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
