// Reduce in all its forms.

#include <optional>

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void reduce() {
  for (const std::size_t n : sizes)
    for (int root = 0; root < p; ++root) {
      const Ints mine = values(rank, n), expected = rank == root ? sums(p, n) : Ints();
      Ints out(expected.size());
      const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
      FORMS(reduce, reset, RIGHT(out == expected), mine, out, tutti::sum, root);
      EXPECT(world.reduce(mine, tutti::sum, root) == expected);
      Ints data;
      const auto put = [&] { data = mine; };
      const auto check = RIGHT(data == (rank == root ? expected : mine));
      data.reserve(n);  // assigning leaves it where it is
      put();
      FORMS(reduce, put, check, tutti::in_place, data, tutti::sum, root);
      put();
      world.reduce_in_place(data, tutti::sum, root);
      check();
    }
  const std::optional<int> most = world.reduce(rank, tutti::max, 0);
  EXPECT(rank == 0 ? most == p - 1 : !most.has_value());
  const std::optional<std::array<int, 2>> two = world.reduce(std::array{1, 2}, tutti::sum, 0);
  EXPECT(rank == 0 ? *two == (std::array{p, 2 * p}) : !two.has_value());
}

}  // namespace

const std::vector<Case> reduce_cases = {CASE(reduce)};

}  // namespace tutti::test
