#pragma once

#include <optional>
#include <string>
#include <vector>

#include "request/request.hpp"

namespace tutti {

/// What to take from a size on, and what it took.
struct Decision {
  std::size_t from = 0;              // bytes, as every rank knows them; 0 where none does
  std::optional<Request> request{};  // none: the MPI's own
  double seconds = 0;
  bool measured = false;  // else predicted
};

/// The decisions for a collective on a topology, by size from 0 on.
struct DecisionRow {
  Collective collective = Collective::barrier;
  std::shared_ptr<const Topology> topology;
  std::vector<Decision> choices;
  Evenness blocks = Evenness::any;  // of these only

  bool covers(Collective of, const Topology& on, Evenness evenness) const;
  /// `allgatherv on 4x1, uneven blocks`
  std::string describe() const;
};

/// A machine's decision table. Where it says nothing the model chooses.
class Decisions {
 public:
  /// Throws std::invalid_argument if the row says nothing, is not in order, names what cannot run
  /// there, or contradicts one that is there already.
  void add(DecisionRow row);

  /// Null: it is not in the table. What it names may want a commutative operator.
  const Decision* find(Collective collective, const Topology& topology, std::size_t bytes,
                       Evenness blocks = Evenness::even) const;

  const std::vector<DecisionRow>& rows() const { return rows_; }

 private:
  std::vector<DecisionRow> rows_;
};

}  // namespace tutti
