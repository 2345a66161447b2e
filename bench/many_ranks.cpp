// What one rank among tens of thousands does before its first call, without an MPI: the time of the
// choice, that of its schedule, and the memory that it keeps. And what a quick choice loses to a
// thorough one, where both can be had.

#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "model/profile.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "select/choose.hpp"

namespace tutti::core {
namespace {

using Json = nlohmann::ordered_json;

/// The median of three; the last result stays.
template <class Function>
double median_ms(Function function) {
  std::array<double, 3> times;
  for (double& time : times) {
    const auto begin = std::chrono::steady_clock::now();
    function();
    time =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  std::sort(times.begin(), times.end());
  return times[1];
}

std::size_t allocated() {
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

/// n bytes for each rank: the vector, or a block.
Problem problem_of(Collective collective, const std::shared_ptr<const Topology>& topology,
                   std::size_t n) {
  const auto ranks = static_cast<std::size_t>(topology->p());
  Problem problem = even_problem(collective, topology->p(), is_vector(collective) ? n : n * ranks);
  problem.topology = topology;
  return problem;
}

std::vector<Collective> collectives_but_barriers() {
  std::vector<Collective> all;
  for (int i = 0; i < collective_count; ++i)
    if (const auto each = static_cast<Collective>(i); each != Collective::barrier)
      all.push_back(each);
  return all;
}

/// The slowest of four ranks that have different parts to play.
Json one_rank(const Problem& problem, const Profile& profile) {
  Choice choice;
  const double choosing =
      median_ms([&] { choice = choose(known_of(problem), nullptr, profile, 0); });
  double generating = 0;
  std::size_t kept = 0;
  for (const Rank rank : {0, 1, problem.p / 2, problem.p - 1}) {
    Schedule schedule;
    const std::size_t before = allocated();
    const double ms = median_ms(
        [&] { schedule = likely_schedule(problem, *choice.algorithm, choice.parameters, rank); });
    kept = std::max(kept, std::max(allocated(), before) - before);
    generating = std::max(generating, ms);
  }
  return {{"collective", name_of(problem.collective)},
          {"algorithm", format_request(*choice.algorithm, choice.parameters)},
          {"estimate_us", choice.predictions.front().seconds * 1e6},
          {"choice_ms", choosing},
          {"schedule_ms", generating},
          {"schedule_bytes", kept}};
}

Json measure(const std::string& name, const std::vector<std::size_t>& sizes) {
  Json worlds = Json::array();
  const std::size_t before = allocated();
  std::shared_ptr<const Topology> topology;
  const double placing = median_ms([&] { topology = parse_topology(name); });
  const std::size_t placed = allocated() - before;
  Json cells = Json::array();
  for (const Collective collective : collectives_but_barriers())
    for (const std::size_t n : sizes) {
      Json cell = one_rank(problem_of(collective, topology, n), default_profile());
      cell["n"] = n;
      cells.push_back(std::move(cell));
    }
  return {{"topology", name},
          {"p", topology->p()},
          {"placement_ms", placing},
          {"placement_bytes", placed},
          {"cells", std::move(cells)}};
}

/// The quick choice's time, by the thorough estimate, over that of the thorough one.
Json compare(const std::string& name, const std::vector<std::size_t>& sizes) {
  const auto topology = parse_topology(name);
  const Machine machine = default_profile().machine_for(topology.get());
  Json cells = Json::array();
  for (const Collective collective : collectives_but_barriers())
    for (const std::size_t n : sizes) {
      const Problem problem = problem_of(collective, topology, n);
      const Prediction quick = predict(problem, machine, {}, Care::quick).front();
      const Prediction best = predict(problem, machine).front();
      const double taken = estimate(problem, *quick.algorithm, quick.parameters, machine);
      cells.push_back({{"topology", name},
                       {"collective", name_of(collective)},
                       {"n", n},
                       {"quick", format_request(*quick.algorithm, quick.parameters)},
                       {"thorough", format_request(*best.algorithm, best.parameters)},
                       {"regret", best.seconds > 0 ? taken / best.seconds : 1.0}});
    }
  return cells;
}

std::size_t rounded(std::size_t bytes) { return bytes < 10'000 ? bytes : bytes / 1024 * 1024; }

void print(const Json& world) {
  const int p = world["p"];
  const std::size_t placement = world["placement_bytes"];
  std::cout << fmt::format("{} = {} ranks: placement {:.1f} ms, {} bytes a rank\n",
                           world["topology"].get<std::string>(), p,
                           world["placement_ms"].get<double>(), placement / p)
            << fmt::format("{:<21}{:>8} {:>9} {:>9} {:>9}  {}\n", "", "n", "choice", "schedule",
                           "keeps", "algorithm");
  double slowest = 0;
  for (const Json& cell : world["cells"]) {
    slowest =
        std::max(slowest, cell["choice_ms"].get<double>() + cell["schedule_ms"].get<double>());
    std::cout << fmt::format("{:<21}{:>8} {:>6.2f} ms {:>6.2f} ms {:>9}  {}\n",
                             cell["collective"].get<std::string>(), cell["n"].get<std::size_t>(),
                             cell["choice_ms"].get<double>(), cell["schedule_ms"].get<double>(),
                             format_bytes(rounded(cell["schedule_bytes"])),
                             cell["algorithm"].get<std::string>());
  }
  std::cout << fmt::format("slowest choice and schedule: {:.1f} ms\n\n", slowest);
}

void print_comparison(const Json& cells) {
  double logarithms = 0;
  std::size_t over = 0;
  for (const Json& cell : cells) {
    const double regret = cell["regret"];
    logarithms += std::log(regret);
    if (regret <= 1.05) continue;
    ++over;
    std::cout << fmt::format(
        "{:<8}{:<21}{:>8} {:>6.2f}  {}\n{:>46}  {}\n", cell["topology"].get<std::string>(),
        cell["collective"].get<std::string>(), cell["n"].get<std::size_t>(), regret,
        cell["quick"].get<std::string>(), "instead of", cell["thorough"].get<std::string>());
  }
  std::cout << fmt::format("{} of {} quick choices take over 5 % longer; mean of all {:.3f}\n",
                           over, cells.size(),
                           std::exp(logarithms / static_cast<double>(cells.size())));
}

}  // namespace
}  // namespace tutti::core

int main(int argc, char** argv) {
  using namespace tutti::core;
  CLI::App app("What one rank of a very large job does before its first call.", "many_ranks");
  std::vector<int> nodes{16, 256, 1024};
  int each = 64, domains = 1;
  std::vector<std::size_t> sizes{8, 64 << 10, 1 << 20};
  std::vector<std::string> compared;
  bool json = false;
  app.add_option("--nodes", nodes, "How many nodes")->delimiter(',')->capture_default_str();
  app.add_option("--each", each, "Ranks on each")->capture_default_str();
  app.add_option("--domains", domains, "Caches or the like of each node, whose ranks they share")
      ->check([&](const std::string& text) {
        return std::stoi(text) > 0 && each % std::stoi(text) == 0 ? "" : "must divide --each";
      })
      ->capture_default_str();
  app.add_option("-n", sizes, "Bytes of the vector, or of each rank's block")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--compare", compared, "Instead: quick and thorough choices on these topologies")
      ->delimiter(',');
  app.add_flag("--json", json, "As JSON");
  CLI11_PARSE(app, argc, argv);
  Json report = Json::array();
  for (const std::string& topology : compared)
    for (Json& cell : compare(topology, sizes)) report.push_back(std::move(cell));
  if (compared.empty())
    for (const int number : nodes) {
      const std::string node =
          domains > 1 ? fmt::format("{}x{}", domains, each / domains) : fmt::format("{}", each);
      report.push_back(measure(fmt::format("{}x{}", number, node), sizes));
      if (!json) print(report.back());
    }
  if (json)
    std::cout << report.dump(2) << "\n";
  else if (!compared.empty())
    print_comparison(report);
}
