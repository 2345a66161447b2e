// tutti bench as far as it goes without an MPI: a script stands for the program that measures.

#include <gtest/gtest.h>

#include <vector>

#include "cli/command_beside.hpp"

namespace tutti::core {
namespace {

class Bench : public CommandBeside {
 protected:
  Bench() : CommandBeside("bench", "bin/tutti-mpi") {}
};

TEST_F(Bench, NeedsALauncher) {
  write(built("mpich"));
  expect_one_line(errors_with("", ""), 2, "mpirun -n 4 tutti bench");
  EXPECT_EQ(run_with("", "2>/dev/null").out, "");
}

TEST_F(Bench, RefusesBadInput) {
  write(built("openmpi"));
  for (const auto& [arguments, says] : {
           std::pair{"--grid qiuck", "qiuck"},
           std::pair{"--collectives allgahter", "did you mean 'allgather'?"},
           std::pair{"--collectives bcast,", "''"},
           std::pair{"--distributions spkie", "did you mean 'spike'?"},
           std::pair{"--types duoble", "did you mean 'double'?"},
           std::pair{"--algorithm allreduce/rnig", "did you mean 'allreduce/ring'?"},
           std::pair{"--algorithm bcast/chain:segmnet=4", "did you mean 'segment'?"},
           std::pair{"--collectives bcast --algorithm allreduce/ring",
                     "add allreduce to --collectives"},
           std::pair{"--algorithm scan/linear", "the grid quick: add scan to --collectives"},
           std::pair{"--guidelines --collectives bcast", "--collectives"},
           std::pair{"--guidelines --algorithm bcast/chain", "--algorithm"},
           std::pair{"--guidelines --types double", "--types"},
           std::pair{"--guidelines --distributions all", "--distributions"},
           std::pair{"--regret --guidelines", "--guidelines"},
           std::pair{"--regret --all", "--all"},
           std::pair{"--regret --algorithm bcast/chain", "--algorithm"},
           std::pair{"--csv --json", "--json"},
           std::pair{"--collectives scan --types strided", "strided"},
           std::pair{"-n 12Q", "'12Q'"},
           std::pair{"-n 1K,,2K", "''"},
           std::pair{"-n ''", "'-n'"},
           std::pair{"-p 0", "'0'"},
           std::pair{"-p two", "'two'"},
           std::pair{"--root -1", "--root"},
           std::pair{"--repetitions 0", "--repetitions"},
           std::pair{"--budget 0", "--budget"},
           std::pair{"--passes 0", "--passes"},
           std::pair{"--guidelines --passes 3", "--passes"},
           std::pair{"--precision 0", "--precision"},
           std::pair{"--within 0.5", "--within"},
           std::pair{"--within 2", "--profile"},
           std::pair{"--algorithms near", "near"},
           std::pair{"--algorithms flat --algorithm allreduce/ring", "--algorithms"},
           std::pair{"--guidelines --algorithms flat", "--algorithms"},
           std::pair{"--algorithms node --within 2 --profile myrinet-2000", "--within"},
           std::pair{"--algorithms chosen --within 2 --profile myrinet-2000", "--within"},
           std::pair{"--algorithms chosen --regret", "--regret"},
           std::pair{"--start gun", "gun"},
           std::pair{"--profile myrinte-2000", "did you mean 'myrinet-2000'?"},
           std::pair{"--mpi lam", "lam"},
           std::pair{"-o ''", "'-o'"},
           std::pair{"--repetitoins 3", "--repetitoins"},
           std::pair{"all", "all"},
       }) {
    expect_one_line(errors_with(openmpi, arguments), 2, says);
    EXPECT_EQ(run_with(openmpi, std::string(arguments) + " 2>/dev/null").out, "") << arguments;
  }
}

TEST_F(Bench, RefusesABadEnvironment) {
  write(built("openmpi"));
  expect_one_line(errors_with(std::string(openmpi) + " TUTTI_PIECE=12Q", ""), 2,
                  "TUTTI_PIECE: '12Q'");
  expect_one_line(errors_with(std::string(openmpi) + " TUTTI_EXPLIAN=1", ""), 2,
                  "did you mean 'TUTTI_EXPLAIN'?");
}

TEST_F(Bench, OneRankComplains) {
  for (const char* variables : {"OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1",
                                "PMI_SIZE=2 PMI_RANK=1 MPI_LOCALNRANKS=2"}) {
    const Outcome silent = errors_with(variables, "--types duoble");
    EXPECT_EQ(silent.status, 2) << variables;
    EXPECT_EQ(silent.out, "") << variables;
  }
}

TEST_F(Bench, BecomesTheProgramForTheLaunchersMpi) {
  for (const char* mpi : {"openmpi", "mpich"}) write(built(mpi));
  const std::string arguments = "--collectives bcast,scan -n 8,1K --all";
  const std::string given = "\n<bench><--collectives><bcast,scan><-n><8,1K><--all>";
  EXPECT_EQ(run_with(openmpi, arguments).out, built("openmpi").string() + given);
  EXPECT_EQ(run_with(mpich, arguments).out, built("mpich").string() + given);
  EXPECT_EQ(run_with("", "--mpi mpich").out, built("mpich").string() + "\n<bench><--mpi><mpich>");
  EXPECT_EQ(run_with("SLURM_PROCID=0", "--mpi openmpi").out,
            built("openmpi").string() + "\n<bench><--mpi><openmpi>");
  expect_one_line(errors_with("SLURM_PROCID=0", ""), 2, "--mpi openmpi or --mpi mpich");
}

TEST_F(Bench, PrefersWhatIsInstalled) {
  write(built("mpich"));
  write(installed("mpich"));
  EXPECT_EQ(run_with(mpich, "").out, installed("mpich").string() + "\n<bench>");
}

TEST_F(Bench, SaysWhereItLookedAndHowToBuild) {
  write(built("openmpi"));
  const Outcome errors = errors_with(mpich, "");
  expect_one_line(errors, 2, "cmake --preset mpich && cmake --build --preset mpich");
  for (const std::string place : {installed("mpich"), built("mpich")})
    EXPECT_NE(errors.out.find(place), std::string::npos) << errors.out;
  EXPECT_EQ(errors.out.find("openmpi"), std::string::npos) << errors.out;
}

TEST_F(Bench, ReportsAProgramThatDoesNotStartAsShellsDo) {
  write(built("mpich"), false);
  expect_one_line(errors_with(mpich, ""), 126, built("mpich"));
}

TEST_F(Bench, HelpHasExamplesThatRun) {
  for (const char* mpi : {"openmpi", "mpich"}) write(built(mpi));
  const Outcome help = run_with("", "--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("EXAMPLES\n  mpirun -n 4 tutti bench\n"), std::string::npos) << help.out;
  std::istringstream lines(help.out);
  const std::string verb = " tutti bench";
  int examples = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  mpirun -n ", 0) != 0) continue;
    ASSERT_NE(line.find(verb), std::string::npos) << line;
    const std::string arguments = line.substr(line.find(verb) + verb.size());
    EXPECT_EQ(run_with(openmpi, arguments + " 2>&1").status, 0) << line;
    EXPECT_EQ(run_with(openmpi, arguments).out.rfind(built("openmpi").string(), 0), 0u) << line;
    ++examples;
  }
  EXPECT_GT(examples, 0);
}

}  // namespace
}  // namespace tutti::core
