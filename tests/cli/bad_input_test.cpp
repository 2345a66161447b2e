// Bad input gives one line on standard error, nothing on standard output, and exit code 2.

#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace tutti::core {
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
        Bad{"crossover_with_bytes", "predict --crossover bcast -p 8 -n 1K", "-n"},
        Bad{"crossover_of_a_barrier", "predict --crossover barrier -p 8", "moves no data"},
        Bad{"crossover_among_others", "predict --crossover bcast -p 8 --among rign",
            "'bcast/rign'"},
        Bad{"explain_without_ranks", "explain allreduce -n 1M", "-p RANKS"},
        Bad{"explain_without_bytes", "explain allreduce -p 8", "-n SIZES"},
        Bad{"explain_mesh_too_small", "explain bcast --mesh 4x8 -p 33 -n 1K", "33 are needed"},
        Bad{"explain_mesh_too_large", "explain bcast --mesh 64x64 -n 1K", "at most 1024"},
        Bad{"explain_mesh_many_ranks", "explain bcast --mesh 8x8 --topology 64x64 -n 1K",
            "too many ranks"},
        Bad{"explain_no_mesh", "explain bcast --mesh 4by8 -n 1K", "is no mesh"},
        Bad{"predict_mesh_map", "predict bcast --mesh 4x8 -p 8 -n 1K --map", "--mesh"},
        Bad{"explain_size_of_a_v", "explain scatterv -p 8 -n 1K", "common size"},
        Bad{"explain_barrier_with_bytes", "explain barrier -p 8 -n 1K", "leave -n out"},
        Bad{"show_unknown_parameter", "show bcast/chain:segmnet=4 -p 4", "did you mean 'segment'?"},
        Bad{"show_p_zero", "show allgather/ring -p 0", "'0'"},
        Bad{"show_root_out_of_range", "show bcast/binomial -p 4 --root 4", "root"},
        Bad{"show_size", "show allgather/ring -p 4 -n 12Q", "'12Q'"},
        Bad{"show_segments_beyond_int", "show bcast/chain:segment=1 -p 4 -n 8G",
            "8589934592 pieces"},
        Bad{"show_blocks_beyond_int", "show bcast/circulant:blocks=4G -p 4", "4294967296 pieces"},
        Bad{"show_blocks_that_wrap", "show bcast/circulant:blocks=3G -p 4 -n 8G --format json",
            "3221225472 pieces"},
        Bad{"show_pieces_of_each_block", "show allgatherv/circulant:blocks=1M -p 256 -n 1G",
            "268435456 pieces"},
        Bad{"show_too_long", "show bcast/chain:segment=1 -p 8 -n 100K", "larger segments"},
        Bad{"show_too_many_ranks", "show alltoallv/linear -p 1000000 --format json", "1000000"},
        Bad{"show_p_beyond_limit", "show allgather/ring -p 16777217", "'16777217'"},
        Bad{"show_count_negative", "show allgather/ring -p 4 --count -1", "'-1'"},
        Bad{"show_count_word", "show allgather/ring -p 4 --count few", "'few'"},
        Bad{"show_count_too_large", "show allreduce/ring -p 4 --count 2305843009213693952",
            "2^60 bytes"},
        Bad{"show_bytes_too_large", "show allreduce/ring -p 4 -n 17179869183G", "2^60 bytes"},
        Bad{"show_unequal_blocks", "show allgather/ring -p 8 --count 3", "multiple of 8"},
        Bad{"show_barrier_with_bytes", "show barrier/binomial -p 4 -n 4K", "-n"},
        Bad{"show_barrier_with_count", "show barrier/binomial -p 4 --count 4", "--count"},
        Bad{"show_no_operator", "show bcast/binomial -p 4 --noncommutative", "--noncommutative"},
        Bad{"show_no_root", "show allgather/ring -p 4 --root 0", "--root"},
        Bad{"show_empty_bytes", "show allgather/ring -p 4 -n ''", "'-n'"},
        Bad{"show_empty_file", "show allgather/ring -p 4 -o ''", "'-o'"},
        Bad{"show_empty_value", "show allgather/ring -p 4 --count=", "'--count='"},
        Bad{"show_parameter_comma", "show bcast/chain:segment=4, -p 4", "','"},
        Bad{"show_parameter_without_value", "show bcast/chain:segment -p 4", "segment=VALUE"},
        Bad{"show_no_power_of_two", "show alltoall/pairwise_xor -p 6", "power of two"},
        Bad{"show_unknown_format", "show allgather/ring -p 4 --format pgn", "pgn"},
        Bad{"check_unknown_algorithm", "check bcast/binomail", "did you mean 'bcast/binomial'?"},
        Bad{"check_p_zero", "check --max-p 0", "--max-p"},
        Bad{"check_p_beyond_limit", "check --max-p 2000000000", "2000000000"},
        Bad{"check_empty", "check ''", "'check'"},
        Bad{"check_parameter", "check bcast/chain:segment=0 --max-p 3", "segment"},
        Bad{"check_nothing_to_prove", "check alltoall/pairwise_xor --min-p 3 --max-p 3",
            "power of two"},
        Bad{"check_p_word", "check --max-p many", "many"},
        Bad{"predict_p_zero", "predict allreduce -p 0 -n 1K", "'0'"},
        Bad{"predict_p_beyond_limit", "predict bcast -p 2000000000 -n 1K", "16777216"},
        Bad{"predict_no_size", "predict allreduce -p 8", "-n"},
        Bad{"predict_barrier_with_size", "predict barrier -p 8 -n 8", "-n"},
        Bad{"predict_no_operator", "predict bcast -p 8 -n 8 --noncommutative", "--noncommutative"},
        Bad{"predict_empty_profile", "predict bcast -p 8 -n 8 --profile ''", "'--profile'"},
        Bad{"predict_size", "predict allreduce -p 8 -n 1K,12Q", "'12Q'"},
        Bad{"predict_empty_size", "predict allreduce -p 8 -n 1K,", "''"},
        Bad{"predict_unknown_profile", "predict bcast -p 8 -n 1K --profile myrinte-2000",
            "did you mean 'myrinet-2000'?"},
        Bad{"predict_unwritable", "predict bcast -p 8,9 -n 1K --map -o /nowhere/map.svg",
            "/nowhere/map.svg"}),
    [](const auto& bad) { return bad.param.name; });

// A full disk must not look like success, whoever prints.
TEST(FullDisk, GivesOneLineAndExitCodeTwo) {
  for (const std::string arguments : {"list", "show bcast/binomial -p 4", "check barrier --max-p 3",
                                      "predict bcast -p 4 -n 8", "--help"}) {
    const Outcome errors = run(arguments + " 2>&1 >/dev/full");
    EXPECT_EQ(errors.status, 2) << arguments;
    EXPECT_EQ(errors.out.rfind("tutti: cannot write", 0), 0u) << errors.out;
    EXPECT_EQ(errors.out.find('\n'), errors.out.size() - 1) << errors.out;
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need address space
// With little address space even a fair problem does not fit.
TEST(NoMemory, SaysWhatToReduce) {
  FILE* pipe = popen(
      "ulimit -v 200000; " TUTTI_COMMAND " show alltoall/linear -p 600 --format json 2>&1", "r");
  ASSERT_NE(pipe, nullptr);
  char line[200] = "";
  ASSERT_NE(fgets(line, sizeof line, pipe), nullptr);
  EXPECT_NE(std::string(line).find("fewer ranks"), std::string::npos) << line;
  const int status = pclose(pipe);
  EXPECT_EQ(WEXITSTATUS(status), 2);
}
#endif

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
}  // namespace tutti::core
