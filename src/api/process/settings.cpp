#include "api/process/settings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "api/machine/tuning.hpp"
#include "api/process/native.hpp"
#include "api/process/requests.hpp"
#include "schedule/bytes.hpp"
#include "select/environment.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

void end_program(const std::string& line, bool says_it) {
  if (says_it) std::fprintf(stderr, "tutti: %s\n", line.c_str());
  std::fflush(stderr);
  // A launcher may lose the last words of a rank that ends too soon.
  std::this_thread::sleep_for(std::chrono::milliseconds(says_it ? 200 : 2000));
  PMPI_Abort(MPI_COMM_WORLD, 2);
  std::exit(2);
}

namespace {

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
  result.trace = variable("TUTTI_TRACE");
  result.record = variable("TUTTI_RECORD");
  result.pieces_given = !variable("TUTTI_PIECE").empty();
  result.pieces.bytes = size("TUTTI_PIECE", result.pieces.bytes);
  result.pieces.near_bytes = size("TUTTI_PIECE", result.pieces.near_bytes);
  result.pieces.in_flight = size("TUTTI_IN_FLIGHT", result.pieces.in_flight);
  result.communicators = size("TUTTI_COMMUNICATORS", result.communicators);
  const std::string node = variable("TUTTI_NODE");
  result.node = node == "off"      ? Node::off
                : node == "copy"   ? Node::copy
                : node == "attach" ? Node::attach
                                   : Node::shared;
  result.topology = variable("TUTTI_TOPOLOGY");
  result.profile = variable("TUTTI_PROFILE");
  const std::string learn = variable("TUTTI_LEARN");
  result.learn = learn == "off"    ? Learn::off
                 : learn == "keep" ? Learn::keep
                 : learn == "any"  ? Learn::any
                                   : Learn::on;
  std::string road =
      fmt::format("{} {} {} {} {} {} {} {} {}", result.strict, result.check, !result.trace.empty(),
                  result.pieces.bytes, result.pieces.near_bytes, static_cast<int>(result.node),
                  result.topology, result.profile, static_cast<int>(result.learn));
  for (const Forced& forced : result.forced) {
    road += forced.native ? " native" : " -";
    if (forced.request != 0) {
      const Request& request = request_of(forced.request);
      road += format_request(*request.algorithm, request.parameters);
    }
  }
  result.road = std::hash<std::string>{}(road);
  return result;
}

std::atomic<bool> watches_calls{true};

namespace {

void tell_who_watches(const Settings& set) {
  watches_calls.store(!set.explain.empty() || !set.record.empty() || !set.trace.empty(),
                      std::memory_order_relaxed);
}

}  // namespace

Settings& settings() {
  static Settings result = [] {
    try {
      Settings found = Settings::from_environment();
      if (!found.topology.empty() || !found.record.empty() || !found.trace.empty()) {
        // Who was spawned has inherited what was meant for others.
        MPI_Comm parent = MPI_COMM_NULL;
#ifndef TUTTI_SIMULATED  // where nobody is spawned, nor may ask
        PMPI_Comm_get_parent(&parent);
#endif
        int world = 0;
        PMPI_Comm_size(MPI_COMM_WORLD, &world);
        if (parent != MPI_COMM_NULL) {
          found.topology.clear();
          found.record.clear();
          found.trace.clear();
        }
        if (!found.topology.empty()) parse_topology(found.topology, world);
      }
      tell_who_watches(found);
      return found;
    } catch (const std::invalid_argument& error) {
      int rank = 0;
      PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
      end_program(error.what(), rank == 0);
    }
  }();
  return result;
}

bool compare_settings() {
  Settings& mine = settings();
  const auto road = static_cast<long long>(mine.road >> 1);
  const long long explain = mine.explain.empty() ? 0 : 1;
  const long long record = mine.record.empty() ? 0 : 1;
  const long long values[6] = {road, -road, explain, -explain, record, -record};
  long long least[6] = {};
  native().allreduce(values, least, 6, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
  const bool same_road = least[0] == -least[1], same_explain = least[2] == -least[3],
             same_record = least[4] == -least[5];
  if (same_road && same_explain && same_record) return true;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    std::fprintf(stderr, "tutti: %s: %s\n", not_the_same,
                 !same_road      ? "all collectives go to the MPI"
                 : !same_explain ? "nothing is explained"
                                 : "nothing is recorded");
  if (!same_explain) mine.explain.clear();
  if (!same_record) mine.record.clear();
  if (!same_road) mine.trace.clear();
  tell_who_watches(mine);
  if (same_road) return true;
  mine.check = false;
  mine.road = 0;
  mine.off_why = not_the_same;
  for (Settings::Forced& forced : mine.forced) forced = {true, 0};
  return false;
}

}  // namespace tutti::core

void tutti_tune_pieces(std::size_t bytes) {
  if (!tutti::core::variable("TUTTI_PIECE").empty()) return;
  tutti::core::settings().pieces.bytes = bytes;
  tutti::core::settings().pieces_given = true;
}
