// Gather and gatherv in all their forms.

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void gather() {
  for (const std::size_t n : sizes)
    for (int root = 0; root < p; ++root) {
      const Ints mine = values(rank, n), expected = rank == root ? everything(n) : Ints();
      Ints out(expected.size());
      const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
      FORMS(gather, reset, RIGHT(out == expected), mine, out, root);
      EXPECT(world.gather(mine, root) == expected);
    }
  EXPECT(world.gather(value(rank, 0), 0) == (rank == 0 ? everything(1) : Ints()));
  if (rank != 0) world.gather(rank, std::span<int>{}, 0);
  if (rank == 0) EXPECT(world.gather(rank, 0).size() == ranks);
}

void gatherv() {
  const tutti::Layout layout(uneven());
  const std::size_t own = layout.counts[static_cast<std::size_t>(rank)];
  const Ints mine = values(rank, own);
  for (int root = 0; root < p; ++root) {
    const tutti::Pieces<int> all = world.gatherv(mine, root);
    EXPECT(all.size() == (rank == root ? ranks : 0));
    for (std::size_t r = 0; r < all.size(); ++r)
      EXPECT(std::ranges::equal(all[r], values(static_cast<int>(r), layout.counts[r])));
    // Blocks backwards, with gaps.
    tutti::Layout spread = layout;
    for (std::size_t r = 0; r < ranks; ++r) spread.offsets[r] = 20 * (ranks - 1 - r) + 1;
    Ints out(20 * ranks + 1);
    const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
    const auto check = [&] {
      for (int r = 0; rank == root && r < p; ++r) {
        const auto which = static_cast<std::size_t>(r);
        const std::size_t at = spread.offsets[which], count = spread.counts[which];
        expect(part(out, at, count) == values(r, count) && out[at + count] == -1, form);
      }
    };
    FORMS(gatherv, reset, check, mine, out, spread, root);
  }
}

}  // namespace

const std::vector<Case> gather_cases = {CASE(gather), CASE(gatherv)};

}  // namespace tutti::test
