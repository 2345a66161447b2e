#include "topology/topology.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <stdexcept>

namespace tutti::core {
namespace {

using Ranks = std::vector<Rank>;

Ranks ranks_of(const Topology& topology, int node) {
  const auto ranks = topology.ranks_of(node);
  return {ranks.begin(), ranks.end()};
}

std::size_t allocated() {
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

TEST(Topology, NumbersNodesAsTheyFirstAppear) {
  const Topology topology({7, 7, 3, 7, 3});
  EXPECT_EQ(topology.p(), 5);
  EXPECT_EQ(topology.nodes(), 2);
  EXPECT_EQ(ranks_of(topology, 0), (Ranks{0, 1, 3}));
  EXPECT_EQ(ranks_of(topology, 1), (Ranks{2, 4}));
  EXPECT_EQ(topology.node_of(4), 1);
  EXPECT_EQ(topology.place_of(4), 1);
  EXPECT_EQ(topology.place_of(3), 2);
  EXPECT_EQ(topology.node_order(), (Ranks{0, 1, 3, 2, 4}));
  EXPECT_EQ(topology.smallest(), 2);
  EXPECT_EQ(topology.largest(), 3);
  EXPECT_FALSE(topology.is_uniform());
  EXPECT_FALSE(topology.is_contiguous());
}

TEST(Topology, IsContiguousWhereNodeOrderIsRankOrder) {
  for (const char* text : {"3x4", "1x5", "5x1", "0,1,1,2,2,2", "4,4,0,0"})
    EXPECT_TRUE(parse_topology(text)->is_contiguous()) << text;
  for (const char* text : {"3x4:cyclic", "0,1,0", "0,0,1,1,0"})
    EXPECT_FALSE(parse_topology(text)->is_contiguous()) << text;
  EXPECT_TRUE(parse_topology("3x1:cyclic")->is_contiguous());
}

TEST(Topology, HasTheTwoEnds) {
  EXPECT_EQ(Topology::one_node(4).nodes(), 1);
  EXPECT_EQ(Topology::one_rank_per_node(4).nodes(), 4);
  EXPECT_TRUE(Topology::one_node(4).is_uniform());
  EXPECT_TRUE(Topology::one_rank_per_node(4).is_contiguous());
  EXPECT_THROW(Topology({}), std::invalid_argument);
}

TEST(Topology, SplitsNodesIntoNearlyEqualParts) {
  EXPECT_EQ(*parse_topology("2x5")->split(2), Topology({0, 0, 0, 1, 1, 2, 2, 2, 3, 3}));
  EXPECT_EQ(*parse_topology("2x5")->split(1), *parse_topology("2x5"));
  EXPECT_EQ(*parse_topology("2x2:cyclic")->split(2), Topology::one_rank_per_node(4));
  // No more parts than ranks.
  EXPECT_EQ(*parse_topology("0,1,1,1")->split(2), Topology({0, 1, 1, 2}));
  EXPECT_EQ(*parse_topology("1x3")->split(1000), Topology::one_rank_per_node(3));
  EXPECT_TRUE(parse_topology("3x4")->split(3)->is_contiguous());
}

TEST(Topology, IsSplitOnceAsLongAsSomebodyHasIt) {
  const auto whole = parse_topology("4x8");
  const auto parts = whole->split(2);
  EXPECT_EQ(whole->split(2), parts);
  EXPECT_NE(whole->split(4), parts);
}

TEST(Topology, KeepsEightBytesOfEachRankAndTwoOfItsDomain) {
  constexpr std::size_t nodes = 1024, ranks = 64 * nodes;
  for (const char* text : {"1024x64", "1024x64:cyclic", "1024x4x16"}) {
    const std::size_t before = allocated();
    const auto topology = parse_topology(text);
    topology->split(4);  // nobody keeps it
    topology->split_by_domain();
    EXPECT_LE(allocated() - before, (topology->has_domains() ? 10 : 8) * ranks + 64 * nodes)
        << text;
  }
}

TEST(Topology, OfSomeRanks) {
  EXPECT_EQ(parse_topology("2x3")->of({5, 0, 1}), Topology({0, 1, 1}));
  EXPECT_EQ(parse_topology("1x3x2")->of({5, 0, 1}), Topology({0, 0, 0}, {0, 1, 1}));
}

TEST(Topology, KnowsDomainsOfNodes) {
  const Topology topology({0, 0, 0, 1, 1}, {7, 3, 7, 7, 7});
  ASSERT_TRUE(topology.has_domains());
  EXPECT_EQ(topology.domain_of(1), 1);
  EXPECT_EQ(topology.domain_of(3), 0);
  EXPECT_TRUE(topology.share_domain(0, 2));
  EXPECT_FALSE(topology.share_domain(0, 1));
  EXPECT_FALSE(topology.share_domain(0, 3));  // a domain is of one node
  EXPECT_EQ(*topology.split_by_domain(), Topology({0, 1, 0, 2, 2}));
  EXPECT_NE(topology, Topology({0, 0, 0, 1, 1}));
  EXPECT_EQ(*parse_topology("2x3")->split_by_domain(), *parse_topology("2x3"));
}

TEST(Topology, MayHaveNodesAlikeWithOtherDomains) {
  EXPECT_TRUE(parse_topology("2x2x2")->has_nodes_of(*parse_topology("2x4")));
  EXPECT_FALSE(parse_topology("2x2x2")->has_nodes_of(*parse_topology("4x2")));
}

TEST(Topology, ForgetsDomainsThatTellNothing) {
  EXPECT_FALSE(Topology({0, 0, 1}, {4, 4, 4}).has_domains());  // whole nodes
  EXPECT_FALSE(Topology({0, 0, 1}, {1, 2, 3}).has_domains());  // single ranks
  EXPECT_FALSE(parse_topology("2x2x2")->of({0, 2, 4, 6}).has_domains());
}

TEST(Topology, IsDescribedAsItIsRead) {
  for (const char* text : {"3x4", "3x4:cyclic", "1x1", "6x1", "0,0,1,1,0", "0,1,1", "2x3x4",
                           "1x2x2", "2x2x3:cyclic", "0.0,0.1,0.0,1.0"}) {
    EXPECT_EQ(parse_topology(text)->describe(), text);
  }
  EXPECT_EQ(parse_topology("5,5,2")->describe(), "0,0,1");
  EXPECT_EQ(parse_topology("0,1,0,1")->describe(), "2x2:cyclic");
}

std::string complaint(std::string_view text, int p = 6) {
  try {
    parse_topology(text, p);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Topology, RefusesWhatIsNone) {
  EXPECT_EQ(complaint("2x3"), "");
  EXPECT_EQ(complaint("2x4"),
            "topology '2x4' has 8 ranks, but there are 6: write one that places all 6");
  EXPECT_EQ(complaint("0,0,1"),
            "topology '0,0,1' has 3 ranks, but there are 6: write one that places all 6");
  EXPECT_EQ(complaint("2x3:random"),
            "'2x3:random' is no topology: unknown placement 'random'; write 3x4, 2x3x4 with "
            "domains of nodes, 3x4:cyclic or the node of each rank, 0,0,1,1");
  EXPECT_NE(complaint("0,b,1").find("'b' is no node's number"), std::string::npos);
  for (const char* text :
       {"", "x", "2x", "x3", "0x6", "2x3x1x1", "2xx3", "-2x3", "2x3:", ":2x3", "1,,2", "1,",
        "9999999999x1", "16777216x16777216", "2:cyclicx3", "1.", "1.5.2", ".5"})
    EXPECT_NE(complaint(text).find("is no topology"), std::string::npos) << text;
}

}  // namespace
}  // namespace tutti::core
