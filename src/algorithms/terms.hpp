#pragma once

#include "algorithms/asked.hpp"
#include "algorithms/cost/cost.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/row.hpp"

/// The words in which rows state their claims.
namespace tutti::core::terms {

// The papers' letters, short, for closed forms; K is what is known of the other parameters.
using S = const Size&;
using R = const Rates&;
using K = const Parameters&;

inline constexpr Valid any{};
inline constexpr Valid commutative{.commutative = true};
inline constexpr Valid power_of_two{.power_of_two = true};

/// (p-1)/p
inline double share(S s) { return (s.p - 1.0) / s.p; }
/// Of messages, counted by a closed form.
int rounds(double messages);
inline bool exact_p(S s) { return is_power_of_two(s.p); }
/// The 2^floor(lg p) ranks that go on after folding, and their logarithm.
inline double kept(S s) { return power_of_two_below(s.p); }
inline double lg_kept(S s) { return floor_log2(s.p); }

double segments(S s);
double blocks(S s);
int radix_of(S s);
/// ceil(log p), to the base radix.
int levels_of(S s);

// Closed forms of several algorithms.

/// (p-1) alpha_uni + (p-1)/p n beta_uni
double linear_to_root(S s, R r);
double binomial_to_root(S s, R r);
/// (p-1) alpha + (p-1)/p n beta
double all_to_each(S s, R r);
/// q alpha + (p-1)/p n beta
double in_q_rounds(S s, R r);
/// (p-1) alpha + (p-1)/p n (beta + gamma)
double combine_from_each(S s, R r);
/// 2(p-1) alpha + (p-1)/p n (2 beta + gamma)
double twice_round(S s, R r);
/// Rounds of recursive doubling with the logarithmic correction for other p.
int doubling_rounds(S s);

// Scratch, in elements.
std::size_t none(const Problem& problem);
std::size_t vector(const Problem& problem);
std::size_t if_in_place(const Problem& problem, std::size_t elements);
std::size_t vector_in_place(const Problem& problem);
std::size_t largest_block(const Problem& problem);
/// The most that any rank but the root keeps for those below it in a binomial tree, with `header`
/// bytes for each rank of its subtree.
std::size_t subtree(const Problem& problem, std::size_t header);
/// Without a header.
std::size_t blocks_of_subtree(const Problem& problem);

/// What passes through a rank other than the root of a scatter or gather, over any mesh: most of it
/// along the first dimension.
std::size_t passing(const Problem& problem);

}  // namespace tutti::core::terms
