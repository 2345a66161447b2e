#pragma once

#include <functional>
#include <utility>

#include "verify/definition.hpp"
#include "verify/symbolic.hpp"

namespace tutti::core {

/// Compares what ranks end with with the collective's definition, and with each other.
class Outcome {
 public:
  /// Told what is wrong; index is -1 where it has no meaning.
  using Report = std::function<void(Rank rank, long index, std::string message)>;

  /// Problem and expressions must outlive it.
  Outcome(const Problem& problem, Expressions& expressions, Report report)
      : problem_(problem), expressions_(expressions), report_(std::move(report)) {}

  /// To be called for all ranks in order. `before`: the output when the rank called; `entered`: for
  /// a barrier, who is known to have entered.
  void compare(Rank r, const Contents& output, const Contents& before,
               const std::vector<bool>& entered);

 private:
  void compare_pieces(Rank r, const Wanted& w, const std::vector<Piece>& pieces);
  std::string what_is_wrong(const Piece& piece, const Wanted& w, std::size_t index);

  const Problem& problem_;
  Expressions& expressions_;
  Report report_;
  std::vector<Piece> of_rank_0_;
  /// Expressions that are known to combine these ranks, first to last: all ranks may hold the same
  /// one.
  std::unordered_map<Expressions::Id, std::pair<Rank, Rank>> proved_;
};

}  // namespace tutti::core
