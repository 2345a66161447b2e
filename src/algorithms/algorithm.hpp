#pragma once

#include "algorithms/row.hpp"

namespace tutti::core {

/// A row, as one collective has it.
struct Algorithm : Row {
  Collective collective = Collective::barrier;
  std::string_view file{};  // under src/algorithms

  /// `any p, any operator`
  std::string valid_text() const;
  /// `allgather/ring`
  std::string full_name() const;
  /// The closed form; without data nothing is sent but a barrier's messages and counts to learn.
  /// Infinite where there is none.
  double seconds(const Size& size, const Rates& rates) const;
  /// It cuts the data: a rank sends one piece after the other, each when the last one is answered.
  bool is_pipelined() const;
  /// What messages of one round save by being under way at the same time, where the rates tell how
  /// long it takes to post one. Closed forms count them one after the other.
  double overlapped(const Size& size, const Rates& rates) const;
  /// Why the problem cannot be solved with the parameters given; empty if it can.
  std::string unmet(const Problem& problem, const Parameters& given = {}) const;
  /// What is given, checked, and the model's defaults for the rest. Throws std::invalid_argument.
  Parameters resolve(const Problem& problem, const Rates& rates,
                     const Parameters& given = {}) const;
  bool may_be_inner() const { return !learns; }
  bool has(ParameterKind kind) const;
  /// Another may be inner of this one. One over nodes is that only of leaders of domains, who know
  /// which of them share a node.
  bool may_use(const Algorithm& other) const {
    return other.may_be_inner() && (!other.node_aware || has(ParameterKind::leaders));
  }
  /// The parameter that is an algorithm; none if there is none.
  const Parameter* inner() const;
};

/// How names of an inner algorithm's parameters begin.
inline constexpr std::string_view inner_prefix = "inner.";

/// The parameters of the inner algorithm, without that prefix.
Parameters inner_parameters(const Parameters& parameters);

/// Generates one rank's schedule, stage by stage.
class Generator {
 public:
  Generator(const Algorithm& algorithm, const Call& call, const Parameters& parameters);

  const Schedule& schedule() const { return builder_.schedule(); }
  Schedule take() { return builder_.take(); }
  bool finished() const { return !builder_.waits_to_learn(); }
  /// Hands over the counts the last stage learned; the next stage is appended.
  void resume(std::span<const std::size_t> learned) { builder_.resume(learned); }

 private:
  Builder builder_;
};

}  // namespace tutti::core
