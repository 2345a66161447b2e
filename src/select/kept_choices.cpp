// What the model took, kept for whoever asks again.

#include "select/kept_choices.hpp"

#include <algorithm>

namespace tutti::core {

namespace {

constexpr std::size_t most_kept = 256;

/// Ranks live alike if they share nodes alike, whoever they are.
bool live_alike(const Topology* a, const Topology* b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

bool are_same(const Known& known, const Known& other) {
  const Problem &a = known.problem, &b = other.problem;
  return a.collective == b.collective && a.p == b.p && a.root == b.root && a.count == b.count &&
         a.element_bytes == b.element_bytes && a.commutative == b.commutative &&
         known.bytes == other.bytes && known.blocks == other.blocks && known.work == other.work &&
         a.counts == b.counts && live_alike(a.topology.get(), b.topology.get());
}

}  // namespace

Choice KeptChoices::find_or_make(const Known& known, int cores,
                                 const std::function<Choice()>& make) {
  const std::scoped_lock lock(mutex_);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& each) {
    return each.cores == cores && are_same(each.known, known);
  });
  if (found != kept_.end()) return found->choice;
  if (kept_.size() == most_kept) kept_.pop_front();
  return kept_.emplace_back(known, cores, make()).choice;
}

}  // namespace tutti::core
