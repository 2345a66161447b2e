// Allgather and allgatherv in all their forms.

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void allgather() {
  for (const std::size_t n : sizes) {
    const Ints mine = values(rank, n);
    Ints out(n * ranks);
    const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
    FORMS(allgather, reset, RIGHT(out == everything(n)), mine, out);
    const auto put = [&] {
      reset();
      std::copy(mine.begin(), mine.end(), out.begin() + rank * static_cast<std::ptrdiff_t>(n));
    };
    FORMS(allgather, put, RIGHT(out == everything(n)), tutti::in_place, out);
    EXPECT(world.allgather(mine) == everything(n));
    EXPECT(world.iallgather(mine).get() == everything(n));
  }
  EXPECT(world.allgather(value(rank, 0)) == everything(1));
}

void allgatherv() {
  const Ints counts = uneven();
  const tutti::Layout layout(counts);
  const auto own = static_cast<std::size_t>(rank);
  const Ints mine = values(rank, layout.counts[own]);
  const tutti::Pieces<int> all = world.allgatherv(mine);
  EXPECT(all.counts == layout.counts && all.offsets == layout.offsets &&
         all.data.size() == layout.total());
  for (std::size_t r = 0; r < ranks; ++r)
    EXPECT(std::ranges::equal(all[r], values(static_cast<int>(r), layout.counts[r])));
  Ints out(all.data.size());
  const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
  FORMS(allgatherv, reset, RIGHT(out == all.data), mine, out, counts);
  const auto put = [&] {
    reset();
    std::copy(mine.begin(), mine.end(),
              out.begin() + static_cast<std::ptrdiff_t>(layout.offsets[own]));
  };
  FORMS(allgatherv, put, RIGHT(out == all.data), tutti::in_place, out, layout);
  const tutti::Pieces<char> words = world.allgatherv(std::string(own + 1, 'x'));
  EXPECT(words.data.size() == ranks * (ranks + 1) / 2 && words[ranks - 1].size() == ranks);
}

}  // namespace

const std::vector<Case> allgather_cases = {CASE(allgather), CASE(allgatherv)};

}  // namespace tutti::test
