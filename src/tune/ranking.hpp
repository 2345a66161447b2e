#pragma once

#include <memory>
#include <string>
#include <vector>

#include "measure/elimination.hpp"
#include "measure/grid.hpp"
#include "model/machine.hpp"
#include "request/request.hpp"
#include "select/candidates.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

/// What the MPI's own is called among contenders.
inline const std::string native_name = "native";

/// One decision: a collective at a size, judged by one cell or by the geometric mean over several.
struct DecisionCase {
  Collective collective = Collective::barrier;
  std::size_t bytes = 0;
  std::vector<Cell> cells{};
  std::vector<Contender> contenders{};
  double best_predicted = 0;  // of the cells, geometric mean
  double mean = 1;  // of the model's choice: the arithmetic mean over the cells, over the geometric
  bool refined = false;
  Evenness blocks = Evenness::any;

  bool is_measured() const {
    return std::any_of(contenders.begin(), contenders.end(),
                       [](const Contender& each) { return !each.seconds.empty(); });
  }
};

DecisionCase case_of(Collective collective, int p, std::size_t bytes, Evenness blocks);
/// Every collective and size that a table is to hold; of those that are empty all.
std::vector<DecisionCase> all_cases(std::vector<Collective> collectives,
                                    std::vector<std::size_t> sizes, int p);

/// What the model says of cases. Any rank can ask it.
class Ranking {
 public:
  Ranking(const Machine& machine, std::shared_ptr<const Topology> topology, bool exhaustive)
      : machine_(machine), topology_(std::move(topology)), exhaustive_(exhaustive) {}

  /// Fills in the contenders: the model's choice first, then the others by predicted time, the
  /// MPI's own last.
  void rank(DecisionCase& one) const;
  /// These, if they can run, and the model's choice.
  void rank(DecisionCase& one, const std::vector<std::string>& names) const;
  /// With the parameters that it will have: the library would take those of an older profile, or of
  /// its first guess.
  std::string in_full(const std::string& name, const Cell& cell) const;

 private:
  Problem on_topology(Problem problem) const;
  std::vector<Prediction> found(const Problem& problem) const;
  void add(DecisionCase& one, const Request& request, const std::vector<Problem>& problems,
           bool is_first_choice) const;

  const Machine machine_;
  const std::shared_ptr<const Topology> topology_;
  const bool exhaustive_;
};

}  // namespace tutti::core
