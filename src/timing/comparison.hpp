#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/guidelines.hpp"
#include "measure/results.hpp"
#include "request/request.hpp"
#include "timing/memory_limit.hpp"
#include "timing/trial.hpp"

namespace tutti::core {

/// Who is measured beside the MPI's own, and how.
struct Comparison {
  std::vector<std::string> algorithms{};  // by name
  bool flat = true, node_aware = true;    // beside those named, all of this kind
  double within = 0;       // of them who is predicted to take no more than so many times the best
  bool regret = false;     // the best is found on one half and scored on the other
  bool as_chosen = false;  // what is chosen has a row of its own
  Rates line{};            // for predictions
  Effort effort{};
  std::optional<Stopwatch::Start> start{};  // none: as is usual
  std::size_t passes = 1;
};

/// Elsewhere a composition over nodes is a flat algorithm with detours.
bool has_several_nodes(const Topology& topology);

/// Measures cells and rules on one communicator. All its ranks do the same.
class CellBench {
 public:
  CellBench(MPI_Comm comm, Comparison how);

  /// New buffers, every candidate that is not hopeless. The first pass finds out which there are,
  /// and whether they are right. Every rank knows the same of the result.
  void measure(CellResult& result);
  /// Of many rules that hold some seem violated, by intervals of 95 %: those are measured again
  /// with other buffers, and count if they are violated each time. Known on rank 0.
  std::vector<Judgement> judge(const Guideline& rule);

 private:
  Stopwatch::Start start_of(Collective collective) const {
    return how_.start.value_or(usual_start(collective));
  }
  /// What both sides of a rule take, the MPI's own and Tutti's; known on rank 0.
  std::vector<Judgement> look_at(const Guideline& rule);
  /// It takes as long every time, too, so that the MPI's own runs once; but regret of several
  /// samples has two halves.
  bool own_runs_once() const;
  /// What the MPI's own gives; timed, if it is to run only once.
  std::vector<char> run_own(CellCall& cell_call, Collective collective,
                            std::vector<double>& seconds);
  /// The MPI's own, what it gives and its time, and Tutti's algorithms with their results held
  /// against it; false if the MPI's own fails: not ours to mend, and no reason to lose the rest.
  bool find_rows(CellCall& cell_call, CellResult& result, std::vector<char>& expected,
                 std::vector<double>& own);
  /// Why an algorithm cannot run, or not with these parameters; empty if it can.
  std::string unmet(const Request& request, const Problem& problem) const;
  /// Of all algorithms those that can run; whichever is named.
  std::vector<std::string> names_for(const Problem& problem, const Cell& cell,
                                     const Algorithm* chosen) const;
  bool all_agree(bool mine) const;

  const MPI_Comm comm_;
  const Comparison how_;
  const std::shared_ptr<const Topology> topology_;
  const MemoryLimit memory_;
  Stopwatch stopwatch_;
  int rank_ = 0;
};

}  // namespace tutti::core
