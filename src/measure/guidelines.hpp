#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "measure/grid.hpp"
#include "measure/statistics.hpp"

namespace tutti::core {

/// A rule of self-consistency: a collective may not take longer than others that do its work too.
/// The idea, and most rules, are those of Träff, Gropp and Thakur, "Self-consistent MPI performance
/// guidelines" (2010).
struct Guideline {
  Cell left;
  std::vector<Cell> right;  // one after the other

  /// `allreduce <= reduce + bcast`, or `bcast 1K <= bcast 4K`
  std::string describe() const;
};

/// The rules for p ranks at these sizes. Where two sizes follow each other, more bytes must not be
/// faster.
std::vector<Guideline> guidelines(int p, const std::vector<std::size_t>& sizes);

/// How a rule fared with one implementation.
struct Judgement {
  Guideline rule;
  std::string who;  // native or tutti
  Median left{}, right{};
  Median factor{};  // left over right, taken side by side

  /// Beyond noise, and by more than a person would care about.
  bool is_violated() const { return factor.low > 1 && factor.value > 1.05; }
};

nlohmann::ordered_json json_of(const Judgement& judgement);
/// A line of the table.
std::string table_line(const Judgement& judgement);

}  // namespace tutti::core
