// tutti topology as far as it goes without an MPI: a script stands for the program that looks.

#include <gtest/gtest.h>

#include "cli/command_beside.hpp"

namespace tutti::core {
namespace {

class Topology : public CommandBeside {
 protected:
  Topology() : CommandBeside("topology", "bin/tutti-mpi") {}
};

TEST_F(Topology, NeedsALauncher) {
  write(built("mpich"));
  expect_one_line(errors_with("", ""), 2, "mpirun -n 4 tutti topology");
}

TEST_F(Topology, RefusesBadInput) {
  write(built("openmpi"));
  expect_one_line(errors_with(openmpi, "--jsno"), 2, "--jsno");
  expect_one_line(errors_with(openmpi, "--mpi lam"), 2, "lam");
  expect_one_line(errors_with(std::string(openmpi) + " TUTTI_NODE=near", ""), 2,
                  "TUTTI_NODE: 'near'");
  const Outcome silent = errors_with("OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1", "--jsno");
  EXPECT_EQ(silent.status, 2);
  EXPECT_EQ(silent.out, "") << "one rank complains for all";
}

TEST_F(Topology, BecomesTheProgramForTheLaunchersMpi) {
  for (const char* mpi : {"openmpi", "mpich"}) write(built(mpi));
  EXPECT_EQ(run_with(openmpi, "--json").out, built("openmpi").string() + "\n<topology><--json>");
  EXPECT_EQ(run_with(mpich, "").out, built("mpich").string() + "\n<topology>");
}

TEST_F(Topology, HelpHasExamplesThatRun) {
  write(built("openmpi"));
  const Outcome help = run_with("", "--help");
  EXPECT_EQ(help.status, 0);
  std::istringstream lines(help.out);
  const std::string verb = " tutti topology";
  int examples = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  mpirun -n ", 0) != 0) continue;
    ASSERT_NE(line.find(verb), std::string::npos) << line;
    const std::string arguments = line.substr(line.find(verb) + verb.size());
    EXPECT_EQ(run_with(openmpi, arguments).out.rfind(built("openmpi").string(), 0), 0u) << line;
    ++examples;
  }
  EXPECT_GT(examples, 0);
}

}  // namespace
}  // namespace tutti::core
