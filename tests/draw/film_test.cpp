#include "draw/film.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "figures.hpp"
#include "model/replay.hpp"
#include "request/request.hpp"
#include "verify/definition.hpp"

namespace tutti::core {
namespace {

constexpr Rates rates{.alpha = 1000, .beta = 10, .gamma = 1, .alpha_uni = 300, .beta_uni = 4};

struct Shown {
  Problem problem;
  std::vector<Schedule> schedules;
  Film film;
};

Shown shown(const Algorithm& algorithm, int p) {
  Shown all;
  all.problem = Problem::even(algorithm.collective, p, static_cast<std::size_t>(2 * p));
  all.problem.element_bytes = usual_element_bytes(algorithm.collective);
  const Parameters parameters = algorithm.resolve(all.problem, rates, {});
  all.schedules = schedules_of(all.problem, algorithm, parameters);
  all.film = film_of(algorithm.full_name(), all.problem, all.schedules, "here", rates);
  return all;
}

/// The set that each part of each rank is combined over after all scenes, or -1.
std::vector<std::vector<int>> held_at_end(const Film& film) {
  std::vector<std::vector<int>> held(film.p, std::vector<int>(film.parts.size(), -1));
  for (const Scene& scene : film.scenes)
    for (const Change& change : scene.changes)
      for (std::size_t part = change.first; part <= change.last; ++part)
        held[change.rank][part] = change.set;
  return held;
}

TEST(Film, PlaysEveryAlgorithmToItsResult) {
  for (const Algorithm& algorithm : registry())
    for (const int p : {1, 2, 5, 8}) {
      if (!algorithm.valid.unmet(p, true).empty()) continue;
      SCOPED_TRACE(algorithm.full_name() + ", p = " + std::to_string(p));
      const auto [problem, schedules, film] = shown(algorithm, p);
      const auto held = held_at_end(film);
      EXPECT_EQ(film.parts.size(), film.owners.size());
      for (Rank r = 0; r < p; ++r) {
        // As many parts as results, and each combined over the ranks that it must be.
        std::size_t ranks = 0;
        for (const Wanted& result : wanted(problem, r))
          if (result.where.count > 0)
            ranks = static_cast<std::size_t>(result.last - result.first) + 1;
        std::size_t parts = 0;
        for (const int set : held[r])
          if (set >= 0) {
            ++parts;
            EXPECT_EQ(film.sets[set].size(), ranks);
          }
        EXPECT_EQ(parts > 0, ranks > 0);
      }
    }
}

TEST(Film, HoldsEveryMessageOnceAndTheTimesOfReplay) {
  for (const Algorithm& algorithm : registry())
    for (const int p : {2, 5, 8}) {
      if (!algorithm.valid.unmet(p, true).empty()) continue;
      SCOPED_TRACE(algorithm.full_name() + ", p = " + std::to_string(p));
      const auto [problem, schedules, film] = shown(algorithm, p);
      std::size_t messages = 0;
      double before = 0;
      for (const Scene& scene : film.scenes) {
        messages += scene.travels.size();
        EXPECT_GE(scene.seconds, before);
        for (const Travel& travel : scene.travels) {
          EXPECT_LT(travel.begin, travel.end);
          EXPECT_LE(travel.end, scene.seconds);
        }
        before = scene.seconds;
      }
      EXPECT_EQ(messages, match(schedules).messages.size());
      EXPECT_EQ(before, replay(schedules, problem.element_bytes, rates));
    }
}

TEST(Film, ChangesAreWhatTheStepBrings) {
  const Film film = shown(*parse_request("allgather/ring").algorithm, 3).film;
  ASSERT_EQ(film.scenes.size(), 3u);  // what is copied looks the same
  EXPECT_EQ(film.parts, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(film.owners, (std::vector<Rank>{0, 1, 2}));
  const Scene& step = film.scenes[1];
  EXPECT_EQ(step.title, "step 1");
  ASSERT_EQ(step.changes.size(), 3u);
  EXPECT_EQ(step.changes[0].rank, 0);
  EXPECT_EQ(step.changes[0].first, 2u);  // from its neighbour
  EXPECT_EQ(film.sets[step.changes[0].set], std::vector<Rank>{2});
  ASSERT_EQ(step.travels.size(), 3u);
  EXPECT_EQ(step.travels[0].bytes, 2u);
  const auto json = json_of(film);
  EXPECT_EQ(json["scenes"][1]["changes"].size(), 12u);
  EXPECT_EQ(json["scenes"][1]["messages"][0][4], "0");
}

}  // namespace
}  // namespace tutti::core
