// tutti tune as far as it goes without an MPI: a script stands for the program that measures.

#include <gtest/gtest.h>

#include "cli/command_beside.hpp"

namespace tutti::core {
namespace {

class Tune : public CommandBeside {
 protected:
  Tune() : CommandBeside("tune", "bin/tutti-mpi") {}
};

const std::string at_home = std::string(openmpi) + " HOME=/nowhere";

TEST_F(Tune, NeedsALauncher) {
  write(built("mpich"));
  expect_one_line(errors_with("HOME=/nowhere", ""), 2, "mpirun -n 4 tutti tune");
}

TEST_F(Tune, RefusesBadInput) {
  write(built("openmpi"));
  expect_one_line(errors_with(at_home, "--jsno"), 2, "--jsno");
  for (const char* bad : {"soon", "0s", "-3s", "3h", "1e9", "nan", "inf"})
    expect_one_line(errors_with(at_home, std::string("--budget=") + bad), 2,
                    std::string("--budget: '") + bad + "' is no time");
  expect_one_line(errors_with(at_home, "--show curves.png"), 2, "write a name that ends in .svg");
  expect_one_line(errors_with(at_home, "--json --show"), 2, "--show FILE.svg");
  expect_one_line(errors_with(openmpi, ""), 2, "write -o FILE");
  expect_one_line(errors_with(at_home + " TUTTI_NODE=near", ""), 2, "TUTTI_NODE: 'near'");
  const Outcome silent = errors_with("OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1", "--jsno");
  EXPECT_EQ(silent.status, 2);
  EXPECT_EQ(silent.out, "") << "one rank complains for all";
}

TEST_F(Tune, BecomesTheProgramForTheLaunchersMpi) {
  for (const char* mpi : {"openmpi", "mpich"}) write(built(mpi));
  for (const char* budget : {"3", "0.5s", "200ms", "2m"})
    EXPECT_EQ(run_with(at_home, std::string("--show --budget ") + budget).out,
              built("openmpi").string() + "\n<tune><--show><--budget><" + budget + ">");
  EXPECT_EQ(run_with(std::string(mpich) + " XDG_CONFIG_HOME=/nowhere", "").out,
            built("mpich").string() + "\n<tune>");
  EXPECT_EQ(run_with(openmpi, "-o x.json --show x.svg --json").out,
            built("openmpi").string() + "\n<tune><-o><x.json><--show><x.svg><--json>");
}

TEST_F(Tune, HelpHasExamplesThatRun) {
  write(built("openmpi"));
  const Outcome help = run_with("", "--help");
  EXPECT_EQ(help.status, 0);
  std::istringstream lines(help.out);
  const std::string verb = " tutti tune";
  int examples = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  mpirun -n ", 0) != 0) continue;
    ASSERT_NE(line.find(verb), std::string::npos) << line;
    const std::string arguments = line.substr(line.find(verb) + verb.size());
    EXPECT_EQ(run_with(at_home, arguments).out.rfind(built("openmpi").string(), 0), 0u) << line;
    ++examples;
  }
  EXPECT_GT(examples, 0);
}

}  // namespace
}  // namespace tutti::core
