// What ranks end with, compared with the definition.

#include "verify/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::core {

void Outcome::compare(Rank r, const Contents& output, const Contents& before,
                      const std::vector<bool>& entered) {
  const auto must_be_as_before = [&](std::size_t from, std::size_t to) {
    if (from >= to) return;
    std::vector<Piece> is, was;
    output.read(from, to - from, is);
    before.read(from, to - from, was);
    if (is == was) return;
    report_(r, static_cast<long>(from), "touches a part of the output that is not its business");
  };
  std::vector<Piece> pieces;
  std::size_t end = 0;
  for (const Wanted& w : wanted(problem_, r)) {
    must_be_as_before(end, w.where.offset);
    end = w.where.end();
    pieces.clear();
    output.read(w.where.offset, w.where.count, pieces);
    compare_pieces(r, w, pieces);
  }
  must_be_as_before(end, problem_.output_count(r));
  for (Rank i = 0; i < static_cast<Rank>(entered.size()); ++i)
    if (!entered[i])
      report_(r, -1, fmt::format("leaves the barrier before rank {} has entered it", i));
  if (problem_.collective != Collective::allreduce) return;
  if (r == 0) of_rank_0_ = pieces;
  if (pieces != of_rank_0_)
    report_(r, -1, "computes the result by another expression than rank 0: floats may differ");
}

void Outcome::compare_pieces(Rank r, const Wanted& w, const std::vector<Piece>& pieces) {
  std::size_t at = 0;
  for (const Piece& piece : pieces) {
    const long element = static_cast<long>(w.where.offset + at);
    const std::string fault = what_is_wrong(piece, w, w.index + at);
    if (!fault.empty()) return report_(r, element, fault);
    at += piece.count;
  }
}

std::string Outcome::what_is_wrong(const Piece& piece, const Wanted& w, std::size_t index) {
  if (w.first == w.last) {
    if (piece.id == expressions_.contribution(w.first) && piece.index == index) return {};
    return fmt::format("output holds {} (index {}), not data of rank {} (index {})",
                       expressions_.describe(piece.id), piece.index, w.first, index);
  }
  if (!expressions_.is_value(piece.id))
    return fmt::format("output holds {}", expressions_.describe(piece.id));
  if (piece.index != index)
    return fmt::format("output holds index {} where {} belongs", piece.index, index);
  const auto proved = proved_.find(piece.id);
  if (proved != proved_.end() && proved->second == std::pair(w.first, w.last)) return {};
  const std::size_t number = static_cast<std::size_t>(w.last - w.first) + 1;
  std::vector<Rank> ranks = expressions_.operands(piece.id, number + 1);
  if (problem_.commutative) std::sort(ranks.begin(), ranks.end());
  bool right = ranks.size() == number;
  for (std::size_t i = 0; right && i < number; ++i)
    right = ranks[i] == w.first + static_cast<Rank>(i);
  if (right) proved_[piece.id] = {w.first, w.last};
  return right ? std::string{}
               : fmt::format("output holds {}, not the ranks {} to {}, each once{}",
                             expressions_.describe(piece.id), w.first, w.last,
                             problem_.commutative ? "" : " and in order");
}

}  // namespace tutti::core
