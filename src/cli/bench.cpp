// The verb tutti bench: checks the words, then the program for the launcher's MPI takes the place
// of this one.

#include <unistd.h>

#include <memory>

#include "cli/bench_options.hpp"
#include "cli/commands.hpp"
#include "select/environment.hpp"

namespace tutti::core::cli {

void add_bench(CLI::App& app, int& status, char** argv) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* verb = add_bench_options(app, *options);
  verb->callback([options, &status, argv] {
    plan_of(*options);
    check_environment(environ);
    become_mpi_program("bench", "measures", options->mpi, status, argv);
  });
}

}  // namespace tutti::core::cli
