// tutti run, with libraries that are empty files: the loader skips them with a warning.

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <vector>

#include "cli/command_beside.hpp"

namespace tutti::core {
namespace {

namespace fs = std::filesystem;

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

class Run : public CommandBeside {
 protected:
  Run() : CommandBeside("run", "lib/libtutti-preload.so") {}

  static void write(const fs::path& file, const std::string& text = "") {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

  /// What the program finds in LD_PRELOAD.
  std::string preloaded(const std::string& variables, const std::string& options) const {
    return run_with(variables, options + " -- sh -c 'echo $LD_PRELOAD' 2>/dev/null").out;
  }
};

TEST_F(Run, SetsWhatTheOptionsSay) {
  write(built("mpich"));
  const Outcome outcome =
      run_with("TUTTI_PIECE=1K TUTTI_COMMUNICATORS=7 TUTTI_OFF=reduce",
               "--explain --algorithm allreduce=ring --algorithm=bcast=chain:segment=32K "
               "--algorithm gather=native --off scan,exscan --off barrier --check --no-strict "
               "--piece 2K --in-flight 3 --node copy --topology 1x1 --record r.json -- env "
               "2>/dev/null");
  EXPECT_EQ(outcome.status, 0);
  std::set<std::string> lines = lines_of(outcome.out);
  std::erase_if(lines, [](const std::string& line) { return line.rfind("TUTTI_", 0) != 0; });
  EXPECT_EQ(lines, (std::set<std::string>{
                       "TUTTI_ALGORITHM_ALLREDUCE=ring", "TUTTI_ALGORITHM_BCAST=chain:segment=32K",
                       "TUTTI_ALGORITHM_GATHER=native", "TUTTI_CHECK=1", "TUTTI_COMMUNICATORS=7",
                       "TUTTI_EXPLAIN=1", "TUTTI_IN_FLIGHT=3", "TUTTI_NODE=copy",
                       "TUTTI_OFF=scan,exscan,barrier", "TUTTI_TOPOLOGY=1x1", "TUTTI_PIECE=2K",
                       "TUTTI_RECORD=r.json", "TUTTI_STRICT=0"}));
}

TEST_F(Run, ExplainTakesAFileOnlyAfterAnEqualsSign) {
  write(built("mpich"));
  const std::string print = "sh -c 'echo $TUTTI_EXPLAIN' 2>/dev/null";
  EXPECT_EQ(run_with("", "--explain " + print).out, "1\n");
  EXPECT_EQ(run_with("", "--explain=calls.json " + print).out, "calls.json\n");
  EXPECT_EQ(run_with("TUTTI_EXPLAIN=other.json", print).out, "other.json\n");
}

TEST_F(Run, PutsTheLibraryBeforeWhatIsThere) {
  write(built("mpich"));
  const std::string library = built("mpich");
  EXPECT_EQ(preloaded("", ""), library + "\n");
  EXPECT_EQ(preloaded("LD_PRELOAD=", ""), library + "\n");
  EXPECT_EQ(preloaded("LD_PRELOAD=/nowhere/a.so:/nowhere/b.so", ""),
            library + ":/nowhere/a.so:/nowhere/b.so\n");
}

TEST_F(Run, PutsTheLibraryForBlacsBehindTheOther) {
  write(built("mpich"));
  expect_one_line(errors_with("", "--blacs true"), 2, "libtutti-blacs.so");
  const std::string blacs = built("mpich").replace_filename("libtutti-blacs.so");
  write(blacs);
  EXPECT_EQ(preloaded("", ""), built("mpich").string() + "\n");
  EXPECT_EQ(preloaded("LD_PRELOAD=/nowhere/a.so", "--blacs"),
            built("mpich").string() + ":" + blacs + ":/nowhere/a.so\n");
}

TEST_F(Run, HandsTheProgramItsArgumentsAsTheyAre) {
  write(built("mpich"));
  for (const std::string options : {"", "--check ", "-- ", "--piece 1K -- "})
    EXPECT_EQ(
        run_with("", options + "printf '<%s>' '' --explain -- --x= '[a,b]' '' 2>/dev/null").out,
        "<><--explain><--><--x=><[a,b]><>")
        << options;
}

TEST_F(Run, BecomesTheProgram) {
  write(built("mpich"));
  EXPECT_EQ(run_with("", "sh -c 'exit 7' 2>/dev/null").status, 7);
  const std::string tutti = command();
  const Outcome ids = shell("sh -c 'echo $$; exec " + tutti +
                            " run --mpi mpich sh -c \"echo \\$\\$\"' 2>/dev/null");
  EXPECT_EQ(lines_of(ids.out).size(), 1u) << ids.out;
}

TEST_F(Run, ReportsAProgramThatDoesNotStartAsShellsDo) {
  write(built("mpich"));
  write(folder_ / "data", "no program");
  expect_one_line(errors_with("", "-- ./no-such-program"), 127, "'./no-such-program'");
  expect_one_line(errors_with("", "no-such-program"), 127, "PATH");
  expect_one_line(errors_with("", (folder_ / "data").string()), 126, "executable");
  expect_one_line(errors_with("", folder_.string()), 126, "executable");
}

TEST_F(Run, RefusesBadInput) {
  write(built("mpich"));
  for (const auto& [arguments, says] : {
           std::pair{"", "PROGRAM is required"},
           std::pair{"--", "PROGRAM is required"},
           std::pair{"-- ''", "empty argument"},
           std::pair{"--piece '' true", "'--piece'"},
           std::pair{"--exlpain true", "--exlpain"},
           std::pair{"--mpi lam true", "lam"},
           std::pair{"--piece 12Q true", "--piece: '12Q'"},
           std::pair{"--piece 0 true", "--piece: '0'"},
           std::pair{"--in-flight few true", "--in-flight: 'few'"},
           std::pair{"--node near true", "--node: 'near'"},
           std::pair{"--record /no/such/folder/r.json true", "--record: cannot write"},
           std::pair{"--record / true", "--record: '/' is a folder"},
           std::pair{"--topology 3by4 true", "--topology: '3by4'"},
           std::pair{"--off scna true", "did you mean 'scan'?"},
           std::pair{"--algorithm allreduce=rnig true", "did you mean 'allreduce/ring'?"},
           std::pair{"--algorithm allreduc=ring true", "did you mean 'allreduce'?"},
           std::pair{"--algorithm bcast=chain:segmnet=4 true", "did you mean 'segment'?"},
           std::pair{"--algorithm ring true", "COLLECTIVE=ALGORITHM"},
           std::pair{"--algorithm allreduce= true", "COLLECTIVE=ALGORITHM"},
           std::pair{"--algorithm bcast/chain:segment=4 true", "COLLECTIVE=ALGORITHM"},
           std::pair{"--algorithm scan=linear --algorithm scan=native true", "twice"},
           std::pair{"--algorithm scan=linear --off scan true", "scan is forced"},
           std::pair{"--algorithm scan=linear --off all true", "scan is forced"},
       })
    expect_one_line(errors_with("", arguments), 2, says);
}

TEST_F(Run, RefusesABadEnvironmentUnlessAnOptionOverridesIt) {
  write(built("mpich"));
  expect_one_line(errors_with("TUTTI_EXPLIAN=1", "true"), 2, "did you mean 'TUTTI_EXPLAIN'?");
  expect_one_line(errors_with("TUTTI_PIECE=12Q", "true"), 2, "TUTTI_PIECE: '12Q'");
  expect_one_line(errors_with("TUTTI_RECORD=/no/x.json", "true"), 2, "TUTTI_RECORD: cannot write");
  expect_one_line(errors_with("TUTTI_OFF=all", "--algorithm scan=linear true"), 2, "TUTTI_OFF");
  EXPECT_EQ(run_with("TUTTI_PIECE=12Q", "--piece 12K true 2>/dev/null").status, 0);
  EXPECT_EQ(
      run_with("TUTTI_OFF=all", "--off scan --algorithm reduce=linear true 2>/dev/null").status, 0);
}

TEST_F(Run, OneRankComplains) {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    const std::string rank = variable;
    expect_one_line(errors_with(rank + "=0", "--piece 0 true"), 2, "--piece");
    const Outcome silent = errors_with(rank + "=1", "--piece 0 true");
    EXPECT_EQ(silent.status, 2) << rank;
    EXPECT_EQ(silent.out, "") << rank;
  }
  EXPECT_EQ(errors_with("PMI_RANK=1", "--no-such-option true").out, "");
}

// A file may be missing on one node alone, where rank 0 is not.
TEST_F(Run, OneRankOfEachNodeComplainsOfMissingFiles) {
  expect_one_line(errors_with("PMI_RANK=4 MPI_LOCALRANKID=0", "./no-such-program"), 127,
                  "no-such-program");
  expect_one_line(errors_with("PMI_RANK=4 MPI_LOCALRANKID=0", "true"), 2, "no drop-in");
  const Outcome silent = errors_with("PMI_RANK=5 MPI_LOCALRANKID=1", "./no-such-program");
  EXPECT_EQ(silent.status, 127);
  EXPECT_EQ(silent.out, "");
  EXPECT_EQ(errors_with("PMI_RANK=4 MPI_LOCALRANKID=0", "--piece 0 true").out, "");
}

TEST_F(Run, SaysWhereItLookedAndHowToBuild) {
  const Outcome any = errors_with("", "true");
  expect_one_line(any, 2, "cmake --preset openmpi && cmake --build --preset openmpi");
  for (const std::string mpi : {"openmpi", "mpich"})
    for (const std::string place : {installed(mpi), built(mpi)})
      EXPECT_NE(any.out.find(place), std::string::npos) << any.out;
  const Outcome one = errors_with("", "--mpi mpich true");
  expect_one_line(one, 2, "cmake --preset mpich && cmake --build --preset mpich");
  EXPECT_EQ(one.out.find("openmpi"), std::string::npos) << one.out;
}

TEST_F(Run, PrefersWhatIsInstalled) {
  write(built("mpich"));
  write(installed("mpich"));
  EXPECT_EQ(preloaded("", ""), installed("mpich").string() + "\n");
}

TEST_F(Run, TellsTheMpiFromTheOptionOrTheLauncher) {
  write(built("openmpi"));
  write(built("mpich"));
  expect_one_line(errors_with("", "true"), 2, "--mpi openmpi or --mpi mpich");
  const std::string openmpi = built("openmpi").string() + "\n";
  const std::string mpich = built("mpich").string() + "\n";
  EXPECT_EQ(preloaded("OMPI_COMM_WORLD_SIZE=2", ""), openmpi);
  EXPECT_EQ(preloaded("PMI_SIZE=2 MPI_LOCALNRANKS=2", ""), mpich);
  EXPECT_EQ(preloaded("OMPI_COMM_WORLD_SIZE=2", "--mpi mpich"), mpich);
}

/// A 64-bit ELF file that holds no more than the names of the libraries it needs.
std::string elf_that_needs(const std::vector<std::string>& libraries) {
  std::string strings(1, '\0');
  std::vector<Elf64_Dyn> entries;
  for (const std::string& name : libraries) {
    entries.push_back({.d_tag = DT_NEEDED, .d_un = {.d_val = strings.size()}});
    strings += name + '\0';
  }
  entries.push_back({.d_tag = DT_NULL, .d_un = {.d_val = 0}});
  const std::size_t bytes = entries.size() * sizeof(Elf64_Dyn);
  Elf64_Shdr sections[3]{};
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shoff = sizeof header;
  header.e_shnum = 3;
  sections[1].sh_type = SHT_DYNAMIC;
  sections[1].sh_offset = sizeof header + sizeof sections;
  sections[1].sh_size = bytes;
  sections[1].sh_link = 2;
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = sections[1].sh_offset + bytes;
  const auto raw = [](const auto& value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  std::string file = raw(header) + raw(sections);
  for (const Elf64_Dyn& entry : entries) file += raw(entry);
  return file + strings;
}

// Without a library the complaint says which MPI's it looked for.
TEST_F(Run, TellsTheMpiFromTheProgramFirst) {
  const fs::path app = folder_ / "app";
  const auto looked_for = [&](const std::string& variables) {
    const std::string said = errors_with(variables, app).out;
    const bool openmpi = said.find(built("openmpi")) != std::string::npos;
    const bool mpich = said.find(built("mpich")) != std::string::npos;
    return openmpi && mpich ? "both" : openmpi ? "openmpi" : mpich ? "mpich" : said;
  };
  for (const auto& [library, mpi] :
       {std::pair{"libmpi.so.40", "openmpi"}, std::pair{"libmpi_mpifh.so.40", "openmpi"},
        std::pair{"libmpich.so.12", "mpich"}, std::pair{"libmpichfort.so.12", "mpich"},
        std::pair{"libmpi.so.12", "mpich"}, std::pair{"libmpifort.so.12", "mpich"},
        std::pair{"libm.so.6", "both"}}) {
    write(app, elf_that_needs({"libfmt.so.9", library, "libc.so.6"}));
    EXPECT_EQ(looked_for(""), mpi) << library;
  }
  write(app, elf_that_needs({"libmpich.so.12"}));
  EXPECT_EQ(looked_for("OMPI_COMM_WORLD_SIZE=2"), "mpich");
  // The drop-in of another MPI would break the program.
  expect_one_line(errors_with("", "--mpi openmpi " + app.string()), 2, "linked to mpich");
  write(app, elf_that_needs({"libmpich.so.12"}).substr(0, 100));
  EXPECT_EQ(looked_for("OMPI_COMM_WORLD_SIZE=2"), "openmpi") << "a file cut short";
  write(app, "#!/bin/sh\n");
  EXPECT_EQ(looked_for("OMPI_COMM_WORLD_SIZE=2"), "openmpi") << "a script";
}

TEST_F(Run, RefusesAPathThatTheLoaderWouldCut) {
  const fs::path place = folder_ / "a b";
  fs::create_directories(place);
  fs::rename(folder_ / "build", place / "build");
  write(place / "build/mpich/lib/libtutti-preload.so");
  expect_one_line(shell("'" + (place / "build/core/bin/tutti").string() + "' run true 2>&1"), 2,
                  "LD_PRELOAD");
}

// What the help shows must work, whatever the program.
TEST_F(Run, ExamplesRun) {
  write(built("mpich"));
  std::istringstream lines(run("run --help").out);
  const std::string launcher = "  mpirun -n 4 tutti run ", program = " ./app";
  int examples = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(launcher, 0) != 0) continue;
    std::string arguments = line.substr(launcher.size());
    ASSERT_NE(arguments.find(program), std::string::npos) << line;
    arguments.replace(arguments.find(program), program.size(), " true");
    EXPECT_EQ(run_with("", arguments + " 2>/dev/null").status, 0) << line;
    ++examples;
  }
  EXPECT_GT(examples, 0);
}

}  // namespace
}  // namespace tutti::core
