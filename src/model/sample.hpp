#pragma once

#include <limits>
#include <vector>

#include "model/machine.hpp"

namespace tutti::core {

/// How closely an estimate looks.
enum class Care : std::uint8_t {
  quick,    // some ranks stand for those of equal place: what a program can wait for
  thorough  // so many nodes that trees are seen whole
};

/// Ranks whose schedules are looked at, and how many of their node each stands for.
struct Sample {
  struct Member {
    Rank rank = 0;
    double weight = 1;
    Schedule schedule;
  };
  std::vector<Member> members;
  std::vector<std::vector<std::size_t>> nodes;  // which of them live together
  std::vector<int> place;  // by rank: where it stands among the members; -1: it does not

  bool is_whole() const { return members.size() == place.size(); }
};

/// How large a sample is.
struct SampleSize {
  Care care = Care::thorough;
  bool is_whole = false;     // all ranks: links are shared by messages from everywhere
  bool is_compared = false;  // to another, of more or fewer ranks or pieces: both take the same
                             // places of the same nodes
  std::size_t most_nodes = std::numeric_limits<std::size_t>::max();
};

/// The root's node, the first, the last and one in the middle, then all others while the budget
/// lasts: trees have few messages and need all of their ranks, what is long is alike everywhere.
/// With less care a few stand for a node of many ranks with long schedules.
Sample sample_of(const Problem& problem, const Topology& topology, const Algorithm& algorithm,
                 const Parameters& parameters, const SampleSize& size);

/// One rank's schedule, where counts to learn are equal.
Schedule likely_schedule(const Problem& problem, const Algorithm& algorithm,
                         const Parameters& parameters, Rank rank);

}  // namespace tutti::core
