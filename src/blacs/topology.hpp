// Which algorithms a topology of BLACS asks for.

#pragma once

#include <optional>

namespace tutti::core::blacs {

/// What BLACS_SET says of trees and rings.
struct Shape {
  int branches = 1, rings = 1;
};

/// How a call is to run, by the topology that the program names. Numbers are those of
/// tutti_use_next(); 0: Tutti chooses.
struct BroadcastWay {
  int algorithm = 0;
};
struct CombineWay {
  /// For all: one allreduce, or a reduction to process 0 of the scope and a broadcast.
  bool one_step = true;
  int allreduce = 0, reduce = 0, broadcast = 0;
};

/// The algorithm of Tutti that sends as a topology says, in lower case, in a scope of p processes.
/// Null: Tutti has no such algorithm, or nobody knows the topology.
std::optional<BroadcastWay> broadcast_way(char topology, int p, Shape shape);
/// `destination`: -1 if all get the result.
std::optional<CombineWay> combine_way(char topology, int p, int destination, Shape shape);

}  // namespace tutti::core::blacs
