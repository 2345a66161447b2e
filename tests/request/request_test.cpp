#include <gtest/gtest.h>

#include "request/request.hpp"

namespace tutti::core {
namespace {

std::string complaint(std::string_view text) {
  try {
    parse_request(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Request, ReadsANameWithAndWithoutParameters) {
  const Request plain = parse_request("allgather/ring");
  EXPECT_EQ(plain.algorithm->full_name(), "allgather/ring");
  EXPECT_TRUE(plain.parameters.empty());

  const Request chain = parse_request("bcast/chain:segment=32K");
  EXPECT_EQ(chain.algorithm->full_name(), "bcast/chain");
  EXPECT_EQ(chain.parameters, (Parameters{{"segment", 32 * 1024}}));
}

TEST(Request, ReadsEveryNameOfTheRegistry) {
  for (const Algorithm& algorithm : registry())
    EXPECT_EQ(parse_request(algorithm.full_name()).algorithm, &algorithm);
}

TEST(Request, IsWrittenAsItIsRead) {
  const std::string text = "bcast/chain:segment=4096";
  const Request request = parse_request(text);
  EXPECT_EQ(format_request(*request.algorithm, request.parameters), text);
  EXPECT_EQ(format_request(*request.algorithm, {}), "bcast/chain");
}

TEST(Request, ReadsAndWritesAnInnerAlgorithmByName) {
  for (const std::string text :
       {"allreduce/leader:inner=ring", "allreduce/multi_leader:inner=rabenseifner,leaders=2",
        "alltoall/send_aggregation:inner=bruck", "bcast/leader:inner=chain,inner.segment=4096",
        "bcast/leader:inner=hybrid,inner.long=1,inner.shape=2x3",
        "bcast/multi_leader:inner=leader,inner.inner=chain,inner.inner.segment=4096,"
        "leaders=domains"}) {
    const Request request = parse_request(text);
    EXPECT_EQ(format_request(*request.algorithm, request.parameters), text);
  }
  const Request request = parse_request("allreduce/multi_leader:leaders=3,inner=ring");
  EXPECT_EQ(request.parameters.at("leaders"), 3u);
  EXPECT_EQ(inner_algorithm(Collective::allreduce, request.parameters.at("inner")).full_name(),
            "allreduce/ring");
}

TEST(Request, ReadsAndWritesAShape) {
  const std::string text = "bcast/hybrid:long=1,shape=16x32";
  const Request request = parse_request(text);
  EXPECT_EQ(format_request(*request.algorithm, request.parameters), text);
  EXPECT_EQ(complaint("bcast/hybrid:shape=16by32"),
            "shape of bcast/hybrid: '16by32' is no shape: write its dimensions as 16x32 or 4x4x2");
  EXPECT_EQ(complaint("bcast/hybrid:long=short").rfind("long of bcast/hybrid: 'short'", 0), 0u);
}

TEST(Request, RefusesWhatCannotBeInner) {
  EXPECT_EQ(complaint("barrier/leader:inner=binomal"),
            "inner of barrier/leader cannot be 'binomal': did you mean 'binomial'?: write one of "
            "linear, dissemination, binomial");
  // A composition in a composition, and another collective's.
  for (const char* text : {"barrier/leader:inner=leader", "barrier/leader:inner=ring",
                           "barrier/leader:inner=0", "allreduce/leader:inner=full_lane"})
    EXPECT_NE(complaint(text).find("cannot be"), std::string::npos) << text;
  EXPECT_EQ(complaint("bcast/leader:inner.segment=4"),
            "inner.segment of bcast/leader: write inner=ALGORITHM before it");
  EXPECT_EQ(complaint("bcast/leader:inner=chain,inner.radix=4"),
            "unknown parameter 'radix' of bcast/chain: it has segment");
  EXPECT_EQ(complaint("bcast/leader:inner=binomial,inner.segment=4"),
            "unknown parameter 'segment' of bcast/binomial: it has no parameters");
  EXPECT_EQ(complaint("allreduce/multi_leader:leaders=0"),
            "leaders of allreduce/multi_leader: 0 leaders: write 2 or domains");
}

TEST(Request, SuggestsWhatWasMeant) {
  EXPECT_EQ(
      complaint("allgather/rign"),
      "unknown algorithm 'allgather/rign': did you mean 'allgather/ring'? (tutti list allgather)");
  EXPECT_EQ(complaint("algather/ring"),
            "unknown collective 'algather': did you mean 'allgather'? (tutti list)");
  EXPECT_EQ(complaint("bcast/chain:segmnet=1K"),
            "unknown parameter 'segmnet' of bcast/chain: did you mean 'segment'?");
}

TEST(Request, NamesTheOffenderWhereThereIsNoSuggestion) {
  EXPECT_EQ(complaint("sort/quick"), "unknown collective 'sort' (tutti list)");
  EXPECT_EQ(complaint("allgather/magic"),
            "unknown algorithm 'allgather/magic' (tutti list allgather)");
  EXPECT_EQ(complaint("allgather"),
            "'allgather' names no algorithm: write allgather/ALGORITHM (tutti list allgather)");
  EXPECT_EQ(complaint("allgather/ring:segment=1K"),
            "unknown parameter 'segment' of allgather/ring: it has no parameters");
  EXPECT_EQ(complaint("bcast/chain:weight=1"),
            "unknown parameter 'weight' of bcast/chain: it has segment");
  EXPECT_EQ(complaint("bcast/chain:segment=12Q").rfind("segment of bcast/chain: '12Q'", 0), 0u);
  EXPECT_NE(complaint("bcast/chain:segment=0").find("at least 1"), std::string::npos);
  for (const char* text : {"bcast/chain:segment", "bcast/chain:segment="})
    EXPECT_EQ(complaint(text), "segment of bcast/chain has no value: write segment=VALUE");
  EXPECT_NE(complaint("bcast/chain:segment=4,").find("ends after ','"), std::string::npos);
  EXPECT_NE(complaint("bcast/chain:").find("ends after ':'"), std::string::npos);
  EXPECT_NE(complaint("bcast/chain:segment=1K,segment=2K").find("twice"), std::string::npos);
  EXPECT_NE(complaint(""), "");
}

}  // namespace
}  // namespace tutti::core
