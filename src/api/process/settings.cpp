// Reads the settings, and compares those of all ranks.

#include "api/process/settings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "api/process/native.hpp"
#include "api/process/requests.hpp"
#include "api/process/tuning.hpp"
#include "select/environment.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

void end_program(const std::string& line, bool says_it) {
  if (says_it) std::fprintf(stderr, "tutti: %s\n", line.c_str());
  std::fflush(stderr);
  // A launcher may lose the last words of a rank that ends too soon.
  std::this_thread::sleep_for(std::chrono::milliseconds(says_it ? 200 : 2000));
  PMPI_Abort(MPI_COMM_WORLD, 2);
  std::exit(2);
}

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
    result.forced[i] = parse(collective, in_environment(algorithm_variable(collective).c_str()));
  }
  if (const std::string off = value_of(Variable::off); !off.empty())
    for (const Collective collective : parse_off(off))
      result.forced[static_cast<int>(collective)] = {true, 0};
  result.strict = value_of(Variable::strict) != "0";
  result.check = value_of(Variable::check) == "1";
  result.explain = value_of(Variable::explain);
  if (result.explain == "0") result.explain.clear();
  result.trace = value_of(Variable::trace);
  result.record = value_of(Variable::record);
  result.cutting_given = !value_of(Variable::piece).empty();
  result.cutting.bytes = bytes_of(Variable::piece, result.cutting.bytes);
  result.cutting.near_bytes = bytes_of(Variable::piece, result.cutting.near_bytes);
  result.cutting.in_flight = bytes_of(Variable::in_flight, result.cutting.in_flight);
  result.communicators = bytes_of(Variable::communicators, result.communicators);
  result.young = bytes_of(Variable::young, result.young);
  result.node = static_cast<Node>(choice_of(Variable::node, static_cast<int>(Node::shared)));
  result.topology = value_of(Variable::topology);
  result.profile = value_of(Variable::profile);
  result.learn = static_cast<Learn>(choice_of(Variable::learn, static_cast<int>(Learn::on)));
  result.road = result.digest();
  return result;
}

std::size_t Settings::digest() const {
  std::string road = fmt::format("{} {} {} {} {} {} {} {} {} {}", strict, check, !trace.empty(),
                                 cutting.bytes, cutting.near_bytes, static_cast<int>(node),
                                 topology, profile, static_cast<int>(learn), young);
  for (const Forced& each : forced) {
    road += each.native ? " native" : " -";
    if (each.request != 0) {
      const Request& request = request_of(each.request);
      road += format_request(*request.algorithm, request.parameters);
    }
  }
  return std::hash<std::string>{}(road);
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

void tutti_tune_settings(const tutti::core::Tuning& tuning) {
  using tutti::core::Settings;
  Settings& set = tutti::core::settings();
  if (tutti::core::value_of(tutti::core::Variable::learn).empty()) set.learn = Settings::Learn::off;
  if (tutti::core::value_of(tutti::core::Variable::young).empty()) set.young = 0;
  if (tuning.profile != nullptr) set.profile = tuning.profile;
  if (tuning.trace != nullptr) set.trace = tuning.trace;
  set.road = set.digest();
  tutti::core::tell_who_watches(set);
}

void tutti_tune_pieces(std::size_t bytes) {
  if (!tutti::core::value_of(tutti::core::Variable::piece).empty()) return;
  tutti::core::settings().cutting.bytes = bytes;
  tutti::core::settings().cutting_given = true;
}
