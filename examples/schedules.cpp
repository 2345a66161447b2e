// Schedules from C++: generate one, read it, prove it, predict it.

#include <fmt/format.h>

#include "model/profile.hpp"
#include "model/replay.hpp"
#include "request/request.hpp"
#include "verify/verify.hpp"

int main() {
  using namespace tutti::core;

  // What is asked: 8 ranks combine 1024 doubles, everybody gets the result.
  Problem problem{.collective = Collective::allreduce, .p = 8, .count = 1024, .element_bytes = 8};
  problem.validate();

  // Who does it: an algorithm by name, parameters as on the command line.
  const Request request = parse_request("allreduce/rabenseifner");
  const Profile& machine = default_profile();
  const Parameters parameters =
      request.algorithm->resolve(problem, machine.rates, request.parameters);

  // One rank's schedule, a value that anything can read.
  const std::vector<Schedule> schedules = schedules_of(problem, *request.algorithm, parameters);
  for (std::size_t i = 0; i < schedules[0].round_count(); ++i)
    for (const Action& action : schedules[0].round(i))
      fmt::print("rank 0, round {}: {}\n", i, describe(schedules[0], action));

  // Proved: right data, right order, no deadlock, no race.
  const std::vector<Finding> findings = verify(problem, schedules);
  for (const Finding& finding : findings) fmt::print("{}\n", finding.describe());

  // Predicted: all ranks' schedules replayed with the machine's rates.
  fmt::print("{:.1f} us on {}\n", 1e6 * replay(schedules, problem.element_bytes, machine.rates),
             machine.name);
  return findings.empty() ? 0 : 1;
}
