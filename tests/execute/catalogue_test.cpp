#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "execute/check.hpp"
#include "schedule/json.hpp"
#include "verify/cases.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

/// Every algorithm of the registry on real data.
class Catalogue : public testing::TestWithParam<const Algorithm*> {};

TEST_P(Catalogue, IsRightInAnyOrderOfMessages) {
  const Algorithm& algorithm = *GetParam();
  std::uint64_t seed = 0;
  for (int p = 1; p <= 17; ++p)
    for (const auto& [problem, parameters] : proof_cases(algorithm, p))
      for (const bool synchronous : {true, false})
        for (int repeat = problem.topology ? 1 : 0; repeat < 2; ++repeat)  // topologies are many
          ASSERT_EQ(run_and_check(problem, algorithm, parameters, {++seed, synchronous}), "")
              << problem.describe() << ", seed " << seed << ", topology "
              << (problem.topology ? problem.topology->describe() : "unknown");
}

TEST_P(Catalogue, IsEqualAfterAWayThroughJson) {
  for (const int p : {1, 4, 7})
    for (const auto& [problem, parameters] : proof_cases(*GetParam(), p))
      for (const Schedule& schedule : schedules_of(problem, *GetParam(), parameters))
        ASSERT_EQ(parse_schedule(to_json(schedule).dump()), schedule) << problem.describe();
}

std::vector<const Algorithm*> all() {
  std::vector<const Algorithm*> algorithms;
  for (const Algorithm& algorithm : registry()) algorithms.push_back(&algorithm);
  return algorithms;
}

std::string name(const testing::TestParamInfo<const Algorithm*>& algorithm) {
  std::string text = algorithm.param->full_name();
  text[text.find('/')] = '_';
  return text;
}

INSTANTIATE_TEST_SUITE_P(Registry, Catalogue, testing::ValuesIn(all()), name);

}  // namespace
}  // namespace tutti::core
