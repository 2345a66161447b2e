// Which meshes the proofs meet.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "request/request.hpp"
#include "verify/cases.hpp"

namespace tutti::core {
namespace {

/// The meshes of the proof at p as they are written, each with the roots it has.
std::map<std::string, std::set<Rank>> meshes(const Algorithm& algorithm, int p) {
  std::map<std::string, std::set<Rank>> result;
  for (const auto& [problem, parameters] : proof_cases(algorithm, p))
    result[format_value(algorithm, parameters, "shape")].insert(problem.root);
  return result;
}

TEST(ProofMeshes, HoldAllToEightByEightWithEveryRoot) {
  const Algorithm& bcast = *parse_request("bcast/hybrid").algorithm;
  for (int rows = 1; rows <= 8; ++rows)
    for (int columns = 1; columns <= 8; ++columns) {
      const std::string mesh = fmt::format("{}x{}", rows, columns);
      EXPECT_EQ(meshes(bcast, rows * columns)[mesh].size(), std::size_t(rows) * columns) << mesh;
    }
}

TEST(ProofMeshes, HoldThreeDimensionsAndMore) {
  const Algorithm& allreduce = *parse_request("allreduce/hybrid").algorithm;
  for (const auto& [p, mesh] :
       {std::pair{24, "2x3x4"}, {24, "4x3x2"}, {64, "4x4x4"}, {60, "3x4x5"}, {64, "2x2x2x2x2x2"}})
    EXPECT_TRUE(meshes(allreduce, p).contains(mesh)) << mesh;
}

// Ordered factorisations of 48 into factors from 2 on: 48 of them.
TEST(ProofMeshes, HoldEveryFactorisation) { EXPECT_EQ(proof_shapes(48).size(), 48u); }

}  // namespace
}  // namespace tutti::core
