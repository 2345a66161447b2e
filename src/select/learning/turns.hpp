#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "select/choose.hpp"
#include "select/learning/learner.hpp"

namespace tutti::core {

/// How far results depend on the order in which a reduction combines.
enum class Elements : std::uint8_t {
  exact,    // not at all: integers, and data that is only moved
  inexact,  // floats: a op b is b op a, but no more
  program,  // an operator of the program's: it may not even be that
};

/// Calls of a communicator that learn together: what is known of them alike on all ranks.
struct LearningKey {
  Collective collective = Collective::barrier;
  int size_class = -1;
  bool commutative = true;
  Elements elements = Elements::exact;
  Evenness blocks = Evenness::any;

  auto operator<=>(const LearningKey&) const = default;
};

/// Who takes turns in such calls.
struct Learning {
  explicit Learning(std::vector<Request> those, double within = Learner::tie)
      : candidates(std::move(those)), learner(candidates.size(), within) {}

  /// Of those who took turns elsewhere: what came out there.
  Learning(std::vector<Request> those, const Learner::Outcome& outcome)
      : candidates(std::move(those)), learner(outcome) {}

  Collective collective = Collective::barrier;
  std::vector<Request> candidates;  // without an algorithm: the MPI's own
  Learner learner;
  bool compares = false;  // only those whose results are the first one's to the last bit run
  bool swaps = false;     // a op b is b op a

  /// Why candidates run: `learning: takes turns with ring, native`, or `learned: 12.1 us before
  /// ring 15.3, native 18`, or `learned: 12.1 us, no other than ring 12, before native 18` where
  /// some cannot be told apart.
  std::string why(std::size_t candidate) const;
};

/// What decides how calls learn; `elements`: what they combine, if they do.
LearningKey learning_key(const Call& call, Elements elements);

/// Who takes turns in calls like this one: what choose() says first, then the model's next, and the
/// MPI's own. Only one, or nobody: there is nothing to be learned, the profile decides, say.
/// `any`: reductions of inexact elements, too, may give another result from call to call; else only
/// those take turns that give the same one to the last bit.
Learning who_takes_turns(const Call& call, Elements elements, bool any, const Profile& profile,
                         int cores, KeptChoices* kept = nullptr);

/// What came out, for ranks that live alike; and what such ranks make of it in calls of that kind.
std::string format_learned(const Learning& learning);
Learning parse_learned(const std::string& text, const LearningKey& key, bool any);

/// A candidate for a call, or what stands in for it if it cannot run this one.
Choice choose_learning(const Call& call, const Learning& learning, std::size_t candidate,
                       const Profile& profile, int cores, KeptChoices* kept = nullptr);

}  // namespace tutti::core
