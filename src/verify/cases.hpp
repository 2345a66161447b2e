#pragma once

#include "algorithms/registry.hpp"

namespace tutti::core {

/// One thing to prove.
struct Case {
  Problem problem;
  Parameters parameters;
};

/// What must hold of an algorithm at p before it counts as proved: every root up to p = 16 and some
/// above; vectors that do not divide, of one element and of none; unequal and empty blocks; in
/// place on no, all and some ranks; operators that do not commute unless it needs one that does;
/// several values of its parameters, or those `given`. Empty if the algorithm is not valid at p.
/// Where ranks live matters to some: those are proved on several topologies, each case with a root
/// and parameters drawn, the same every time; or on the one `topology`, with all of them.
std::vector<Case> proof_cases(const Algorithm& algorithm, int p, const Parameters& given = {},
                              const std::shared_ptr<const Topology>& topology = nullptr);

/// The meshes of p ranks: all factorisations in every order, and for few ranks those with a
/// dimension of 1. An algorithm over meshes is proved on all of them, those up to 8x8 with every
/// root; with each number of long dimensions; with in place, other sizes and other roots drawn.
std::vector<std::vector<int>> proof_shapes(int p);

/// Ranks one node after the other, dealt out in turn and at random, on nodes equal and unequal, on
/// one node and on a node each.
std::vector<std::shared_ptr<const Topology>> proof_topologies(int p);

/// A few of them, for p in the hundreds and thousands.
std::vector<Case> proof_cases_large(const Algorithm& algorithm, int p,
                                    const Parameters& given = {});

}  // namespace tutti::core
