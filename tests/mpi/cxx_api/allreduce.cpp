// Allreduce, scan and exscan in all their forms.

#include <string_view>

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

/// allreduce, scan and exscan differ in what is expected only.
#define COMBINING(name, expected_value)                                                    \
  for (const std::size_t n : sizes) {                                                      \
    const Ints mine = values(rank, n);                                                     \
    Ints data(n);                                                                          \
    const auto reset = [&] { std::fill(data.begin(), data.end(), -1); };                   \
    const auto put = [&] { std::copy(mine.begin(), mine.end(), data.begin()); };           \
    const Ints untouched(n, -1);                                                           \
    const bool left_alone = std::string_view(#name) == "exscan" && rank == 0;              \
    const Ints expected = expected_value;                                                  \
    FORMS(name, reset, RIGHT(data == (left_alone ? untouched : expected)), mine, data,     \
          tutti::sum);                                                                     \
    FORMS(name, put, RIGHT(data == (left_alone ? mine : expected)), tutti::in_place, data, \
          tutti::sum);                                                                     \
    put();                                                                                 \
    world.name##_in_place(data, tutti::sum);                                               \
    EXPECT(data == (left_alone ? mine : expected));                                        \
    EXPECT(world.name(mine, tutti::sum) == (left_alone ? Ints() : expected));              \
  }

void allreduce() {
  COMBINING(allreduce, sums(p, n));
  EXPECT(world.allreduce(rank + 0.5, tutti::sum) == p * (p - 1) / 2 + 0.5 * p);
  EXPECT(world.iallreduce(rank + 0.5, tutti::sum).get() == p * (p - 1) / 2 + 0.5 * p);
  EXPECT(world.iallreduce(values(rank, 9), tutti::sum).get() == sums(p, 9));
}

void scan() {
  COMBINING(scan, sums(rank + 1, n));
  EXPECT(world.scan(1, tutti::sum) == rank + 1);
  EXPECT(world.iscan(1, tutti::sum).get() == rank + 1);
}

void exscan() {
  COMBINING(exscan, sums(rank, n));
  EXPECT(world.exscan(1, tutti::sum).value_or(0) == rank);
  EXPECT(world.exscan(1, tutti::sum).has_value() == (rank > 0));
}

}  // namespace

const std::vector<Case> allreduce_cases = {CASE(allreduce), CASE(scan), CASE(exscan)};

}  // namespace tutti::test
