#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/profile.hpp"
#include "select/predict.hpp"

namespace tutti::core {

/// What every rank knows of the call's size: all bytes, where MPI demands that they be equal
/// everywhere; nothing, where only each pair of ranks need agree, or where there are none.
std::optional<std::size_t> common_bytes(const Call& call);

/// What all ranks know alike of a call: a choice depends on nothing else.
struct Known {
  Problem problem;                     // as guessed, where sizes are not known alike
  std::optional<std::size_t> bytes{};  // in all, if they are
  Evenness blocks = Evenness::any;
  Work work = Work::sum_double;
};
Known known_of(const Call& call);
/// Of a problem that nobody calls. `bytes`: in all, if elements are a few more.
Known known_of(Problem problem, std::optional<std::size_t> bytes = {});
/// What combining costs by where nobody names the operator: one that does not commute is the
/// program's own.
Work usual_work(bool commutative);

/// What the model is asked in a call's place. Of many ranks, and where messages are followed over
/// the links of a mesh, an answer takes long: there it is one call for all of a class, the largest,
/// from the first rank, so that the answer does not depend on which one came first. Elsewhere the
/// call itself, or, if it is estimated, one that is larger by less than a fourth.
Known stand_in(const Known& known, const Machine& machine);

/// How closely the model is asked while a program waits for the answer.
inline constexpr Care care_of_programs = Care::quick;

/// An algorithm for a call, the same on every rank, and what that rests on.
struct Choice {
  enum class By : std::uint8_t { name, profile, model, learning };

  const Algorithm* algorithm = nullptr;  // null: the MPI's own
  Parameters parameters{};
  By by = By::model;
  std::optional<std::size_t> bytes{};     // that all ranks know
  const DecisionRow* row = nullptr;       // of the profile that chose, and must outlive this
  const Algorithm* refused = nullptr;     // what the profile names, but cannot run
  std::string unmet{};                    // why it cannot
  std::vector<Prediction> predictions{};  // where the model chose: the fastest first

  /// By name or by the profile: there is nothing to learn.
  bool is_decided() const { return by == By::name || by == By::profile; }
  /// What the profile's row says for this size.
  Ground ground() const { return row->ground_for(bytes.value_or(0)); }
};

class KeptChoices;

/// The profile's table says what such calls of ranks that live there take.
bool is_decided(const Call& call, const Topology& topology, const Profile& profile);

/// `asked`: what was asked for by name, and can run; null: nothing. `profile`: of a machine with
/// nodes (with_nodes). `cores`: how many the ranks of a node share, the same on every rank, where
/// the profile does not tell; 0: one for each. `kept`: of the same profile; what the model has
/// estimated before is not computed again.
Choice choose(const Known& known, const Request* asked, const Profile& profile, int cores,
              KeptChoices* kept = nullptr);

/// What a prediction's algorithm takes in a call.
Parameters parameters_of(const Prediction& prediction, const Problem& problem,
                         const Machine& machine);

/// Why it was chosen, in few words: `model: predicted 31 us at 512, before ring 40`. What was
/// learned says so itself (learning/turns.hpp).
std::string why(const Choice& choice);

/// A line that says why what was asked for by name cannot run in a call; empty if it can.
std::string refusal(const Known& known, const Request& asked);

}  // namespace tutti::core
