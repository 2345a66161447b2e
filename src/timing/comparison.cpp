// The MPI's own collectives and Tutti's algorithms side by side, cell by cell.

#include "timing/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "select/predict.hpp"
#include "timing/provenance.hpp"
#include "timing/simulated.hpp"

namespace tutti::core {
namespace {

/// In a simulation to compare takes no time, and to call once more takes long.
constexpr bool checks_while_timed = is_simulated;

/// Every call with fresh data, its result held against what is expected.
void check(Candidate& candidate, CellCall& cell_call, const std::vector<char>& expected,
           ResultRow& row) {
  candidate.prepare = [&cell_call] { cell_call.fill(); };
  candidate.call = [call = std::move(candidate.call), &cell_call, &expected, &row] {
    const int error = call();
    row.correct = row.correct && cell_call.result() == expected;
    return error;
  };
}

/// What Tutti takes when nobody asks; null: the MPI's own.
const Algorithm* chosen_for(CellCall& cell_call, const Cell& cell) {
  const std::string name = cell_call.chosen();
  for (const Algorithm* each : algorithms_of(cell.collective))
    if (each->name == name) return each;
  return nullptr;
}

}  // namespace

bool has_several_nodes(const Topology& topology) {
  return topology.nodes() > 1 && topology.largest() > 1;
}

CellBench::CellBench(MPI_Comm comm, Comparison how)
    : comm_(comm),
      how_(std::move(how)),
      topology_(topology_seen(comm)),
      memory_(comm, topology_),
      stopwatch_(comm) {
  PMPI_Comm_rank(comm, &rank_);
}

std::vector<Judgement> CellBench::judge(const Guideline& rule) {
  constexpr int looks = is_simulated ? 1 : 3;
  std::vector<Judgement> judgements;
  int doubtful = 1;
  for (int look = 0; look < looks && doubtful; ++look) {
    const std::vector<Judgement> found = look_at(rule);
    if (look == 0) judgements = found;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!found[i].is_violated()) judgements[i] = found[i];
    doubtful =
        std::any_of(judgements.begin(), judgements.end(), std::mem_fn(&Judgement::is_violated));
    PMPI_Bcast(&doubtful, 1, MPI_INT, 0, comm_);
  }
  return judgements;
}

std::vector<Judgement> CellBench::look_at(const Guideline& rule) {
  CellCall left(comm_, rule.left);
  std::vector<std::unique_ptr<CellCall>> right;
  for (const Cell& cell : rule.right) right.push_back(std::make_unique<CellCall>(comm_, cell));
  std::vector<Candidate> candidates;
  for (const auto& [who, calls] :
       {std::pair{"native", &native_calls()}, {"tutti", &tutti_calls()}}) {
    candidates.push_back({who, [&left, calls = calls] { return left.call(*calls); }, true,
                          [&left] { left.refresh(); }});
    candidates.push_back({who,
                          [&right, calls = calls] {
                            int error = MPI_SUCCESS;
                            for (const auto& each : right)
                              error = std::max(error, each->call(*calls));
                            return error;
                          },
                          true,
                          [&right] {
                            for (const auto& each : right) each->refresh();
                          }});
  }
  const auto samples = stopwatch_.measure(candidates, how_.effort, start_of(rule.left.collective));
  std::vector<Judgement> judgements;
  for (std::size_t i = 0; rank_ == 0 && i < candidates.size(); i += 2)
    judgements.push_back({rule, candidates[i].name, median_of(samples[i]),
                          median_of(samples[i + 1]),
                          median_of(ratios(samples[i], samples[i + 1]))});
  return judgements;
}

void CellBench::measure(CellResult& result) {
  const bool first = result.rows.empty();
  if (first) result.failure = memory_.lack_for_native(result.cell);
  if (!result.failure.empty()) return;
  CellCall cell_call(comm_, result.cell);
  std::vector<char> expected;
  std::vector<double> own;
  if (first && !find_rows(cell_call, result, expected, own)) return;
  std::vector<Candidate> candidates;
  std::vector<std::size_t> rows;
  for (std::size_t i = own.empty() ? 0 : 1; i < result.rows.size(); ++i) {
    const ResultRow& row = result.rows[i];
    if (!result.goes_on(row)) continue;
    rows.push_back(i);
    const bool is_native = i == 0, is_named = !is_native && row.taken.empty();
    candidates.push_back(candidate_for(cell_call, row.algorithm,
                                       is_named ? number_of(row.algorithm) : 0,
                                       is_native || row.chosen));
    if (checks_while_timed && first && !is_native)
      check(candidates.back(), cell_call, expected, result.rows[i]);
  }
  std::vector<std::vector<double>> samples, of_rows(result.rows.size());
  if (!candidates.empty())
    samples = stopwatch_.measure(candidates, how_.effort, start_of(result.cell.collective));
  if (checks_while_timed && first)
    for (ResultRow& row : result.rows) row.correct = all_agree(row.correct);
  of_rows.front() = std::move(own);
  for (std::size_t i = 0; i < rows.size(); ++i) of_rows[rows[i]] = std::move(samples[i]);
  result.add_pass(of_rows);
  result.evaluate();
}

bool CellBench::own_runs_once() const {
  return is_simulated && how_.passes == 1 &&
         (how_.effort.repetitions == 1 || (how_.as_chosen && !how_.regret));
}

std::vector<char> CellBench::run_own(CellCall& cell_call, Collective collective,
                                     std::vector<double>& seconds) {
  if (!own_runs_once()) return run_once(comm_, cell_call, native_calls(), 0);
  Candidate own = candidate_for(cell_call, "native", 0, true);
  own.prepare = [&cell_call] { cell_call.fill(); };
  Effort once = how_.effort;
  once.repetitions = 1;
  seconds = stopwatch_.measure({own}, once, start_of(collective)).front();
  return cell_call.result();
}

bool CellBench::find_rows(CellCall& cell_call, CellResult& result, std::vector<char>& expected,
                          std::vector<double>& own) {
  const Cell& cell = result.cell;
  const auto is_correct = [&](int number) {
    return checks_while_timed ||
           all_agree(run_once(comm_, cell_call, tutti_calls(), number) == expected);
  };
  try {
    expected = run_own(cell_call, cell.collective, own);
  } catch (const std::runtime_error& error) {
    result.failure = fmt::format("the MPI's own fails: {}", error.what());
    return false;
  }
  result.rows.push_back({.algorithm = "native"});
  const bool native_alone =
      !how_.flat && !how_.node_aware && how_.algorithms.empty() && !how_.as_chosen;
  const Algorithm* const chosen = native_alone ? nullptr : chosen_for(cell_call, cell);
  Problem problem = cell.problem();
  problem.topology = topology_;
  if (how_.as_chosen) {
    ResultRow row{.algorithm = "chosen", .chosen = true};
    row.taken = chosen == nullptr ? "native" : chosen->full_name();
    row.correct = is_correct(0);
    result.rows.push_back(std::move(row));
  }
  for (const std::string& text : names_for(problem, cell, chosen)) {
    const Request request = parse_request(text);
    ResultRow row{.algorithm = text, .unmet = unmet(request, problem)};
    if (row.unmet.empty()) row.unmet = memory_.lack_for(*request.algorithm, cell);
    row.chosen = !how_.as_chosen && request.algorithm == chosen && request.parameters.empty();
    if (row.unmet.empty()) row.correct = is_correct(number_of(text));
    result.rows.push_back(std::move(row));
  }
  return true;
}

std::string CellBench::unmet(const Request& request, const Problem& problem) const {
  std::string why = request.algorithm->unmet(problem, request.parameters);
  try {
    if (why.empty()) request.algorithm->resolve(problem, how_.line, request.parameters);
  } catch (const std::invalid_argument& error) {
    why = fmt::format("cannot run: {}", error.what());
  }
  return why;
}

std::vector<std::string> CellBench::names_for(const Problem& problem, const Cell& cell,
                                              const Algorithm* chosen) const {
  std::vector<std::string> names;
  if (how_.flat) {
    const auto predictions =
        predict(cell.collective, cell.p, cell.bytes, how_.line, true, cell.root);
    for (const Prediction& each : predictions)
      if (each.valid() && (how_.within == 0 || cell.distribution != Distribution::regular ||
                           each.seconds <= how_.within * predictions.front().seconds))
        names.push_back(each.algorithm->full_name());
  }
  if (how_.node_aware && has_several_nodes(*topology_))
    for (const Algorithm* each : algorithms_of(cell.collective))
      if (each->node_aware && each->unmet(problem).empty()) names.push_back(each->full_name());
  const auto add = [&](const std::string& text) {
    if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
  };
  if (how_.within > 0 && chosen != nullptr) add(chosen->full_name());
  for (const std::string& text : how_.algorithms)
    if (parse_request(text).algorithm->collective == cell.collective) add(text);
  return names;
}

bool CellBench::all_agree(bool mine) const {
  int yes = mine, all = 0;
  PMPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, comm_);
  return all != 0;
}

}  // namespace tutti::core
