#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/builder.hpp"
#include "schedule/group.hpp"
#include "schedule/problem.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

/// The letters of the papers: seconds per message and seconds per byte. alpha and beta when a rank
/// sends and receives at once, alpha_uni and beta_uni when it does only one; gamma per byte
/// reduced.
struct Rates {
  double alpha = 0, beta = 0, gamma = 0, alpha_uni = 0, beta_uni = 0;
  /// Until a rank may post its next message while the last one is under way; 0: not before that one
  /// has arrived.
  double post = 0;

  bool operator==(const Rates&) const = default;
};

/// Parameters of an algorithm by name (segment in bytes, radix, blocks). Of `inner`, an algorithm:
/// its place in algorithms_of; `inner.segment` is that algorithm's own segment. Of `shape`, see
/// shape.hpp.
using Parameters = std::map<std::string, std::size_t, std::less<>>;

/// What a claim is about: p ranks, n bytes in all (equal blocks), the resolved parameters.
struct Size {
  int p = 1;
  double n = 0;
  Rank root = 0;
  bool commutative = true;
  Parameters parameters;

  /// ceil(lg p)
  int q() const;
  /// Throws std::invalid_argument if there is none of that name.
  double parameter(std::string_view name) const;
};

/// A claim as a person reads it and as code; a test holds both against the schedules.
template <class Function>
struct Claim {
  std::string_view text;
  Function value;
};

struct Valid {
  /// What combines node by node keeps rank order only where each node's ranks are consecutive.
  enum class Nodes : std::uint8_t { any, consecutive_unless_commutative, consecutive };

  bool power_of_two = false;
  bool commutative = false;
  Nodes nodes = Nodes::any;

  /// Why the problem cannot be solved; empty if it can. Without a topology all ranks share a node.
  std::string unmet(int p, bool commutative_operator, const Topology* topology = nullptr) const;
};

/// Where a closed form equals the replay, given equal blocks and segments that divide the data;
/// elsewhere it is an upper bound, for a few bytes on many ranks a rough one. one_cost: where an
/// exchange costs what a message one way does. topology: there is no closed form, the replay tells.
enum class Exact : std::uint8_t { everywhere, powers_of_two, one_cost, topology };

/// What a composition hands to an algorithm between its groups' own rounds.
struct InnerProblem {
  Collective collective;
  /// The largest such problem, for the model's defaults and for what must be met.
  Problem (*of)(const Problem&, const Parameters&);
};

struct Parameter {
  std::string_view name;
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
};

/// More pieces than this, beside one for each rank, are refused: nobody could wait for them.
inline constexpr std::size_t most_pieces = std::size_t{1} << 20;

struct Algorithm {
  Collective collective = Collective::barrier;
  std::string_view name;
  std::string_view summary;
  Valid valid;
  Claim<int (*)(const Size&)> rounds;                 // communication rounds, equal blocks
  Claim<double (*)(const Size&, const Rates&)> cost;  // seconds, equal blocks
  Exact exact = Exact::everywhere;
  Claim<std::size_t (*)(const Problem&)> scratch;  // elements, at most, on any rank
  std::string_view source;
  std::string_view file;      // under src/algorithms
  bool learns = false;        // counts travel ahead of the data
  bool node_aware = false;    // a composition over nodes: taken only where they are known
  bool node_ordered = false;  // flat, but walks from node to node where they are known
  std::vector<Parameter> parameters{};
  void (*generate)(Builder&, const Call&, const Parameters&) = nullptr;

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
  bool may_be_inner() const { return !node_aware && !learns; }
  /// The parameter that is an algorithm; none if there is none.
  const Parameter* inner() const;
};

/// The single table, in the order of the catalogue.
const std::vector<Algorithm>& registry();

/// All algorithms of one collective, in the order of the table.
std::vector<const Algorithm*> algorithms_of(Collective collective);

/// The algorithm that a parameter's value stands for. Throws std::invalid_argument if there is
/// none.
const Algorithm& inner_algorithm(Collective collective, std::size_t value);

/// How names of an inner algorithm's parameters begin.
inline constexpr std::string_view inner_prefix = "inner.";

/// The parameters of the inner algorithm, without that prefix.
Parameters inner_parameters(const Parameters& parameters);

/// Generates one rank's schedule, stage by stage.
class Generator {
 public:
  Generator(const Algorithm& algorithm, const Call& call, const Parameters& parameters);

  const Schedule& schedule() const { return builder_.schedule(); }
  bool finished() const { return !builder_.waits_to_learn(); }
  /// Hands over the counts the last stage learned; the next stage is appended.
  void resume(std::span<const std::size_t> learned) { builder_.resume(learned); }

 private:
  Builder builder_;
};

}  // namespace tutti::core
