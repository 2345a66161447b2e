#include "api/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "schedule/bytes.hpp"

namespace tutti {

namespace {

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

bool flag(const std::string& name, bool otherwise) {
  const std::string value = variable(name);
  if (value.empty()) return otherwise;
  if (value == "0" || value == "1") return value == "1";
  throw std::invalid_argument(fmt::format("{}={}: write 0 or 1", name, value));
}

}  // namespace

Settings::Forced Settings::parse(Collective collective, std::string_view text) {
  if (text.empty()) return {};
  if (text == "native") return {true, {}};
  return {false, parse_request(fmt::format("{}/{}", name_of(collective), text))};
}

Settings Settings::from_environment() {
  Settings result;
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    std::string name = fmt::format("TUTTI_ALGORITHM_{}", name_of(collective));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    try {
      result.forced[i] = parse(collective, variable(name));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: {}", name, error.what()));
    }
  }
  const std::string off = variable("TUTTI_OFF");
  for (std::size_t begin = 0; begin < off.size();) {
    const std::size_t end = std::min(off.find(',', begin), off.size());
    const std::string name = off.substr(begin, end - begin);
    begin = end + 1;
    const auto collective = collective_named(name);
    if (name == "all")
      for (Forced& forced : result.forced) forced = {true, {}};
    else if (collective)
      result.forced[static_cast<int>(*collective)] = {true, {}};
    else
      throw std::invalid_argument(fmt::format("TUTTI_OFF: unknown collective '{}'", name));
  }
  result.strict = flag("TUTTI_STRICT", true);
  result.check = flag("TUTTI_CHECK", false);
  result.explain = variable("TUTTI_EXPLAIN");
  if (result.explain == "0") result.explain.clear();
  if (const std::string piece = variable("TUTTI_PIECE"); !piece.empty())
    result.pieces.bytes = std::max<std::size_t>(1, parse_bytes(piece));
  if (const std::string number = variable("TUTTI_IN_FLIGHT"); !number.empty())
    result.pieces.in_flight = std::max<std::size_t>(1, parse_bytes(number));
  return result;
}

Settings& settings() {
  static Settings result = [] {
    try {
      return Settings::from_environment();
    } catch (const std::invalid_argument& error) {
      std::fprintf(stderr, "tutti: %s\n", error.what());
      PMPI_Abort(MPI_COMM_WORLD, 2);
      std::exit(2);
    }
  }();
  return result;
}

}  // namespace tutti
