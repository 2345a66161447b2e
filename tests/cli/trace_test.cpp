// tutti trace as far as it goes without an MPI: scripts stand for the program that runs
// collectives, and for a launcher.

#include <gtest/gtest.h>

#include "cli/command_beside.hpp"

namespace tutti::core {
namespace {

class Trace : public CommandBeside {
 protected:
  Trace() : CommandBeside("trace", "bin/tutti-mpi") {}
};

TEST_F(Trace, NeedsALauncher) {
  write(built("mpich"));
  expect_one_line(errors_with("", "bcast"), 2, "mpirun -n 4 tutti trace");
}

TEST_F(Trace, RefusesBadInput) {
  write(built("openmpi"));
  for (const auto& [words, says] :
       {std::pair{"", "what is to be traced?"},
        {"bcats", "did you mean 'bcast'?"},
        {"bcast --algorithm chian", "'bcast/chian': did you mean 'bcast/chain'?"},
        {"bcast --algorithm allreduce/ring", "no algorithm of bcast"},
        {"bcast -n x", "x"},
        {"bcast --distribution spike", "leave --distribution out"},
        {"allgatherv --distribution spiek", "did you mean 'spike'?"},
        {"allreduce --root 1", "leave --root out"},
        {"bcast --root -1", "0 or more"},
        {"allreduce --type byte", "cannot be reduced"},
        {"barrier -n 8", "leave -n out"},
        {"bcast --repetitions 0", "--repetitions"},
        {"--", "no program after --"},
        {"bcast -- ./app", "leave one out"},
        {"-n 1K -- ./app", "makes its own calls"}})
    expect_one_line(errors_with(openmpi, words), 2, says);
  expect_one_line(errors_with(std::string(openmpi) + " TUTTI_NODE=near", "bcast"), 2,
                  "TUTTI_NODE: 'near'");
}

TEST_F(Trace, BecomesTheProgramForTheLaunchersMpi) {
  for (const char* mpi : {"openmpi", "mpich"}) write(built(mpi));
  EXPECT_EQ(run_with(openmpi, "bcast --algorithm chain:segment=4K,binomial -n 1M").out,
            built("openmpi").string() +
                "\n<trace><bcast><--algorithm><chain:segment=4K,binomial><-n><1M>");
  EXPECT_EQ(run_with(mpich, "allreduce --algorithm leader:inner=ring,native -o x.json").out,
            built("mpich").string() +
                "\n<trace><allreduce><--algorithm><leader:inner=ring,native><-o><x.json>");
}

TEST_F(Trace, PutsTheDropInBeforeWhatALauncherStarts) {
  const std::filesystem::path launcher = folder_ / "mpirun", program = folder_ / "app";
  write(launcher);
  write(program);
  const std::string run =
      "<" + command().string() + "><run><--trace><" + (folder_ / "x.json").string() + "><-->";
  const std::string words = "-o " + (folder_ / "x.json").string() + " -- " + launcher.string();
  EXPECT_EQ(run_with("", words + " -n 2 --mca btl tcp " + program.string() + " -n 3 --").out,
            launcher.string() + "\n<-n><2><--mca><btl><tcp>" + run + "<" + program.string() +
                "><-n><3><-->");
  EXPECT_EQ(run_with("", words + " -n 1 " + program.string() + " a : -n 1 " + program.string()).out,
            launcher.string() + "\n<-n><1>" + run + "<" + program.string() + "><a><:><-n><1>" +
                run + "<" + program.string() + ">");
  expect_one_line(errors_with("", words + " -n 2 ./nothing"), 2, "starts no program");
}

}  // namespace
}  // namespace tutti::core
