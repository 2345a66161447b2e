// Scatter and scatterv in all their forms.

#include <deque>

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void scatter() {
  for (const std::size_t n : sizes)
    for (int root = 0; root < p; ++root) {
      const Ints all = rank == root ? everything(n) : Ints();
      Ints out(n);
      const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
      FORMS(scatter, reset, RIGHT(out == values(rank, n)), all, out, root);
      EXPECT(world.scatter(all, root) == values(rank, n));
    }
  int one = -1;
  world.scatter(everything(1), one, 0);
  EXPECT(one == value(rank, 0));
}

void scatterv() {
  const Ints counts = uneven();
  const tutti::Layout layout(counts);
  for (int root = 0; root < p; ++root) {
    std::vector<Ints> pieces;
    Ints all;
    for (int r = 0; rank == root && r < p; ++r) {
      pieces.push_back(values(r, layout.counts[static_cast<std::size_t>(r)]));
      all.insert(all.end(), pieces.back().begin(), pieces.back().end());
    }
    const Ints own = values(rank, layout.counts[static_cast<std::size_t>(rank)]);
    EXPECT(world.scatterv(pieces, root) == own);
    EXPECT(world.scatterv(std::deque<Ints>(pieces.begin(), pieces.end()), root) == own);
    EXPECT(world.scatterv(rank == root ? tutti::Pieces<int>(counts, all) : tutti::Pieces<int>(),
                          root) == own);
    Ints out(own.size());
    const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
    FORMS(scatterv, reset, RIGHT(out == own), all, layout, out, root);
  }
}

}  // namespace

const std::vector<Case> scatter_cases = {CASE(scatter), CASE(scatterv)};

}  // namespace tutti::test
