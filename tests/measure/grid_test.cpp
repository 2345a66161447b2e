#include "measure/grid.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <tuple>

namespace tutti::core {
namespace {

std::vector<Collective> all_collectives() {
  std::vector<Collective> list;
  for (int i = 0; i < collective_count; ++i) list.push_back(static_cast<Collective>(i));
  return list;
}

Grid everything() {
  return {all_collectives(),
          {64, 1024},
          {std::begin(all_distributions), std::end(all_distributions)},
          {Element::usual, Element::byte, Element::int32, Element::strided},
          1};
}

TEST(Element, NamesAreReadBack) {
  for (const Element each : {Element::usual, Element::byte, Element::int32, Element::float32,
                             Element::float64, Element::strided})
    EXPECT_EQ(parse_element(name_of(each)), each) << name_of(each);
  EXPECT_THROW(parse_element("duoble"), std::invalid_argument);
}

TEST(Cells, NumberIsWhatTheRulesSay) {
  const std::vector<Cell> cells = cells_of(everything(), 4);
  for (const Collective collective : all_collectives()) {
    std::size_t found = 0;
    for (const Cell& cell : cells) found += cell.collective == collective;
    const std::size_t elements = reduces(collective) ? 2 : 4;  // neither bytes nor derived types
    const std::size_t distributions = is_irregular(collective) ? 6 : 1;
    EXPECT_EQ(found, collective == Collective::barrier ? 1 : elements * distributions * 2)
        << name_of(collective);
  }
}

TEST(Cells, AreAllDifferent) {
  std::set<std::tuple<Collective, std::size_t, Distribution, Element>> seen;
  for (const Cell& cell : cells_of(everything(), 4))
    EXPECT_TRUE(seen.emplace(cell.collective, cell.bytes, cell.distribution, cell.element).second)
        << cell.describe();
}

TEST(Cells, HaveWhatTheirCollectiveHas) {
  for (const Cell& cell : cells_of(everything(), 5, 3)) {
    EXPECT_EQ(cell.p, 5) << cell.describe();
    EXPECT_EQ(cell.root, has_root(cell.collective) ? 3 : 0) << cell.describe();
    EXPECT_EQ(cell.bytes == 0, cell.collective == Collective::barrier) << cell.describe();
    if (!is_irregular(cell.collective)) {
      EXPECT_EQ(cell.distribution, Distribution::regular) << cell.describe();
    }
    if (reduces(cell.collective)) {
      EXPECT_NE(cell.element, Element::byte) << cell.describe();
      EXPECT_NE(cell.element, Element::strided) << cell.describe();
    }
    EXPECT_NO_THROW(cell.problem().validate()) << cell.describe();
  }
}

// A distribution that regular collectives do not have must not hide them.
TEST(Cells, RegularCollectivesAreThereWhateverTheDistribution) {
  Grid grid = everything();
  grid.collectives = {Collective::bcast};
  grid.distributions = {Distribution::spike};
  grid.elements = {Element::usual};
  const std::vector<Cell> cells = cells_of(grid, 4);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].distribution, Distribution::regular);
}

TEST(Cells, NoneWhereNothingCanBeReduced) {
  Grid grid = everything();
  grid.collectives = {Collective::allreduce, Collective::scan};
  grid.elements = {Element::strided, Element::byte};
  EXPECT_TRUE(cells_of(grid, 4).empty());
}

TEST(Cell, ProblemHasItsBytes) {
  for (const Cell& cell : cells_of(everything(), 4, 1)) {
    const Problem problem = cell.problem();
    EXPECT_EQ(problem.collective, cell.collective) << cell.describe();
    EXPECT_EQ(problem.p, 4) << cell.describe();
    EXPECT_EQ(problem.root, cell.root) << cell.describe();
    EXPECT_EQ(problem.element_bytes, cell.element_bytes()) << cell.describe();
    EXPECT_EQ(problem.total() * problem.element_bytes, cell.bytes) << cell.describe();
  }
}

TEST(Cell, ElementsAreAsLargeAsTheirTypes) {
  const auto bytes = [](Collective collective, Element element) {
    return Cell{.collective = collective, .element = element}.element_bytes();
  };
  EXPECT_EQ(bytes(Collective::bcast, Element::usual), 1u);
  EXPECT_EQ(bytes(Collective::allreduce, Element::usual), sizeof(double));
  EXPECT_EQ(bytes(Collective::bcast, Element::byte), 1u);
  EXPECT_EQ(bytes(Collective::bcast, Element::int32), sizeof(int));
  EXPECT_EQ(bytes(Collective::bcast, Element::float32), sizeof(float));
  EXPECT_EQ(bytes(Collective::bcast, Element::float64), sizeof(double));
  EXPECT_EQ(bytes(Collective::bcast, Element::strided), sizeof(double)) << "without the gap";
}

TEST(Cell, SaysWhatMatters) {
  EXPECT_EQ((Cell{.collective = Collective::barrier, .p = 8}.describe()), "barrier, p = 8");
  EXPECT_EQ((Cell{.collective = Collective::bcast, .p = 8, .bytes = 1000}.describe()),
            "bcast, p = 8, 1000");
  EXPECT_EQ((Cell{.collective = Collective::allgatherv,
                  .p = 8,
                  .bytes = 1 << 20,
                  .distribution = Distribution::spike}
                 .describe()),
            "allgatherv, p = 8, 1M, spike");
  EXPECT_EQ(
      (Cell{.collective = Collective::bcast, .p = 3, .bytes = 1024, .element = Element::strided}
           .describe()),
      "bcast, p = 3, 1K, strided");
}

TEST(Grids, AreNested) {
  std::size_t before = 0;
  for (const char* name : {"quick", "standard", "full"}) {
    const Grid grid = grid_named(name);
    EXPECT_GT(grid.budget, 0) << name;
    for (std::size_t i = 1; i < grid.sizes.size(); ++i)
      EXPECT_LT(grid.sizes[i - 1], grid.sizes[i]) << name;
    const std::size_t cells = cells_of(grid, 8).size();
    EXPECT_GT(cells, before) << name;
    before = cells;
  }
  EXPECT_EQ(grid_named("standard").collectives, all_collectives());
  EXPECT_EQ(grid_named("full").collectives, all_collectives());
  EXPECT_THROW(grid_named("qiuck"), std::invalid_argument);
}

}  // namespace
}  // namespace tutti::core
