#include "topology/mesh.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <stdexcept>

namespace tutti::core {
namespace {

/// The ranks a message passes, its ends included.
std::vector<Rank> way(const Mesh& mesh, Rank from, Rank to) {
  std::vector<Rank> ranks{from};
  for (const Link& link : mesh.route(from, to)) {
    EXPECT_EQ(link.from, ranks.back());
    ranks.push_back(mesh.end_of(link));
  }
  return ranks;
}

using Ranks = std::vector<Rank>;

TEST(Mesh, NumbersRanksRowByRow) {
  const Mesh mesh({2, 3, 4});
  EXPECT_EQ(mesh.p(), 24);
  EXPECT_EQ(mesh.dimensions(), 3);
  EXPECT_EQ(mesh.coordinates(0), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(mesh.coordinates(1), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(mesh.coordinates(4), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(mesh.coordinates(23), (std::vector<int>{1, 2, 3}));
}

TEST(Mesh, MessagesGoAlongTheRowFirst) {
  const Mesh mesh({3, 4});
  EXPECT_EQ(way(mesh, 1, 11), (Ranks{1, 2, 3, 7, 11}));
  EXPECT_EQ(way(mesh, 11, 1), (Ranks{11, 10, 9, 5, 1}));
  EXPECT_EQ(way(mesh, 5, 5), (Ranks{5}));
  EXPECT_EQ(way(Mesh({2, 2, 2}), 0, 7), (Ranks{0, 1, 3, 7}));
}

TEST(Mesh, ALinearArrayGoesBackTheWholeWay) {
  for (const char* text : {"mesh:5", "mesh:1x5", "mesh:5x1"})
    EXPECT_EQ(way(parse_mesh(text), 4, 0), (Ranks{4, 3, 2, 1, 0})) << text;
}

TEST(Mesh, ATorusGoesTheShorterWayRoundAndUpwardsIfEqual) {
  const Mesh five({5}, true), four({4}, true);
  EXPECT_EQ(way(five, 4, 0), (Ranks{4, 0}));
  EXPECT_EQ(way(five, 0, 4), (Ranks{0, 4}));
  EXPECT_EQ(way(five, 3, 0), (Ranks{3, 4, 0}));
  EXPECT_EQ(way(five, 0, 3), (Ranks{0, 4, 3}));
  EXPECT_EQ(way(four, 0, 2), (Ranks{0, 1, 2}));
  EXPECT_EQ(way(four, 3, 1), (Ranks{3, 0, 1}));
  EXPECT_EQ(way(Mesh({4, 4}, true), 0, 15), (Ranks{0, 3, 15}));
}

TEST(Mesh, EveryRouteIsAShortestOneOverNeighbours) {
  for (const char* text :
       {"mesh:7", "mesh:3x5", "mesh:2x3x4", "torus:6", "torus:2x5", "torus:3x4x2"})
    for (const Mesh mesh = parse_mesh(text); const Rank from : {0, 3, mesh.p() - 1})
      for (Rank to = 0; to < mesh.p(); ++to) {
        int distance = 0;
        for (int d = 0; d < mesh.dimensions(); ++d) {
          const int apart = std::abs(mesh.place(from, d) - mesh.place(to, d));
          distance += mesh.wraps() ? std::min(apart, mesh.extent(d) - apart) : apart;
        }
        const Ranks ranks = way(mesh, from, to);
        EXPECT_EQ(ranks.back(), to) << text;
        EXPECT_EQ(ranks.size(), static_cast<std::size_t>(distance) + 1)
            << text << ", " << from << " -> " << to;
      }
}

// All routes together use every link there is, and no other.
TEST(Mesh, CountsItsLinks) {
  for (const char* text : {"mesh:1", "mesh:6", "mesh:3x4", "mesh:2x3x4", "torus:1", "torus:2",
                           "torus:3", "torus:4x5", "torus:2x4"}) {
    const Mesh mesh = parse_mesh(text);
    std::set<std::pair<Rank, Rank>> wires;
    std::set<std::size_t> numbers;
    for (Rank from = 0; from < mesh.p(); ++from)
      for (Rank to = 0; to < mesh.p(); ++to)
        for (const Link& link : mesh.route(from, to)) {
          wires.emplace(link.from, mesh.end_of(link));
          numbers.insert(mesh.index_of(link));
        }
    EXPECT_EQ(static_cast<int>(wires.size()), mesh.links()) << text;
    EXPECT_EQ(numbers.size(), wires.size()) << text;
    if (!numbers.empty()) {
      EXPECT_LT(*numbers.rbegin(), 2u * mesh.dimensions() * mesh.p()) << text;
    }
  }
}

TEST(Mesh, IsReadAsItIsWritten) {
  for (const char* text : {"mesh:16x32", "torus:4x4x4", "mesh:30", "torus:1", "mesh:1x30"})
    EXPECT_EQ(parse_mesh(text).describe(), text);
  EXPECT_EQ(parse_mesh("mesh:3x4"), Mesh({3, 4}));
  EXPECT_EQ(parse_mesh("3x4"), Mesh({3, 4}));
  EXPECT_EQ(parse_mesh("5"), Mesh({5}));
  EXPECT_EQ(parse_mesh("torus:3x4"), Mesh({3, 4}, true));
  const Mesh mesh({3, 4});
  EXPECT_EQ(mesh.describe(mesh.route(6, 4).front()), "6 -> 5");
}

TEST(Mesh, RefusesWhatIsNone) {
  for (const char* text : {"", "mesh", "mesh:", "mesh:0", "mesh:-2x3", "mesh:3x", "mesh:x3",
                           "mesh:3y4", "ring:4", "mesh:3x4 ", "mesh:99999999999"})
    try {
      parse_mesh(text);
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("is no mesh"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("write 16x32"), std::string::npos);
    }
  EXPECT_THROW(parse_mesh("mesh:9999x9999"), std::invalid_argument);
  EXPECT_THROW(Mesh({}), std::invalid_argument);
  EXPECT_THROW(Mesh({3, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace tutti::core
