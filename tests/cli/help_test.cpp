#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace tutti::core {
namespace {

TEST(Help, EveryVerbHasADescriptionAndExamples) {
  const Outcome outcome = run("--help");
  ASSERT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("\nVerbs:\n"), std::string::npos) << outcome.out;
  for (const std::string verb : {"list", "show", "check", "predict", "explain", "report"}) {
    EXPECT_NE(outcome.out.find("\n  " + verb + " "), std::string::npos) << outcome.out;
    const Outcome help = run(verb + " --help");
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("EXAMPLES\n  tutti " + verb), std::string::npos) << help.out;
  }
}

// What a help text shows must work: every example is run.
TEST(Help, ExamplesRun) {
  for (const std::string verb : {"list", "show", "check", "predict", "explain"}) {
    std::istringstream lines(run(verb + " --help").out);
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("  tutti " + verb, 0) != 0) continue;
      std::string arguments = line.substr(std::string("  tutti ").size());
      if (arguments == "check") arguments += " --max-p 3";  // the whole takes a minute
      if (const std::size_t at = arguments.find(" -o "); at != std::string::npos)
        arguments.replace(at, std::string::npos, " -o /dev/null");
      EXPECT_EQ(run(arguments + " 2>&1").status, 0) << line;
    }
  }
}

TEST(Help, VersionIsOneLine) {
  const Outcome outcome = run("--version");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.rfind("tutti ", 0), 0u);
  EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1);
}

}  // namespace
}  // namespace tutti::core
