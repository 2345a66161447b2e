#pragma once

#include <optional>
#include <string>
#include <vector>

#include "request/request.hpp"

namespace tutti::core {

/// `ring`, `knomial:radix=2`; without a request `native`.
std::string name_in_table(const std::optional<Request>& request);

/// What to take from a size on, and what it took.
struct Decision {
  std::size_t from = 0;              // bytes, as every rank knows them; 0 where none does
  std::optional<Request> request{};  // none: the MPI's own
  double seconds = 0;
  bool measured = false;  // else predicted
};

/// What candidates took at one size, the fastest first: `ring`, `knomial:radix=2`, `native`.
struct SizeMeasured {
  std::size_t bytes = 0;
  std::vector<std::pair<std::string, double>> seconds;
};

/// What a decision rests on at a size.
struct Ground {
  double seconds = 0;
  bool measured = false;             // else predicted
  const SizeMeasured* at = nullptr;  // null: the table does not tell of a size near it
  std::string next{};                // who was fastest of the others there; empty: nobody
  double next_seconds = 0;
};

/// The decisions for a collective on a topology, by size from 0 on.
struct DecisionRow {
  Collective collective = Collective::barrier;
  std::shared_ptr<const Topology> topology;
  std::vector<Decision> choices;
  Evenness blocks = Evenness::any;       // of these only
  std::vector<SizeMeasured> measured{};  // by size; may be left out

  bool is_for(Collective of, Evenness evenness) const;
  bool covers(Collective of, const Topology& on, Evenness evenness) const;
  /// `allgatherv on 4x1, uneven blocks`
  std::string describe() const;
  /// What to take for so many bytes.
  const Decision& choice_for(std::size_t bytes) const;
  /// What that rests on: the measured size nearest to these bytes, if it has the same choice.
  Ground ground_for(std::size_t bytes) const;
};

/// A machine's decision table. Where it says nothing the model chooses.
class Decisions {
 public:
  /// Throws std::invalid_argument if the row says nothing, is not in order, names what cannot run
  /// there, or contradicts one that is there already.
  void add(DecisionRow row);

  /// The topology's, or that of one with the same nodes but other domains. Null: it is not in the
  /// table. What its choices name may want a commutative operator.
  const DecisionRow* row(Collective collective, const Topology& topology,
                         Evenness blocks = Evenness::even) const;
  const Decision* find(Collective collective, const Topology& topology, std::size_t bytes,
                       Evenness blocks = Evenness::even) const;

  const std::vector<DecisionRow>& rows() const { return rows_; }

 private:
  std::vector<DecisionRow> rows_;
};

}  // namespace tutti::core
