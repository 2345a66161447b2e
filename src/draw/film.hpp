#pragma once

#include <nlohmann/json_fwd.hpp>

#include "draw/picture.hpp"
#include "model/machine.hpp"

namespace tutti::core {

/// A message of a step, and when it travels if the machine is as its rates say.
struct Travel {
  Rank from = 0, to = 0;
  bool combines = false;
  std::size_t bytes = 0;
  std::string what;           // the data it carries, as a picture names it
  double begin = 0, end = 0;  // seconds
};

/// Parts that a rank now holds, combined over a set of ranks, or no longer.
struct Change {
  Rank rank = 0;
  std::size_t first = 0, last = 0;  // parts
  int set = -1;                     // of Film::sets; -1: gone
};

/// What changes in a step, or by local actions.
struct Scene {
  std::string title;
  std::vector<Travel> travels;
  std::vector<Rank> copies, reductions;  // ranks that act locally
  std::vector<Change> changes;
  double seconds = 0;  // when all ranks are done with it
};

/// A problem's schedules step by step, for a page that plays them: a picture's data in full, as
/// changes from scene to scene.
struct Film {
  std::string title, key;
  std::string name, collective, profile;
  int p = 0;
  std::vector<std::string> parts;       // their names
  std::vector<Rank> owners;             // of each part: whose block it is, alltoall: who gets it
  std::vector<std::vector<Rank>> sets;  // of ranks whose contributions are combined
  std::vector<Scene> scenes;            // the first: what is there at the start
};

/// `name` stands in the title, `profile` names the rates. The schedules must be complete and
/// correct.
Film film_of(const std::string& name, const Problem& problem,
             const std::vector<Schedule>& schedules, const std::string& profile,
             const Rates& rates);

nlohmann::ordered_json json_of(const Film& film);

}  // namespace tutti::core
