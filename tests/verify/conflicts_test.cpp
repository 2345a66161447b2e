#include "verify/conflicts.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "algorithms/building_blocks.hpp"
#include "request/request.hpp"
#include "schedule/builder.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

using Messages = std::vector<std::pair<Rank, Rank>>;

/// Schedules of p ranks that send these messages; each list is a round.
std::vector<Schedule> sending(int p, const std::vector<Messages>& rounds) {
  std::vector<Builder> builders(p);
  for (const Messages& round : rounds) {
    for (Builder& b : builders) b.round();
    for (const auto& [from, to] : round) {
      builders[from].send({Buffer::output, 0, 1}, to);
      builders[to].recv({Buffer::output, 0, 1}, from);
    }
  }
  std::vector<Schedule> schedules;
  for (Builder& b : builders) schedules.push_back(b.take());
  return schedules;
}

Traffic traffic(const std::string& mesh, const std::vector<Messages>& rounds) {
  const Mesh network = parse_mesh(mesh);
  return traffic_on(network, sending(network.p(), rounds));
}

TEST(Conflicts, TwoMessagesOnOneLinkAreFound) {
  const Mesh mesh = parse_mesh("mesh:4");
  const Traffic found = traffic_on(mesh, sending(4, {{{0, 2}, {1, 3}}}));
  ASSERT_EQ(found.steps.size(), 1u);
  EXPECT_EQ(found.steps[0].messages, 2);
  EXPECT_EQ(found.steps[0].links, 3);
  EXPECT_EQ(found.steps[0].largest, 2);
  EXPECT_EQ(found.steps[0].conflicts, 1);
  ASSERT_EQ(found.first.size(), 1u);
  EXPECT_EQ(found.first[0].step, 1);
  EXPECT_EQ(found.first[0].link, (Link{1, 0, true}));
  EXPECT_EQ(found.first[0].messages, (Messages{{0, 2}, {1, 3}}));
  EXPECT_EQ(describe(mesh, found.first[0]), "step 1, link 1 -> 2: 0 -> 2 and 1 -> 3");
}

TEST(Conflicts, OppositeDirectionsAreNone) {
  EXPECT_EQ(traffic("mesh:4", {{{0, 3}, {3, 0}}}).conflicts(), 0u);
  EXPECT_EQ(traffic("mesh:4", {{{0, 1}, {1, 2}, {2, 3}, {3, 0}}}).conflicts(), 0u);
  EXPECT_EQ(traffic("mesh:4", {{{0, 1}, {1, 2}, {2, 3}, {3, 0}}}).links(), 6);
}

TEST(Conflicts, OtherStepsAreNone) {
  const Traffic found = traffic("mesh:4", {{{0, 2}}, {{1, 2}}});
  EXPECT_EQ(found.conflicts(), 0u);
  EXPECT_EQ(found.steps.size(), 2u);
  EXPECT_EQ(found.messages(), 2u);
  EXPECT_EQ(found.largest(), 1);
}

TEST(Conflicts, ATorusHasAnotherWay) {
  EXPECT_EQ(traffic("mesh:5", {{{4, 0}, {3, 2}}}).conflicts(), 1u);
  EXPECT_EQ(traffic("torus:5", {{{4, 0}, {3, 2}}}).conflicts(), 0u);
  // Upwards, where both ways are equal: through 3 -> 0.
  EXPECT_EQ(traffic("torus:4", {{{2, 0}, {3, 1}}}).conflicts(), 1u);
  EXPECT_EQ(traffic("torus:4", {{{2, 0}, {2, 1}}}).largest(), 1);
}

TEST(Conflicts, RowsComeBeforeColumns) {
  // 0 1 2      0 -> 5 goes over 1 and 2, 1 -> 2 is in its way,
  // 3 4 5      3 -> 4 and 4 -> 5 are not.
  EXPECT_EQ(traffic("mesh:2x3", {{{0, 5}, {1, 2}}}).conflicts(), 1u);
  EXPECT_EQ(traffic("mesh:2x3", {{{0, 5}, {3, 4}, {4, 5}}}).conflicts(), 0u);
}

TEST(Conflicts, ThreeOnOneLinkAreOneConflict) {
  const Mesh mesh = parse_mesh("mesh:4");
  const Traffic found = traffic_on(mesh, sending(4, {{{0, 3}, {1, 3}, {2, 3}}}));
  EXPECT_EQ(found.conflicts(), 2u);
  EXPECT_EQ(found.largest(), 3);
  EXPECT_EQ(describe(mesh, found.first[1]), "step 1, link 2 -> 3: 0 -> 3, 1 -> 3 and 1 more");
  EXPECT_EQ(traffic_on(mesh, sending(4, {{{0, 3}, {1, 3}, {2, 3}}}), 1).first.size(), 1u);
}

// A leaf sends in its first round, but the message is not under way before its parent's turn.
TEST(Conflicts, RanksThatAreNotInStepMeetWhenBothAreThere) {
  std::vector<Builder> b(3);
  b[0].recv({Buffer::output, 0, 1}, 1);
  b[0].round();
  b[0].recv({Buffer::output, 0, 1}, 2);
  b[1].send({Buffer::output, 0, 1}, 0);
  b[2].send({Buffer::output, 0, 1}, 0);
  const Traffic found = traffic_on(parse_mesh("mesh:3"), {b[0].take(), b[1].take(), b[2].take()});
  EXPECT_EQ(found.steps.size(), 2u);
  EXPECT_EQ(found.conflicts(), 0u);
}

TEST(Conflicts, TheMeshMustFit) {
  try {
    traffic_on(parse_mesh("mesh:2x3"), sending(5, {{{0, 1}}}));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "mesh:2x3 has 6 ranks, but there are schedules of 5: give a mesh of as many");
  }
}

Traffic of_algorithm(const std::string& name, const Mesh& mesh, Rank root = 0) {
  const Request request = parse_request(name);
  Problem problem =
      Problem::even(request.algorithm->collective, mesh.p(), static_cast<std::size_t>(mesh.p()));
  problem.root = root;
  const Parameters parameters =
      request.algorithm->resolve(problem, {1, 1, 1, 1, 1}, request.parameters);
  return traffic_on(mesh, schedules_of(problem, *request.algorithm, parameters));
}

// The building blocks of Mitra et al. 1995, 3.1, and what they put together from them in 3.2.
const std::vector<std::string> building_blocks = {
    "bcast/binomial",         "reduce/binomial",        "scatter/binomial",
    "gather/binomial",        "allgather/ring",         "reduce_scatter/ring",
    "allgather/gather_bcast", "allreduce/reduce_bcast", "bcast/scatter_allgather_ring",
    "reduce/ring_gather",     "allreduce/ring"};

TEST(Conflicts, BuildingBlocksHaveNoneOnALinearArray) {
  for (const std::string& name : building_blocks) {
    const bool rooted = has_root(parse_request(name).algorithm->collective);
    std::vector<int> sizes;
    for (int p = 2; p <= 64; ++p) sizes.push_back(p);
    for (const int p : {100, 127, 129, 200, 255, 256, 500, 512}) sizes.push_back(p);
    for (const int p : sizes)
      for (Rank root = 0; root < (rooted ? p : 1); root += p <= 32 ? 1 : p / 3) {
        const Mesh mesh({p});
        const Traffic found = of_algorithm(name, mesh, root);
        EXPECT_GT(found.messages(), 0u);
        ASSERT_EQ(found.conflicts(), 0u) << name << ", p = " << p << ", root " << root << ": "
                                         << describe(mesh, found.first.front());
      }
  }
}

/// One rank's row and column on a mesh.
struct Lines {
  Group row, column;
  int root_row, root_column;
};

Lines lines_of(const Mesh& mesh, Rank rank, Rank root) {
  const int rows = mesh.extent(0), columns = mesh.extent(1);
  std::vector<Rank> row, column;
  for (int c = 0; c < columns; ++c) row.push_back(mesh.place(rank, 0) * columns + c);
  for (int r = 0; r < rows; ++r) column.push_back(r * columns + mesh.place(rank, 1));
  return {Group(row, rank), Group(column, rank), mesh.place(root, 0), mesh.place(root, 1)};
}

using Generate = std::function<void(Builder&, const Lines&, const Slice&)>;

// 3.3 of the paper: within rows and columns, which are linear arrays.
const std::vector<std::pair<std::string, Generate>> on_meshes = {
    {"broadcast, short",
     [](Builder& b, const Lines& lines, const Slice& vector) {
       if (lines.row.rank() == lines.root_column)
         bcast_binomial(b, lines.column, lines.root_row, {vector});
       bcast_binomial(b, lines.row, lines.root_column, {vector});
     }},
    {"combine-to-one, short",
     [](Builder& b, const Lines& lines, const Slice& vector) {
       reduce_binomial(b, lines.row, lines.root_column, {vector});
       if (lines.row.rank() == lines.root_column)
         reduce_binomial(b, lines.column, lines.root_row, {vector});
     }},
    {"collect, long",
     [](Builder& b, const Lines& lines, const Slice& vector) {
       const Blocks of_rows = split(vector, lines.column.size());
       const Slice mine = of_rows[lines.column.rank()];
       allgather_ring(b, lines.row, split(mine, lines.row.size()));
       allgather_ring(b, lines.column, of_rows);
     }},
    {"broadcast, long",
     [](Builder& b, const Lines& lines, const Slice& vector) {
       const Blocks of_rows = split(vector, lines.column.size());
       const Blocks of_row = split(of_rows[lines.column.rank()], lines.row.size());
       if (lines.row.rank() == lines.root_column)
         scatter_binomial(b, lines.column, lines.root_row, of_rows);
       scatter_binomial(b, lines.row, lines.root_column, of_row);
       allgather_ring(b, lines.row, of_row);
       allgather_ring(b, lines.column, of_rows);
     }},
    {"combine-to-all, long", [](Builder& b, const Lines& lines, const Slice& vector) {
       const Blocks of_rows = split(vector, lines.column.size());
       const Blocks of_row = split(of_rows[lines.column.rank()], lines.row.size());
       reduce_scatter_ring(b, lines.column, of_rows);
       reduce_scatter_ring(b, lines.row, of_row);
       allgather_ring(b, lines.row, of_row);
       allgather_ring(b, lines.column, of_rows);
     }}};

TEST(Conflicts, RowsThenColumnsHaveNoneOnAMesh) {
  for (const std::string text : {"2x3", "3x2", "4x8", "5x7", "7x5", "1x9", "9x1", "16x32"})
    for (const auto& [name, generate] : on_meshes) {
      const Mesh mesh = parse_mesh(text);
      const Slice vector{Buffer::output, 0, static_cast<std::size_t>(mesh.p())};
      for (Rank root = 0; root < mesh.p(); root += mesh.p() <= 64 ? 1 : 101) {
        std::vector<Schedule> schedules;
        for (Rank r = 0; r < mesh.p(); ++r) {
          Builder b;
          generate(b, lines_of(mesh, r, root), vector);
          schedules.push_back(b.take());
        }
        const Traffic found = traffic_on(mesh, schedules);
        EXPECT_GE(found.messages(), static_cast<std::size_t>(mesh.p()) - 1);
        ASSERT_EQ(found.conflicts(), 0u) << name << " on " << text << ", root " << root << ": "
                                         << describe(mesh, found.first.front());
      }
    }
}

// The hybrids of 3.4, where the mesh of ranks is the physical one.
TEST(Conflicts, HybridsHaveNoneOnTheirMesh) {
  for (const std::string collective : {"bcast", "reduce", "scatter", "gather", "allgather",
                                       "allgatherv", "reduce_scatter", "allreduce"})
    for (const std::string shape : {"2x3", "5x7", "4x8", "3x4x5", "16x32"}) {
      const Mesh mesh = parse_mesh(shape);
      const bool trees = collective == "scatter" || collective == "gather";
      const bool rooted = has_root(parse_collective(collective));
      for (int longs = 0; longs <= (trees ? 0 : mesh.dimensions()); ++longs)
        for (Rank root = 0; root < (rooted ? mesh.p() : 1); root += mesh.p() <= 64 ? 1 : 101) {
          const std::string name = collective + "/hybrid:shape=" + shape +
                                   (trees ? "" : ",long=" + std::to_string(longs));
          const Traffic found = of_algorithm(name, mesh, root);
          ASSERT_EQ(found.conflicts(), 0u)
              << name << ", root " << root << ": " << describe(mesh, found.first.front());
        }
    }
}

// The control: each exchange over a distance d needs every link in between, d times.
TEST(Conflicts, RecursiveDoublingHasManyOnALinearArray) {
  for (const int p : {4, 8, 16, 64})
    for (const std::string name : {"allgather/recursive_doubling", "allreduce/recursive_doubling"})
      EXPECT_EQ(of_algorithm(name, Mesh({p})).largest(), p / 2) << name << ", p = " << p;
  // On two ranks there is one exchange, and on a wide enough mesh the same.
  EXPECT_EQ(of_algorithm("allgather/recursive_doubling", Mesh({2})).conflicts(), 0u);
  EXPECT_EQ(of_algorithm("allgather/recursive_doubling", Mesh({2, 2, 2})).conflicts(), 0u);
}

}  // namespace
}  // namespace tutti::core
