#pragma once

#include "api/learning.hpp"
#include "model/profile.hpp"

namespace tutti::core {

/// What every rank knows of the call's size: all bytes, where MPI demands that they be equal
/// everywhere; nothing, where only each pair of ranks need agree, or where there are none.
std::optional<std::size_t> common_bytes(const Call& call);

/// The machine of a profile, that combines so. `cores`: how many the ranks of a node share, if the
/// profile does not tell; 0: one for each.
Machine machine_of(const Profile& profile, int cores, Work work = Work::sum_double);

/// An algorithm for a call, the same on every rank.
struct Choice {
  const Algorithm* algorithm = nullptr;  // null: the MPI's own
  Parameters parameters;
  std::string why;
  bool decided = false;  // by name or by the profile: there is nothing to learn
};

/// `request`: what was asked for by name (requests.hpp). `profile`: of a machine with nodes.
/// `cores`: how many the ranks of a node share, the same on every rank; 0: one for each. Throws
/// std::runtime_error with a line that names the call and the unmet condition if what was asked for
/// cannot run.
Choice choose(const Call& call, int request, const Profile& profile, int cores);

/// What decides how calls learn; `elements`: what they combine, if they do.
LearningKey learning_key(const Call& call, Elements elements);

/// Who takes turns in calls like this one: what choose() says first, then the model's next, and the
/// MPI's own. Only one, or nobody: there is nothing to be learned, the profile decides, say.
/// `any`: reductions of inexact elements, too, may give another result from call to call; else only
/// those take turns that give the same one to the last bit.
Learning who_takes_turns(const Call& call, Elements elements, bool any, const Profile& profile,
                         int cores);

/// A candidate for a call, or what stands in for it if it cannot run this one.
Choice choose_learning(const Call& call, const Learning& learning, std::size_t candidate,
                       const Profile& profile, int cores);

}  // namespace tutti::core
