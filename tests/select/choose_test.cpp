#include "select/kept_choices.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "model/replay.hpp"
#include "select/candidates.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

/// A call of rank 0 whose blocks hold so many bytes.
Call allgatherv(std::vector<std::size_t> counts, const char* topology) {
  Call call{.collective = Collective::allgatherv, .p = static_cast<int>(counts.size())};
  call.count = counts.front();
  call.counts = std::move(counts);
  call.topology = parse_topology(topology);
  return call;
}

/// One rank has `share` of all bytes, the others alike.
std::vector<std::size_t> lopsided(int p, std::size_t bytes, double share) {
  std::vector<std::size_t> counts(
      static_cast<std::size_t>(p),
      static_cast<std::size_t>(static_cast<double>(bytes) * (1 - share)) /
          static_cast<std::size_t>(p - 1));
  counts[1] = bytes - counts[0] * static_cast<std::size_t>(p - 1);
  return counts;
}

Profile with_rows() {
  Profile profile = default_profile();
  const auto row = [&](Evenness blocks, const char* few, const char* many) {
    profile.decisions.add(
        {Collective::allgatherv,
         parse_topology("4x1"),
         {{0, parse_request(few), 31e-6, true}, {4096, parse_request(many), 42e-6, false}},
         blocks});
  };
  row(Evenness::even, "allgatherv/ring", "allgatherv/bruck");
  row(Evenness::uneven, "allgatherv/linear", "allgatherv/pipelined_ring:segment=1K");
  return profile;
}

TEST(Choose, TheTableGoesFirstAndTellsEvenBlocksFromUneven) {
  const Profile profile = with_rows();
  const auto taken = [&](std::vector<std::size_t> counts) {
    return choose(known_of(allgatherv(std::move(counts), "4x1")), nullptr, profile, 0);
  };
  const Choice even = taken({100, 100, 100, 100}), uneven = taken({100, 4000, 0, 0});
  EXPECT_EQ(even.algorithm->name, "ring");
  EXPECT_EQ(uneven.algorithm->name, "pipelined_ring");
  EXPECT_EQ(uneven.parameters.at("segment"), 1024u);
  EXPECT_TRUE(even.is_decided());
  EXPECT_EQ(why(even), "profile, measured 31 us");
  EXPECT_EQ(why(uneven), "profile, predicted 42 us");
}

TEST(Choose, WhatTheTableNamesMustRun) {
  Profile profile = default_profile();
  profile.decisions.add({Collective::allreduce,
                         parse_topology("4x1"),
                         {{0, parse_request("allreduce/ring"), 31e-6, true}}});
  Call call{.collective = Collective::allreduce, .p = 4, .element_bytes = 8, .count = 100};
  call.topology = parse_topology("4x1");
  EXPECT_EQ(choose(known_of(call), nullptr, profile, 0).by, Choice::By::profile);
  call.commutative = false;
  const Choice other = choose(known_of(call), nullptr, profile, 0);
  EXPECT_EQ(other.by, Choice::By::model);
  EXPECT_EQ(other.refused->name, "ring");
  EXPECT_EQ(other.unmet, "needs a commutative operator");
  EXPECT_EQ(why(other).rfind("model: predicted ", 0), 0u) << why(other);
}

TEST(Choose, WhatIsAskedForIsTakenOrRefusedByName) {
  Call call{.collective = Collective::allreduce, .p = 4, .element_bytes = 4, .count = 100};
  call.topology = parse_topology("4x1");
  const Request ring = parse_request("allreduce/ring"), wrong = parse_request("bcast/binomial");
  const Choice choice = choose(known_of(call), &ring, default_profile(), 0);
  EXPECT_EQ(choice.algorithm, ring.algorithm);
  EXPECT_EQ(why(choice), "asked for");
  EXPECT_EQ(refusal(known_of(call), ring), "");
  EXPECT_EQ(refusal(known_of(call), wrong),
            "bcast/binomial was asked for in a call of allreduce with 400 bytes on 4 ranks, but it "
            "is no algorithm of allreduce");
  call.commutative = false;
  EXPECT_EQ(refusal(known_of(call), ring),
            "allreduce/ring was asked for in a call of allreduce with 400 bytes on 4 ranks, but it "
            "needs a commutative operator");
  const Request native;
  EXPECT_EQ(choose(known_of(call), &native, default_profile(), 0).algorithm, nullptr);
}

TEST(Choose, CoresCountWhereTheProfileDoesNotTell) {
  Profile profile = default_profile();
  const auto topology = parse_topology("1x8");
  EXPECT_EQ(profile.machine_for(topology.get(), 2).node.cores, 2);
  profile.node->cores = 4;
  EXPECT_EQ(profile.machine_for(topology.get(), 2).node.cores, 4);
  profile.gammas["user"] = 7e-9;
  EXPECT_DOUBLE_EQ(profile.machine_for(topology.get(), 2, Work::user).rates.gamma, 7e-9);
}

TEST(Choose, AProblemIsKnownAsItsCallsAre) {
  Problem problem = even_problem(Collective::allreduce, 4, 800, false);
  problem.topology = parse_topology("4x1");
  Call call = problem.call(2);
  call.work = Work::user;
  const auto same = [](const Known& a, const Known& b) {
    EXPECT_EQ(a.problem.describe(), b.problem.describe());
    EXPECT_EQ(a.problem.counts, b.problem.counts);
    EXPECT_EQ(a.problem.topology, b.problem.topology);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.blocks, b.blocks);
    EXPECT_EQ(a.work, b.work);
  };
  same(known_of(problem), known_of(call));
  EXPECT_EQ(known_of(problem).work, Work::user) << "it does not commute";
  const Call uneven = allgatherv({0, 4000, 10, 0}, "4x1");
  Problem blocks = Problem::even(Collective::allgatherv, 4, 0);
  blocks.counts = uneven.counts;
  blocks.topology = uneven.topology;
  same(known_of(blocks), known_of(uneven));
  EXPECT_EQ(known_of(blocks).blocks, Evenness::uneven);
  Problem pairs = Problem::even(Collective::alltoallv, 4, 12);
  same(known_of(pairs), known_of(pairs.call(1)));
  EXPECT_EQ(known_of(pairs).bytes, std::nullopt);
  EXPECT_EQ(known_of(pairs).problem.total(), guessed_bytes(Collective::alltoallv, 4));
}

TEST(Choose, WhatWasAskedBeforeIsNotComputedAgain) {
  const Profile profile = default_profile();
  KeptChoices kept;
  const auto size_after = [&](const char* topology, std::size_t bytes, Rank root) {
    Call call{.collective = Collective::bcast, .root = root, .count = bytes};
    call.topology = parse_topology(topology);
    call.p = call.topology->p();
    const Choice with = choose(known_of(call), nullptr, profile, 0, &kept);
    EXPECT_EQ(why(with), why(choose(known_of(call), nullptr, profile, 0)));
    return kept.size();
  };
  EXPECT_EQ(size_after("2x4", 1000, 0), 1u);
  EXPECT_EQ(size_after("2x4", 1000, 0), 1u);  // of another communicator that lives alike
  EXPECT_EQ(size_after("2x4", 1001, 0), 1u);  // nearly as large
  EXPECT_EQ(size_after("2x4", 1100, 0), 2u);
  EXPECT_EQ(size_after("2x4", 1000, 5), 3u);
  EXPECT_EQ(size_after("2x4:cyclic", 1000, 0), 4u);
  // Of many ranks all sizes of a class, from any root.
  EXPECT_EQ(size_after("16x8", 1000, 0), 5u);
  EXPECT_EQ(size_after("16x8", 1001, 100), 5u);
  EXPECT_EQ(size_after("16x8", 1025, 0), 6u);
  EXPECT_EQ(size_after("8x1", 1000, 0), 6u);  // closed forms are no work
  // Not all are kept for ever.
  for (std::size_t bytes = 2; bytes < 500; ++bytes) EXPECT_LE(size_after("1x2", bytes, 0), 256u);
}

TEST(Choose, OnAMeshCallsOfAClassShareAChoice) {
  Profile profile = default_profile();
  profile.mesh = parse_mesh("2x2");
  KeptChoices kept;
  const auto taken = [&](Known known) { return choose(known, nullptr, profile, 0, &kept); };
  const auto bcast = [](std::size_t bytes, Rank root) {
    Call call{.collective = Collective::bcast, .p = 4, .root = root, .count = bytes};
    call.topology = parse_topology("4x1");
    return known_of(call);
  };
  const Choice first = taken(bcast(700 << 10, 3)), second = taken(bcast(1 << 20, 0));
  EXPECT_EQ(first.bytes, 1 << 20);
  EXPECT_EQ(why(first), why(second));
  EXPECT_EQ(first.parameters, second.parameters);
  EXPECT_EQ(kept.size(), 1u);
  EXPECT_EQ(why(choose(bcast(600 << 10, 1), nullptr, profile, 0)), why(first)) << "nobody keeps it";
  EXPECT_EQ(taken(bcast(0, 0)).bytes, 0u);
  // How uneven blocks are does not matter, but that they are.
  const Choice mild = taken(known_of(allgatherv({900, 100, 0, 0}, "4x1")));
  EXPECT_EQ(why(taken(known_of(allgatherv({0, 0, 0, 1024}, "4x1")))), why(mild));
  EXPECT_NE(why(taken(known_of(allgatherv({256, 256, 256, 256}, "4x1")))), why(mild));
  EXPECT_EQ(kept.size(), 4u);
  for (const int p : {3, 4, 17}) {
    const Topology nodes = Topology::one_rank_per_node(p);
    profile.mesh = Mesh({p});
    const Known known = known_of(allgatherv(lopsided(p, 1000, 1), nodes.describe().c_str()));
    const Known all = stand_in(known, profile.machine_for(&nodes));
    EXPECT_EQ(all.problem.total(), 1024u);
    EXPECT_EQ(all.problem.call(0).evenness(), Evenness::uneven) << p;
  }
  // Two nodes share no link: nothing is followed.
  Call two{.collective = Collective::bcast, .p = 2, .count = 700};
  two.topology = parse_topology("2x1");
  EXPECT_EQ(taken(known_of(two)).bytes, 700u);
}

/// There was a rule: an allgatherv of 64 KB and more whose largest block is over twice the mean
/// takes the pipelined ring. The model knows the largest block, and does no worse by replay.
TEST(Choose, OfUnevenBlocksTheModelTakesWhatIsFastByReplay) {
  for (const auto& [name, text] : shipped_profiles()) {
    const Profile profile = parse_profile(text, name);
    for (const int p : {3, 4, 5, 8, 12, 16, 32})
      for (const std::size_t bytes : {std::size_t{64} << 10, std::size_t{1} << 20})
        for (const double share : {0.7, 0.9, 1.0}) {
          const Topology nodes = Topology::one_rank_per_node(p);
          const Known known =
              known_of(allgatherv(lopsided(p, bytes, share), nodes.describe().c_str()));
          ASSERT_EQ(known.blocks, Evenness::uneven);
          const auto replayed = [&](const Algorithm& algorithm, const Parameters& parameters) {
            return replay(schedules_of(known.problem, algorithm, parameters), 1, profile.rates);
          };
          const Choice choice = choose(known, nullptr, profile, 0);
          const Algorithm& ring = *parse_request("allgatherv/pipelined_ring").algorithm;
          const double rule = replayed(ring, ring.resolve(known.problem, profile.rates));
          EXPECT_LE(replayed(*choice.algorithm, choice.parameters), 1.1 * rule)
              << name << ", p = " << p << ", " << bytes << " bytes, " << share << ": "
              << choice.algorithm->name;
        }
  }
}

}  // namespace
}  // namespace tutti::core
