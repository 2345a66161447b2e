// Executes all ranks' schedules symbolically and compares with the definition.

#include "verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "verify/symbolic_run.hpp"

namespace tutti::core {

namespace {

std::vector<Generator> generators_of(const Problem& problem, const Algorithm& algorithm,
                                     const Parameters& parameters) {
  std::vector<Generator> generators;
  generators.reserve(problem.p);
  for (Rank r = 0; r < problem.p; ++r)
    generators.emplace_back(algorithm, problem.call(r), parameters);
  return generators;
}

/// See result_digest.
std::uint64_t digest(const SymbolicRun& run, int p, bool swaps) {
  const std::vector<std::uint64_t> of = run.expressions().digests(swaps);
  std::uint64_t result = 0;
  const auto add = [&](std::uint64_t value) {
    result = (result ^ value) * 0x9E3779B97F4A7C15u;
    result ^= result >> 29;
  };
  std::vector<Piece> pieces;
  for (Rank r = 0; r < p; ++r) {
    pieces.clear();
    const Contents& output = run.contents(r, Buffer::output);
    if (output.size() > 0) output.read(0, output.size(), pieces);
    // Pieces may be equal without having the same number.
    for (std::size_t i = 0, next = 0; i < pieces.size(); i = next) {
      std::size_t end = pieces[i].index + pieces[i].count;
      for (next = i + 1; next < pieces.size() && of[pieces[next].id] == of[pieces[i].id] &&
                         pieces[next].index == end;
           ++next)
        end += pieces[next].count;
      add(of[pieces[i].id]);
      add(pieces[i].index);
      add(end);
    }
    add(static_cast<std::uint64_t>(r));
  }
  return result;
}

/// What a rank holds by now.
std::vector<Held> held_by(const SymbolicRun& run, Rank rank) {
  const Expressions& expressions = run.expressions();
  std::vector<Held> all;
  std::vector<Piece> pieces;
  for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
    const Contents& contents = run.contents(rank, buffer);
    pieces.clear();
    if (contents.size() > 0) contents.read(0, contents.size(), pieces);
    std::size_t offset = 0;
    for (const Piece& piece : pieces) {
      if (expressions.is_value(piece.id))
        all.push_back({{buffer, offset, piece.count},
                       expressions.operands(piece.id, static_cast<std::size_t>(-1)),
                       piece.index});
      offset += piece.count;
    }
  }
  return all;
}

}  // namespace

std::string Finding::describe() const {
  std::string where = algorithm.empty() ? std::string("schedule") : algorithm;
  where += fmt::format(", p = {}", p);
  if (rank >= 0) where += fmt::format(", rank {}", rank);
  if (round >= 0) where += fmt::format(", round {}", round);
  if (action >= 0) where += fmt::format(", action {}", action);
  if (index >= 0) where += fmt::format(", index {}", index);
  return where + ": " + message;
}

std::vector<Finding> verify(const Problem& problem, const std::vector<Schedule>& schedules,
                            const std::string& name) {
  return SymbolicRun(problem, &schedules, nullptr, name).run();
}

std::vector<Finding> verify(const Problem& problem, const Algorithm& algorithm,
                            const Parameters& parameters) {
  std::vector<Generator> generators = generators_of(problem, algorithm, parameters);
  return SymbolicRun(problem, nullptr, &generators, algorithm.full_name()).run();
}

std::uint64_t result_digest(const Problem& problem, const Algorithm& algorithm,
                            const Parameters& parameters, bool swaps) {
  std::vector<Generator> generators = generators_of(problem, algorithm, parameters);
  SymbolicRun run(problem, nullptr, &generators, algorithm.full_name());
  const auto findings = run.run();
  if (!findings.empty()) throw std::runtime_error(findings.front().describe());
  return digest(run, problem.p, swaps);
}

std::vector<Schedule> schedules_of(const Problem& problem, const Algorithm& algorithm,
                                   const Parameters& parameters) {
  std::vector<Generator> generators = generators_of(problem, algorithm, parameters);
  const auto waits = [](const Generator& generator) { return !generator.finished(); };
  if (std::any_of(generators.begin(), generators.end(), waits)) {
    const auto findings = SymbolicRun(problem, nullptr, &generators, algorithm.full_name()).run();
    if (!findings.empty()) throw std::runtime_error(findings.front().describe());
  }
  std::vector<Schedule> schedules;
  schedules.reserve(generators.size());
  for (const Generator& generator : generators) schedules.push_back(generator.schedule());
  return schedules;
}

std::vector<std::vector<std::vector<Held>>> held_after_steps(
    const Problem& problem, const std::vector<Schedule>& schedules) {
  const Steps steps = steps_of(schedules, match(schedules));
  std::vector<std::vector<std::vector<Held>>> held(
      steps.count + 1, std::vector<std::vector<Held>>(schedules.size()));
  std::vector<int> last(schedules.size(), 0);  // the last step that is filled in
  const auto fill_to = [&](Rank rank, int step) {
    for (; last[rank] < step; ++last[rank]) held[last[rank] + 1][rank] = held[last[rank]][rank];
  };
  SymbolicRun run(problem, &schedules, nullptr, {});
  run.on_round = [&](Rank rank, int round) {
    const int step = round < 0 ? 0 : steps.of_round[rank][round];
    fill_to(rank, step);
    held[step][rank] = held_by(run, rank);
  };
  run.run();
  for (Rank rank = 0; rank < problem.p; ++rank) fill_to(rank, steps.count);
  return held;
}

}  // namespace tutti::core
