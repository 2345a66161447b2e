#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "model/profile.hpp"
#include "schedule/json_reader.hpp"

namespace tutti::core::cli {

/// What can be read, and what can be waited for.
struct Limit {
  int ranks;
  std::size_t rounds;  // of one rank
  std::size_t slices;  // of all ranks' schedules
};
/// A page that plays schedules shows every rank.
inline constexpr Limit film_limit{128, 1024, 150'000};

/// All ranks' schedules and what they are for, as `tutti show --format json` writes it.
struct ScheduleDocument {
  std::string name;  // with parameters
  Problem problem;
  std::vector<Schedule> schedules;
};

nlohmann::ordered_json json_of(const Algorithm& algorithm, const Problem& problem,
                               const Parameters& parameters,
                               const std::vector<Schedule>& schedules);

/// Reads that back. Throws std::invalid_argument that names the place of what is wrong: also
/// schedules that do not do what they are for, and those beyond film_limit.
ScheduleDocument read_schedules(const JsonReader& document);

/// For the page, with times by this profile.
nlohmann::ordered_json film_data(const ScheduleDocument& document, const Profile& profile);

}  // namespace tutti::core::cli
