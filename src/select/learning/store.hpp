#pragma once

#include <span>

#include "model/profile.hpp"

namespace tutti::core {

/// What a program learned: the best of those who took turns.
struct Learned {
  Collective collective = Collective::barrier;
  std::shared_ptr<const Topology> topology;
  int size_class = -1;             // bytes <= 2^size_class, above half of that; -1: not known alike
  std::optional<Request> request;  // none: the MPI's own
  double seconds = 0;
  Evenness blocks = Evenness::any;
  bool of_inexact = false;  // floats: only those whose results are equal took turns
};

/// Adds what was learned to a profile's decisions, in place of what they said of the same sizes.
/// Only what is measured there was learned: decisions between are there because a table has no
/// gaps.
void add_learned(Profile& profile, std::span<const Learned> learned);

/// A profile of what was learned: its decisions count where they are measured, and elsewhere
/// nothing is decided.
inline constexpr std::string_view learned_name = "learned";
bool is_learned(const Profile& profile);

/// Nobody has found out how long messages take between nodes, or within them: what is stored of one
/// node tells nothing of the network.
bool has_default_network(const Profile& profile);
bool has_default_nodes(const Profile& profile);

}  // namespace tutti::core
