// Which algorithms pass on what they received.

#include "execute/relays.hpp"

#include <gtest/gtest.h>

#include "request/request.hpp"

namespace tutti::core {
namespace {

bool relays_named(const char* name) { return relays(*parse_request(name).algorithm); }

TEST(Relays, TreesChainsRingsAndButterflies) {
  for (const char* name :
       {"bcast/binomial", "bcast/chain", "bcast/circulant", "reduce/binomial", "allgather/ring",
        "allgather/bruck", "allreduce/recursive_doubling", "allreduce/rabenseifner",
        "scatter/binomial", "scatterv/binomial", "alltoall/bruck", "scan/linear"})
    EXPECT_TRUE(relays_named(name)) << name;
}

TEST(Relays, NotWhatGoesStraightFromOwnerToUser) {
  for (const char* name :
       {"bcast/linear", "scatter/linear", "gather/linear", "allgather/linear", "reduce/linear",
        "alltoall/linear", "alltoall/pairwise", "alltoall/pairwise_xor", "alltoallv/pairwise",
        "reduce_scatter/pairwise"})
    EXPECT_FALSE(relays_named(name)) << name;
}

TEST(Relays, EveryAlgorithmHasAnAnswer) {
  for (const Algorithm& algorithm : registry()) EXPECT_NO_THROW(relays(algorithm));
}

TEST(Relays, ARowOutsideTheTableHasItsOwnAnswer) {
  for (const char* name : {"bcast/chain", "allgather/linear", "allreduce/leader"}) {
    const Algorithm& known = *parse_request(name).algorithm;
    const std::vector<Algorithm> others(3, known);  // where nothing of the table stands
    for (const Algorithm& other : others) EXPECT_EQ(relays(other), relays(known)) << name;
  }
  Algorithm straight = *parse_request("bcast/chain").algorithm;
  straight.generate = parse_request("bcast/linear").algorithm->generate;
  EXPECT_FALSE(relays(straight));
}

}  // namespace
}  // namespace tutti::core
