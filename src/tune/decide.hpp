#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "measure/cutoffs.hpp"
#include "measure/elimination.hpp"
#include "model/decisions.hpp"
#include "tune/ranking.hpp"

namespace tutti::core {

struct DecideOptions {
  double budget = 20;                     // seconds to measure; a simulation takes its time
  bool exhaustive = false;                // every candidate at every size, whatever time it takes
  std::vector<Collective> collectives{};  // empty: all
  std::vector<std::size_t> sizes{};       // in rising order; empty: 8 bytes to 16 MB
  /// On rank 0, now and then: how much is done, and what comes next.
  std::function<void(double share, const std::string& what)> progress{};
};

/// What came out; all but the first on rank 0 only.
struct Decided {
  /// A size at which another than the model's choice is faster beyond noise.
  struct Change {
    Collective collective;
    std::size_t bytes;
    std::string model, chosen;
    double gain;  // its time over the other's
  };
  bool interrupted = false;  // and nothing was decided
  std::string topology{};
  std::size_t sizes = 0;       // of all collectives, refined ones, too
  std::size_t measured = 0;    // of those
  std::size_t candidates = 0;  // measured, at all of them
  double ranking = 0, seconds = 0;
  std::vector<Change> changes{};
};

/// Those who measure together, as the one who decides sees them.
class Team {
 public:
  virtual ~Team() = default;
  /// The samples of each of these, geometric means over the cells. The first time of these cells
  /// the MPI's own is tried: it has none if it fails. None has any if there is no room.
  virtual std::vector<std::vector<double>> measure(const std::vector<Cell>& cells,
                                                   const std::vector<std::string>& names,
                                                   int repetitions, bool first_time) = 0;
  /// On a clock.
  virtual double seconds() const = 0;
  virtual bool is_interrupted() const = 0;
  virtual Noise noise() const = 0;
};

/// Decides who is measured, how often, and what follows from it.
class Decider {
 public:
  /// `spent`: seconds of the budget.
  Decider(Team& team, const Ranking& ranking, const DecideOptions& options, int p, double spent)
      : team_(team),
        noise_(team.noise()),
        ranking_(ranking),
        options_(options),
        p_(p),
        begin_(team.seconds() - spent) {}

  /// The rows of the table, on this topology. Cases that were ranked; they are measured, and get
  /// company where the choice changes.
  std::vector<DecisionRow> decide(std::vector<DecisionCase>& cases,
                                  const std::shared_ptr<const Topology>& topology, Decided& report);

 private:
  double elapsed() const { return team_.seconds() - begin_; }
  void say(double share, const DecisionCase& next) const;
  void say_next(const DecisionCase& next, std::size_t steps, bool unlimited);
  /// What calls of all who are in the race take, by what is known.
  double cost(const DecisionCase& one, int repetitions) const;
  ModelError error_of(const DecisionCase& one) const;
  /// Within the model's error, cheap, or without a prediction; later those who were there at first,
  /// since times are compared call by call.
  std::vector<std::size_t> in_race(const DecisionCase& one) const;
  /// Passes over all cases, the cheap ones first. All cells get the same share of the time, unless
  /// they need less; who needs more than that for one call of each waits for what is left.
  void run(std::vector<DecisionCase>& cases, double share);
  void run_the_rest(std::vector<DecisionCase*>& order, double end, bool unlimited);
  void sort_by_cost(std::vector<DecisionCase*>& order) const;
  void measure(DecisionCase& one, int repetitions);
  /// Sizes between those where the choice changes, with what is taken on both sides.
  void refine(std::vector<DecisionCase>& cases);
  /// What is taken at each size of a collective.
  std::vector<SizeChoice> choices(const std::vector<const DecisionCase*>& sizes,
                                  Decided* report) const;

  Team& team_;
  const Noise noise_;
  const Ranking& ranking_;
  const DecideOptions& options_;
  const int p_;
  const double begin_;
  std::map<std::pair<Collective, Evenness>, ModelError> errors_;  // by row of the table
  double spent_ = 0, planned_ = 0, slower_ = 1;  // what measuring took, over what was predicted
  std::size_t done_ = 0;
};

}  // namespace tutti::core
