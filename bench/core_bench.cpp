// How long the core takes: one rank's schedule at p = 1024 for every algorithm, the replay of a
// ring of 1024 ranks, and a prediction for a million ranks. Times are medians of many runs.

#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/profile.hpp"
#include "model/replay.hpp"
#include "request/request.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// The median of 7 runs after one that warms the caches; of many such medians the least, because
/// other work on the machine only adds.
template <class Function>
double median_ns(Function function) {
  double least = std::numeric_limits<double>::infinity();
  for (int batch = 0; batch < 31; ++batch) {
    function();
    std::array<double, 7> times;
    for (double& time : times) {
      const auto begin = Clock::now();
      function();
      time = nanoseconds_since(begin);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    least = std::min(least, times[times.size() / 2]);
  }
  return least;
}

struct Generation {
  double ns = 0;
  std::size_t slices = 0;
  std::size_t listed = 0;  // block sizes in the call or learned: read whatever is sent
};

Problem problem_at(const Algorithm& algorithm, int p) {
  const auto ranks = static_cast<std::size_t>(p);
  Problem problem = Problem::even(algorithm.collective, p, 64 * ranks);
  // Sizes that the caller lists are not equal, else he would not list them.
  for (std::size_t i = 0; i < problem.counts.size(); ++i) problem.counts[i] = 32 + 7 * i % 65;
  if (reduces(algorithm.collective)) problem.element_bytes = 8;
  return problem;
}

/// What the stages of a rank learn: known when all ranks have run.
std::vector<StageEnd> stages_of(const Problem& problem, const Algorithm& algorithm,
                                const Parameters& parameters, Rank rank) {
  if (Generator(algorithm, problem.call(rank), parameters).finished()) return {};
  return schedules_of(problem, algorithm, parameters)[rank].stages;
}

/// The slowest of four ranks that have different parts to play, all stages included.
Generation generate(const Algorithm& algorithm, int p) {
  const Problem problem = problem_at(algorithm, p);
  const Parameters parameters = algorithm.resolve(problem, default_profile().rates);
  Generation slowest;
  for (const Rank rank : {0, 1, p / 2, p - 1}) {
    const Call call = problem.call(rank);
    const std::vector<StageEnd> stages = stages_of(problem, algorithm, parameters, rank);
    const auto run = [&] {
      Generator generator(algorithm, call, parameters);
      for (const StageEnd& stage : stages) generator.resume(stage.learned);
      return generator;
    };
    const double ns = median_ns(run);
    std::size_t listed = call.counts.size() + call.send_counts.size() + call.recv_counts.size();
    for (const StageEnd& stage : stages) listed += stage.learned.size();
    if (ns > slowest.ns) slowest = {ns, run().schedule().slices.size(), listed};
  }
  return slowest;
}

double ns_per_item(const Generation& generation) {
  return generation.ns /
         static_cast<double>(std::max<std::size_t>(1, generation.slices + generation.listed));
}

/// Ten slices for each doubling of p: what O(log p) means here.
bool is_logarithmic(const Generation& generation) { return generation.slices <= 100; }

nlohmann::ordered_json measure_generation() {
  auto rows = nlohmann::ordered_json::array();
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.node_aware) continue;  // as long as its inner algorithm, and the nodes are large
    const Generation small = generate(algorithm, 256), large = generate(algorithm, 1024);
    rows.push_back(
        {{"algorithm", algorithm.full_name()},
         {"ns", std::round(large.ns)},
         {"slices", large.slices},
         {"ns_per_slice", large.ns / static_cast<double>(std::max<std::size_t>(1, large.slices))},
         {"logarithmic", is_logarithmic(large)},
         {"growth", ns_per_item(large) / ns_per_item(small)}});
  }
  return rows;
}

nlohmann::ordered_json measure_replay() {
  const Algorithm& ring = *parse_request("allgather/ring").algorithm;
  const Problem problem = problem_at(ring, 1024);
  std::vector<Schedule> schedules;
  for (Rank rank = 0; rank < problem.p; ++rank)
    schedules.push_back(Generator(ring, problem.call(rank), {}).schedule());
  std::vector<double> seconds;
  for (int i = 0; i < 3; ++i) {
    const auto begin = Clock::now();
    replay(schedules, problem.element_bytes, default_profile().rates);
    seconds.push_back(nanoseconds_since(begin) * 1e-9);
  }
  std::sort(seconds.begin(), seconds.end());
  return {{"p", 1024}, {"seconds", seconds[1]}};
}

/// The slowest closed form at a million ranks.
nlohmann::ordered_json measure_prediction() {
  double slowest = 0;
  std::string name;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.exact == Exact::topology) continue;  // no closed form
    const Size size{
        .p = 1 << 20,
        .n = 1 << 30,
        .parameters = algorithm.resolve(problem_at(algorithm, 1024), default_profile().rates)};
    volatile double sink = 0;
    const double ns =
        median_ns([&] { sink = algorithm.cost.value(size, default_profile().rates); });
    if (ns > slowest) {
      slowest = ns;
      name = algorithm.full_name();
    }
  }
  return {{"p", 1 << 20}, {"slowest", name}, {"ns", std::round(slowest)}};
}

void print(const nlohmann::ordered_json& report) {
  std::cout << fmt::format("{:<45} {:>10} {:>8} {:>10} {:>7}\n", "one rank's schedule at p = 1024",
                           "ns", "slices", "ns/slice", "growth");
  for (const auto& row : report["generate"])
    std::cout << fmt::format("{:<45} {:>10.0f} {:>8} {:>10.1f} {:>7.2f}\n",
                             row["algorithm"].get<std::string>(), row["ns"].get<double>(),
                             row["slices"].get<std::size_t>(), row["ns_per_slice"].get<double>(),
                             row["growth"].get<double>());
  std::cout << fmt::format("\nreplay of a ring of 1024 ranks: {:.3f} s\n",
                           report["replay"]["seconds"].get<double>());
  std::cout << fmt::format("slowest prediction for a million ranks: {:.0f} ns ({})\n",
                           report["predict"]["ns"].get<double>(),
                           report["predict"]["slowest"].get<std::string>());
}

}  // namespace
}  // namespace tutti::core

int main(int argc, char** argv) {
  CLI::App app("Times of the core: schedules, replay, prediction.", "core_bench");
  bool json = false;
  app.add_flag("--json", json, "As JSON");
  CLI11_PARSE(app, argc, argv);
  // Keep what was freed: else the time is that of the system's pages, not of the algorithms.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  const nlohmann::ordered_json report{{"generate", tutti::core::measure_generation()},
                                      {"replay", tutti::core::measure_replay()},
                                      {"predict", tutti::core::measure_prediction()}};
  if (json)
    std::cout << report.dump(2) << "\n";
  else
    tutti::core::print(report);
}
