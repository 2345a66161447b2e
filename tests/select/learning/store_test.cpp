#include "select/learning/store.hpp"

#include <gtest/gtest.h>

#include "request/request.hpp"

namespace tutti::core {
namespace {

Profile empty() {
  Profile profile = default_profile();
  profile.name = learned_name;
  return profile;
}

Learned learned(const std::string& request, int size_class, double us,
                const std::string& topology = "1x4") {
  const Request parsed = parse_request(request);
  return {parsed.algorithm->collective, parse_topology(topology), size_class, parsed, us * 1e-6};
}

/// `ring` if that was learned, `(ring)` if it only fills a gap.
std::string at(const Profile& profile, Collective collective, std::size_t bytes) {
  const Decision* const found = profile.decisions.find(collective, *parse_topology("1x4"), bytes);
  if (found == nullptr) return "";
  const std::string name(found->request ? found->request->algorithm->name : "native");
  return found->measured ? name : "(" + name + ")";
}

TEST(Learned, HoldsForItsSizesAlone) {
  Profile profile = empty();
  const Learned all[] = {learned("allreduce/ring", 10, 20), learned("allreduce/linear", 3, 2)};
  add_learned(profile, all);
  const auto name = [&](std::size_t bytes) { return at(profile, Collective::allreduce, bytes); };
  EXPECT_EQ(name(4), "(linear)");
  EXPECT_EQ(name(5), "linear");
  EXPECT_EQ(name(8), "linear");
  EXPECT_EQ(name(9), "(linear)");
  EXPECT_EQ(name(512), "(linear)");
  EXPECT_EQ(name(513), "ring");
  EXPECT_EQ(name(1024), "ring");
  EXPECT_EQ(name(1025), "(ring)");
  EXPECT_EQ(at(profile, Collective::bcast, 8), "");
}

TEST(Learned, WhatIsNewerCounts) {
  Profile profile = empty();
  const Learned first[] = {learned("allreduce/ring", 10, 20), learned("allreduce/ring", 11, 30)};
  add_learned(profile, first);
  Learned native = learned("allreduce/ring", 10, 10);
  native.request.reset();
  const Learned second[] = {native, learned("allreduce/linear", 10, 1, "2x2")};
  add_learned(profile, second);
  const auto name = [&](std::size_t bytes) { return at(profile, Collective::allreduce, bytes); };
  EXPECT_EQ(name(600), "native");
  EXPECT_EQ(name(1024), "native");
  EXPECT_EQ(name(1025), "ring");
  EXPECT_EQ(profile.decisions.rows().size(), 2u) << "each topology has its own";
}

TEST(Learned, EvenAndUnevenBlocksApart) {
  Profile profile = empty();
  Learned all[] = {learned("allgatherv/bruck", 10, 20),
                   learned("allgatherv/pipelined_ring", 10, 9)};
  all[0].blocks = Evenness::even;
  all[1].blocks = Evenness::uneven;
  add_learned(profile, all);
  EXPECT_EQ(at(profile, Collective::allgatherv, 1000), "bruck");
  const Decision* const uneven = profile.decisions.find(
      Collective::allgatherv, *parse_topology("1x4"), 1000, Evenness::uneven);
  ASSERT_NE(uneven, nullptr);
  EXPECT_EQ(uneven->request->algorithm->name, "pipelined_ring");
}

TEST(Learned, WithoutASizeThereIsOneChoice) {
  Profile profile = empty();
  const Learned all[] = {learned("barrier/dissemination", -1, 3)};
  add_learned(profile, all);
  EXPECT_EQ(at(profile, Collective::barrier, 0), "dissemination");
  EXPECT_EQ(profile.decisions.rows()[0].choices.size(), 1u);
}

TEST(Learned, TheSmallestClasses) {
  Profile profile = empty();
  const Learned all[] = {learned("bcast/binomial", 0, 1), learned("bcast/linear", 1, 2),
                         learned("bcast/binomial", 2, 3)};
  add_learned(profile, all);
  const auto name = [&](std::size_t bytes) { return at(profile, Collective::bcast, bytes); };
  EXPECT_EQ(name(1), "binomial");
  EXPECT_EQ(name(2), "linear");
  EXPECT_EQ(name(3), "binomial");
  EXPECT_EQ(name(4), "binomial");
  EXPECT_EQ(name(5), "(binomial)");
}

TEST(Learned, IsReadBack) {
  Profile profile = empty();
  const Learned all[] = {learned("bcast/chain:segment=32K", 20, 900)};
  add_learned(profile, all);
  const Profile back = parse_profile(format_profile(profile), "text");
  EXPECT_TRUE(is_learned(back));
  EXPECT_EQ(at(back, Collective::bcast, 1 << 20), "chain");
  EXPECT_EQ(at(back, Collective::bcast, (1 << 20) + 1), "(chain)");
}

TEST(Learned, WhatNobodyFoundOutIsKnownToBeLacking) {
  Profile profile = default_profile();
  profile.name = learned_name;
  const auto stored = [&] { return parse_profile(format_profile(profile), "stored"); };
  EXPECT_TRUE(has_default_network(stored()));
  EXPECT_TRUE(has_default_nodes(stored()));
  profile.node->reading = 3;  // looked at whenever ranks share a node
  EXPECT_TRUE(has_default_nodes(stored()));
  profile.node->latency *= 1.5;
  EXPECT_FALSE(has_default_nodes(stored()));
  EXPECT_TRUE(has_default_network(stored()));
  profile.rates.alpha *= 1.5;
  EXPECT_FALSE(has_default_network(stored()));
}

}  // namespace
}  // namespace tutti::core
