#include "api/settings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "api/requests.hpp"
#include "schedule/bytes.hpp"
#include "select/environment.hpp"

namespace tutti {

namespace {

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::size_t size(const std::string& name, std::size_t otherwise) {
  const std::string value = variable(name);
  return value.empty() ? otherwise : parse_bytes(value);
}

}  // namespace

Settings::Forced Settings::parse(Collective collective, std::string_view text) {
  if (text.empty()) return {};
  if (text == "native") return {true, 0};
  return {false, request_number(fmt::format("{}/{}", name_of(collective), text))};
}

Settings Settings::from_environment() {
  check_environment(environ);
  Settings result;
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    result.forced[i] = parse(collective, variable(algorithm_variable(collective)));
  }
  if (const std::string off = variable("TUTTI_OFF"); !off.empty())
    for (const Collective collective : parse_off(off))
      result.forced[static_cast<int>(collective)] = {true, 0};
  result.strict = variable("TUTTI_STRICT") != "0";
  result.check = variable("TUTTI_CHECK") == "1";
  result.explain = variable("TUTTI_EXPLAIN");
  if (result.explain == "0") result.explain.clear();
  result.pieces.bytes = size("TUTTI_PIECE", result.pieces.bytes);
  result.pieces.in_flight = size("TUTTI_IN_FLIGHT", result.pieces.in_flight);
  result.communicators = static_cast<int>(size("TUTTI_COMMUNICATORS", 512));
  std::string road = fmt::format("{} {} {}", result.strict, result.check, result.pieces.bytes);
  for (const Forced& forced : result.forced)
    road += fmt::format(" {} {}", forced.native, forced.request);
  result.road = std::hash<std::string>{}(road);
  return result;
}

Settings& settings() {
  static Settings result = [] {
    try {
      return Settings::from_environment();
    } catch (const std::invalid_argument& error) {
      int rank = 0;
      PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
      // Rank 0 says it and ends all; the others give it the time to.
      if (rank == 0)
        std::fprintf(stderr, "tutti: %s\n", error.what());
      else
        std::this_thread::sleep_for(std::chrono::seconds(2));
      PMPI_Abort(MPI_COMM_WORLD, 2);
      std::exit(2);
    }
  }();
  return result;
}

}  // namespace tutti
