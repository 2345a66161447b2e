#include "model/profile.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tutti {

namespace {

/// A number in the file, and what one of its units is in seconds.
struct Field {
  std::string_view name;
  double Rates::*rate;
  double unit;
};

constexpr std::array fields{
    Field{"alpha_us", &Rates::alpha, 1e-6},
    Field{"beta_ns_per_byte", &Rates::beta, 1e-9},
    Field{"gamma_ns_per_byte", &Rates::gamma, 1e-9},
    Field{"alpha_uni_us", &Rates::alpha_uni, 1e-6},
    Field{"beta_uni_ns_per_byte", &Rates::beta_uni, 1e-9},
};

[[noreturn]] void fail(std::string_view origin, std::string_view what) {
  throw std::invalid_argument(fmt::format("profile {}: {}", origin, what));
}

const nlohmann::json& at(const nlohmann::json& object, std::string_view name,
                         std::string_view origin) {
  const auto found = object.find(name);
  if (found == object.end()) fail(origin, fmt::format("field \"{}\" is missing; add it", name));
  return *found;
}

std::string text(const nlohmann::json& object, std::string_view name, std::string_view origin) {
  const nlohmann::json& value = at(object, name, origin);
  if (!value.is_string() || value.get_ref<const std::string&>().empty())
    fail(origin, fmt::format("field \"{}\" must be a text in quotes", name));
  return value.get<std::string>();
}

double number(const nlohmann::json& object, const Field& field, std::string_view origin) {
  const nlohmann::json& value = at(object, field.name, origin);
  const double given = value.is_number() ? value.get<double>() : -1;
  if (!(given >= 0) || !std::isfinite(given))
    fail(origin,
         fmt::format("field \"{}\" must be a number, 0 or more, not {}", field.name, value.dump()));
  return given * field.unit;
}

void refuse_unknown(const nlohmann::json& object, std::string_view origin) {
  std::string known = "name, source";
  for (const Field& field : fields) known += fmt::format(", {}", field.name);
  for (const auto& item : object.items()) {
    bool is_known = item.key() == "name" || item.key() == "source";
    for (const Field& field : fields) is_known = is_known || item.key() == field.name;
    if (!is_known)
      fail(origin, fmt::format("unknown field \"{}\"; the fields are {}", item.key(), known));
  }
}

}  // namespace

Profile parse_profile(std::string_view text_of_file, std::string_view origin) {
  nlohmann::json object;
  try {
    object = nlohmann::json::parse(text_of_file);
  } catch (const nlohmann::json::out_of_range&) {
    fail(origin, "a number is too large; write finite numbers");
  } catch (const nlohmann::json::parse_error& error) {
    fail(origin, fmt::format("not JSON at byte {}; compare with a file in profiles/", error.byte));
  }
  if (!object.is_object()) fail(origin, "must be a JSON object; compare with a file in profiles/");
  refuse_unknown(object, origin);
  Profile profile{text(object, "name", origin), text(object, "source", origin), {}};
  for (const Field& field : fields) profile.rates.*field.rate = number(object, field, origin);
  return profile;
}

Profile read_profile(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    fail(path.string(), "cannot be read; give the path of a JSON file");
  return parse_profile(std::string(std::istreambuf_iterator(file), {}), path.string());
}

const Profile& default_profile() {
  static const Profile profile = [] {
    for (const auto& [name, text_of_file] : shipped_profiles())
      if (name == "fabric-100g") return parse_profile(text_of_file, name);
    throw std::logic_error("profiles/fabric-100g.json was not there at build time; add it");
  }();
  return profile;
}

}  // namespace tutti
