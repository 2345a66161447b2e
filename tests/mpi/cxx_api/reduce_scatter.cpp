// Reduce-scatter with blocks of any size, and of one, in all their forms.

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void reduce_scatter() {
  const Ints counts = uneven();
  const tutti::Layout layout(counts);
  const auto own = static_cast<std::size_t>(rank);
  const std::size_t total = layout.total();
  const Ints mine = values(rank, total),
             expected = part(sums(p, total), layout.offsets[own], layout.counts[own]);
  Ints out(expected.size()), data(total);
  const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
  FORMS(reduce_scatter, reset, RIGHT(out == expected), mine, out, counts, tutti::sum);
  const auto put = [&] { std::copy(mine.begin(), mine.end(), data.begin()); };
  FORMS(reduce_scatter, put, RIGHT(part(data, 0, expected.size()) == expected), tutti::in_place,
        data, layout, tutti::sum);
  EXPECT(world.reduce_scatter(mine, counts, tutti::sum) == expected);
}

void reduce_scatter_block() {
  for (const std::size_t n : sizes) {
    const Ints mine = values(rank, n * ranks),
               expected = part(sums(p, n * ranks), n * static_cast<std::size_t>(rank), n);
    Ints out(n), data(mine.size());
    const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
    FORMS(reduce_scatter_block, reset, RIGHT(out == expected), mine, out, tutti::sum);
    const auto put = [&] { std::copy(mine.begin(), mine.end(), data.begin()); };
    FORMS(reduce_scatter_block, put, RIGHT(part(data, 0, n) == expected), tutti::in_place, data,
          tutti::sum);
    EXPECT(world.reduce_scatter_block(mine, tutti::sum) == expected);
  }
}

}  // namespace

const std::vector<Case> reduce_scatter_cases = {CASE(reduce_scatter), CASE(reduce_scatter_block)};

}  // namespace tutti::test
