// The verb tutti trace: checks the words, then what is to be recorded takes the place of this
// process.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/trace_options.hpp"
#include "select/environment.hpp"

namespace tutti::core::cli {
namespace {

namespace fs = std::filesystem;

bool is_launcher(const std::string& program) {
  const std::string name = fs::path(program).filename();
  for (const char* each : {"mpirun", "mpiexec", "orterun", "prun", "srun"})
    if (name == each || name.starts_with(std::string(each) + ".")) return true;
  return false;
}

bool is_program(const std::string& word) {
  std::error_code error;
  const fs::path file = file_of(word);
  return !word.starts_with('-') && !file.empty() && fs::is_regular_file(file, error) &&
         access(file.c_str(), X_OK) == 0;
}

/// A launcher's words with `tutti run` before each program it starts: the first word that is one,
/// and after a colon again. What stands before are the launcher's options and their values.
std::vector<std::string> through_run(const std::vector<std::string>& words,
                                     const std::vector<std::string>& run) {
  std::vector<std::string> result = {words.front()};
  bool looks = true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (looks && is_program(words[i])) {
      result.insert(result.end(), run.begin(), run.end());
      looks = false;
    }
    looks = looks || words[i] == ":";
    result.push_back(words[i]);
  }
  if (looks)
    throw std::invalid_argument(
        fmt::format("{} starts no program that is there: write mpirun -n 4 tutti trace -o FILE -- "
                    "./app",
                    words.front()));
  return result;
}

[[noreturn]] void become(const std::vector<std::string>& words, int& status) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  status = errno == ENOENT ? not_found : not_executable;
  throw std::runtime_error(
      fmt::format("cannot start '{}': {}", words.front(), std::strerror(errno)));
}

/// The drop-in records the program: `tutti run` puts it there.
[[noreturn]] void trace_program(const TraceOptions& options, std::vector<std::string> words,
                                int& status) {
  if (!options.collective.empty())
    throw std::invalid_argument(fmt::format(
        "{} and a program: one at a time is traced: leave one out", options.collective));
  if (!options.algorithms.empty() || !options.size.empty() || !options.distribution.empty() ||
      !options.type.empty() || options.root || options.repetitions != 1)
    throw std::invalid_argument(
        "a program makes its own calls: leave all options but -o and --mpi out; TUTTI_ variables "
        "and tutti run force algorithms");
  check_environment(environ);
  // Ranks may run elsewhere.
  std::vector<std::string> run = {fs::canonical("/proc/self/exe"), "run", "--trace",
                                  fs::absolute(options.file)};
  if (!options.mpi.empty()) run.insert(run.end(), {"--mpi", options.mpi});
  run.emplace_back("--");
  if (!is_launched() && is_launcher(words.front())) {
    words = through_run(words, run);
  } else {
    words.insert(words.begin(), run.begin(), run.end());
  }
  become(words, status);
}

}  // namespace

void add_trace(CLI::App& app, int& status, int& argc, char** argv) {
  auto options = std::make_shared<TraceOptions>();
  CLI::App* verb = add_trace_options(app, *options);
  if (argc < 2 || std::string_view(argv[1]) != "trace") return;
  std::vector<std::string> program;
  for (int i = 2; i < argc; ++i)
    if (std::string_view(argv[i]) == "--") {
      program.assign(argv + i + 1, argv + argc);
      if (program.empty()) program.emplace_back();
      argc = i;
    }
  verb->callback([options, program, &status, argv] {
    if (!program.empty() && program.front().empty())
      throw std::invalid_argument("no program after --: write, say, -- ./app");
    if (!program.empty()) trace_program(*options, program, status);
    plan_of(*options);
    check_environment(environ);
    become_mpi_program("trace", "runs", options->mpi, status, argv);
  });
}

}  // namespace tutti::core::cli
