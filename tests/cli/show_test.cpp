#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace tutti::core {
namespace {

TEST(Show, TextByDefault) {
  const Outcome outcome = run("show allgather/bruck -p 6");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("allgather/bruck, p = 6, blocks of 1 byte"), std::string::npos);
  EXPECT_NE(outcome.out.find("5 -> 4  5"), std::string::npos);
}

TEST(Show, SizesAreBytesOrElementsInAll) {
  EXPECT_NE(run("show allreduce/ring -p 4 -n 1K").out.find("128 elements (1024 bytes)"),
            std::string::npos);
  EXPECT_NE(run("show allreduce/ring -p 4 --count 8").out.find("8 elements (64 bytes)"),
            std::string::npos);
  EXPECT_NE(
      run("show scatter/binomial -p 4 -n 1K --root 2").out.find("root 2, blocks of 256 bytes"),
      std::string::npos);
}

TEST(Show, WritesAFile) {
  const std::string file = testing::TempDir() + "show.svg";
  const Outcome outcome = run("show allreduce/rabenseifner -p 13 --format svg -o " + file);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(contents(file).rfind("<?xml", 0), 0u);
}

// The page holds the film: the first and the last step, and times by the profile.
TEST(Show, HtmlIsAPageThatPlays) {
  const Outcome outcome = run("show allgather/ring -p 4 -n 4K --format html --profile ibm-sp");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.rfind("<!doctype html>", 0), 0u);
  const std::string place = "id=\"data\">";
  const std::size_t begin = outcome.out.find(place) + place.size();
  const auto data = nlohmann::json::parse(
      outcome.out.substr(begin, outcome.out.find("</script>", begin) - begin));
  const auto& film = data["schedules"][0];
  EXPECT_EQ(film["name"], "allgather/ring");
  EXPECT_EQ(film["profile"], "ibm-sp");
  EXPECT_EQ(film["p"], 4);
  EXPECT_EQ(film["scenes"].back()["title"], "step 3");
  EXPECT_EQ(film["scenes"].back()["messages"].size(), 4u);
  EXPECT_GT(film["scenes"].back()["us"], 0);
}

// Whoever reads the old file while a new one is written, or cannot be, has it whole.
TEST(Show, AFileThatCannotBeWrittenStays) {
  const std::string folder = testing::TempDir() + "show-stays";
  EXPECT_EQ(
      shell("rm -rf " + folder + " && mkdir " + folder + " && echo old >" + folder + "/x").status,
      0);
  EXPECT_NE(shell("(ulimit -f 1; " TUTTI_COMMAND " show allgather/ring -p 64 --format html -o " +
                  folder + "/x) >/dev/null 2>&1")
                .status,
            0);
  EXPECT_EQ(contents(folder + "/x"), "old\n");
}

TEST(Show, JsonHoldsTheWholeProblem) {
  const Outcome outcome = run("show bcast/chain:segment=4 -p 3 --count 8 --format json");
  EXPECT_EQ(outcome.status, 0);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["algorithm"], "bcast/chain");
  EXPECT_EQ(json["problem"]["collective"], "bcast");
  EXPECT_EQ(json["problem"]["p"], 3);
  EXPECT_EQ(json["problem"]["count"], 8);
  EXPECT_EQ(json["parameters"].size(), 1u);
  EXPECT_EQ(json["schedules"].size(), 3u);
  EXPECT_EQ(json["schedules"][0]["rounds"][0][0]["action"], "send");
}

// A radix beyond p is as good as p, whatever its size.
TEST(Show, ARadixBeyondPIsP) {
  const auto schedules = [](const std::string& radix) {
    const Outcome outcome = run("show alltoall/bruck:radix=" + radix + " -p 4 --format json");
    EXPECT_EQ(outcome.status, 0);
    return nlohmann::json::parse(outcome.out)["schedules"];
  };
  EXPECT_EQ(schedules("4G"), schedules("4"));
}

// A segment is never larger than what there is.
TEST(Show, ASegmentBeyondTheDataIsAllOfIt) {
  const auto schedules = [](const std::string& segment) {
    const Outcome outcome =
        run("show allgatherv/pipelined_ring:segment=" + segment + " -p 4 -n 10 --format json");
    EXPECT_EQ(outcome.status, 0);
    return nlohmann::json::parse(outcome.out)["schedules"];
  };
  EXPECT_EQ(schedules("18446744073709551615"), schedules("10"));
}

TEST(Show, BadInputIsOneLine) {
  for (const std::string arguments :
       {"show allgather/rign -p 4", "show allgather/ring -p 0", "show allgather/ring -p 4 -n 12Q",
        "show bcast/binomial -p 4 --root 4", "show allgather/ring -p 4 --root 1",
        "show alltoall/pairwise_xor -p 6", "show allreduce/ring -p 4 -n 12",
        "show allgather/ring -p 257", "show allgather/ring -p 4 --format png",
        "show allgather/ring -p 4 -n 8 --count 8", "show allreduce/ring -p 4 --noncommutative",
        "show allgather/ring -p 4 -o /no/such/folder/x"}) {
    const Outcome outcome = run_for_errors(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out.rfind("tutti: ", 0), 0u) << outcome.out;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  }
}

TEST(Show, TakesATopology) {
  const Outcome outcome = run("show allreduce/leader:inner=ring --topology 2x3 --format json");
  ASSERT_EQ(outcome.status, 0);
  const auto shown = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(shown["problem"]["p"], 6);
  EXPECT_EQ(shown["problem"]["topology"], "2x3");
  EXPECT_EQ(shown["parameters"]["inner"], "ring");
  EXPECT_EQ(run("show allreduce/leader:inner=ring --topology 2x3 -p 6 --format json").out,
            outcome.out);
  EXPECT_NE(run_for_errors("show allreduce/leader --topology 2x3 -p 7").out.find("has 6 ranks"),
            std::string::npos);
  EXPECT_NE(run_for_errors("show allreduce/leader").out.find("how many ranks? Write -p RANKS"),
            std::string::npos);
  EXPECT_NE(run("show bcast/leader --topology 2x2").out.find("bcast/leader:inner="),
            std::string::npos);
}

TEST(Show, DrawsAMesh) {
  const Outcome outcome = run("show bcast/binomial --mesh 2x3 --root 1");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.rfind("bcast/binomial, root 1, on mesh:2x3\n", 0), 0u) << outcome.out;
  EXPECT_EQ(run("show bcast/binomial --mesh 2x3 -p 6 --root 1").out, outcome.out);
  EXPECT_EQ(run("show allgather/ring --mesh torus:2x3 --format svg").out.rfind("<?xml", 0), 0u);
  const auto said = [](const std::string& arguments) {
    const Outcome refused = run_for_errors("show " + arguments);
    EXPECT_EQ(refused.status, 2) << arguments;
    EXPECT_EQ(std::count(refused.out.begin(), refused.out.end(), '\n'), 1) << refused.out;
    return refused.out;
  };
  EXPECT_NE(said("bcast/binomial --mesh 2x3 -p 5").find("has 6 ranks, -p is 5"), std::string::npos);
  EXPECT_NE(said("bcast/binomial --mesh 2y3").find("is no mesh"), std::string::npos);
  EXPECT_NE(said("bcast/binomial --mesh 32x32").find("at most 512\n"), std::string::npos);
  EXPECT_NE(said("bcast/binomial --mesh 2x13").find("12 are the most in text"), std::string::npos);
  EXPECT_NE(said("bcast/binomial --mesh 2x2x2").find("has 3 dimensions"), std::string::npos);
  EXPECT_NE(said("allgather/ring --mesh 16x16 --format svg").find("255 panels of 256 ranks"),
            std::string::npos);
  EXPECT_NE(said("bcast/binomial --mesh 2x3 --format json").find("--mesh draws a picture"),
            std::string::npos);
}

}  // namespace
}  // namespace tutti::core
