#pragma once

#include <optional>
#include <vector>

#include "algorithms/claims.hpp"
#include "schedule/builder.hpp"
#include "schedule/problem.hpp"

namespace tutti::core {

/// What a composition hands to an algorithm between its groups' own rounds.
struct InnerProblem {
  Collective collective;
  /// The largest such problem, for the model's defaults and for what must be met.
  Problem (*of)(const Problem&, const Parameters&);
};

struct Parameter {
  ParameterKind kind;
  std::string_view meaning;
  std::size_t least = 1;
  /// The model's default, in words and as code; it sees what is given and the parameters before it.
  std::string_view default_text;
  std::size_t (*default_value)(const Problem&, const Rates&, const Parameters& known) = nullptr;
  /// Into how many pieces a value cuts the data; none if it does not.
  std::size_t (*pieces)(const Problem&, std::size_t value) = nullptr;
  /// The value is an algorithm, by name; the default the model's fastest.
  std::optional<InnerProblem> inner{};
  /// How a value is read and written where it is no plain number. Reading throws
  /// std::invalid_argument.
  std::size_t (*parse)(std::string_view text) = nullptr;
  std::string (*format)(std::size_t value) = nullptr;
  /// Why a value cannot solve the problem; empty if it can.
  std::string (*unmet)(const Problem&, std::size_t value) = nullptr;
  std::string_view name = name_of(kind);
};

/// More pieces than this, beside one for each rank, are refused: nobody could wait for them.
inline constexpr std::size_t most_pieces = std::size_t{1} << 20;

/// What an algorithm's file says of it, beside its generator.
struct Row {
  std::vector<Collective> collectives{};
  std::string_view name{};  // none: as the file is called
  std::string_view summary;
  Valid valid;
  Claim<int (*)(const Size&)> rounds;                 // communication rounds, equal blocks
  Claim<double (*)(const Size&, const Rates&)> cost;  // seconds, equal blocks
  Exact exact = Exact::everywhere;
  Claim<std::size_t (*)(const Problem&)> scratch;  // elements, at most, on any rank
  std::string_view source;
  bool learns = false;        // counts travel ahead of the data
  bool node_aware = false;    // a composition over nodes: taken only where they are known
  bool node_ordered = false;  // flat, but walks from node to node where they are known
  std::vector<Parameter> parameters{};
  void (*generate)(Builder&, const Call&, const Parameters&) = nullptr;
};

/// The rows of one file.
using Rows = std::vector<Row>;

}  // namespace tutti::core
