#pragma once

#include "algorithms/algorithm.hpp"
#include "schedule/group.hpp"

namespace tutti::core {

/// An algorithm of the registry as a step of a composition: whatever is registered composes
/// without being rewritten.
class Inner {
 public:
  /// The one that `parameters` name. `known`: which ranks share a node; may be none.
  Inner(Collective collective, const Parameters& parameters, const Topology* known);
  Inner(const Algorithm& algorithm, const Parameters& parameters, const Topology* known = nullptr)
      : algorithm_(&algorithm), parameters_(parameters), known_(known) {}

  /// Appends it for a group that this rank belongs to. Of `call` count, counts, root, in_place,
  /// commutative and element_bytes are read; its ranks are places in the group. The call's
  /// buffers stand in the slices given, piece after piece; its scratch is reserved anew.
  void operator()(Builder& b, const Group& g, Call call, const Slices& input,
                  const Slices& output) const;

 private:
  const Algorithm* algorithm_;
  Parameters parameters_;
  const Topology* known_;
};

/// `real` stretched to `count` elements for an algorithm with equal blocks: the padding reads what
/// is there anyway ...
Slices padded_source(const Slices& real, std::size_t count);
/// ... and what is written into the padding goes to waste.
Slices padded_target(Builder& b, const Slices& real, std::size_t count);

}  // namespace tutti::core
