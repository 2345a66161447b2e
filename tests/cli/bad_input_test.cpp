// Bad input gives one line on standard error, nothing on standard output, and exit code 2.

#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace tutti {
namespace {

struct Bad {
  const char* name;
  const char* arguments;
  const char* says;  // part of the line
};

class BadInput : public testing::TestWithParam<Bad> {};

TEST_P(BadInput, GivesOneLineAndExitCodeTwo) {
  const Outcome errors = run_for_errors(GetParam().arguments);
  EXPECT_EQ(errors.status, 2) << errors.out;
  EXPECT_EQ(errors.out.rfind("tutti: ", 0), 0u) << errors.out;
  EXPECT_EQ(errors.out.find('\n'), errors.out.size() - 1) << errors.out;
  EXPECT_NE(errors.out.find(GetParam().says), std::string::npos) << errors.out;
  EXPECT_EQ(run(std::string(GetParam().arguments) + " 2>/dev/null").out, "");
}

INSTANTIATE_TEST_SUITE_P(
    All, BadInput,
    testing::Values(
        Bad{"no_verb", "", "verb"}, Bad{"unknown_verb", "shwo", "did you mean 'show'?"},
        Bad{"unknown_option", "list --jsn", "--jsn"},
        Bad{"list_unknown_collective", "list allgahter", "did you mean 'allgather'?"},
        Bad{"show_unknown_algorithm", "show allgather/rign -p 4", "did you mean 'allgather/ring'?"},
        Bad{"show_unknown_parameter", "show bcast/chain:segmnet=4 -p 4", "did you mean 'segment'?"},
        Bad{"show_p_zero", "show allgather/ring -p 0", "'0'"},
        Bad{"show_root_out_of_range", "show bcast/binomial -p 4 --root 4", "root"},
        Bad{"show_size", "show allgather/ring -p 4 -n 12Q", "'12Q'"},
        Bad{"show_no_power_of_two", "show alltoall/pairwise_xor -p 6", "power of two"},
        Bad{"show_unknown_format", "show allgather/ring -p 4 --format pgn", "pgn"},
        Bad{"check_unknown_algorithm", "check bcast/binomail", "did you mean 'bcast/binomial'?"},
        Bad{"check_p_zero", "check --max-p 0", "--max-p"},
        Bad{"check_p_word", "check --max-p many", "many"},
        Bad{"predict_p_zero", "predict allreduce -p 0 -n 1K", "'0'"},
        Bad{"predict_size", "predict allreduce -p 8 -n 1K,12Q", "'12Q'"},
        Bad{"predict_empty_size", "predict allreduce -p 8 -n 1K,", "''"},
        Bad{"predict_unknown_profile", "predict bcast -p 8 -n 1K --profile myrinte-2000",
            "did you mean 'myrinet-2000'?"},
        Bad{"predict_unwritable", "predict bcast -p 8,9 -n 1K --map -o /nowhere/map.svg",
            "/nowhere/map.svg"}),
    [](const auto& bad) { return bad.param.name; });

TEST(BadProfile, IsNamedWithItsFault) {
  const std::string file = testing::TempDir() + "tutti_bad_profile.json";
  for (const auto& [text, says] : {std::pair{"this is no JSON", "JSON"},
                                   std::pair{"{\"name\": \"x\", \"source\": \"y\"}", "alpha_us"}}) {
    std::ofstream(file) << text;
    const Outcome errors = run_for_errors("predict allreduce -p 8 -n 1K --profile " + file);
    EXPECT_EQ(errors.status, 2) << errors.out;
    EXPECT_EQ(errors.out.find('\n'), errors.out.size() - 1) << errors.out;
    EXPECT_NE(errors.out.find(file), std::string::npos) << errors.out;
    EXPECT_NE(errors.out.find(says), std::string::npos) << errors.out;
  }
  std::remove(file.c_str());
}

}  // namespace
}  // namespace tutti
