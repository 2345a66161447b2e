#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/registry.hpp"

namespace tutti {

/// A machine: its rates and where they come from.
struct Profile {
  std::string name;
  std::string source;
  Rates rates;
};

/// Reads a profile:
///
///     {
///       "name": "gigabit-ethernet",
///       "source": "where the numbers come from",
///       "alpha_us": 50, "beta_ns_per_byte": 8.5,
///       "alpha_uni_us": 45, "beta_uni_ns_per_byte": 8.5,
///       "gamma_ns_per_byte": 0.25
///     }
///
/// Every field is required and no other is known. Throws std::invalid_argument with a line that
/// names file, field and remedy.
Profile read_profile(const std::filesystem::path& path);

/// The same from text; `origin` stands for the file in messages.
Profile parse_profile(std::string_view text, std::string_view origin);

/// The profiles that come with the library: name and JSON text.
const std::vector<std::pair<std::string, std::string_view>>& shipped_profiles();

/// What predictions use when nobody names a machine: the shipped fabric-100g.
const Profile& default_profile();

}  // namespace tutti
