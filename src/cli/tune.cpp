// The verb tutti tune: checks the words, then the program for the launcher's MPI takes the place of
// this one.

#include <unistd.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/tune_options.hpp"
#include "select/environment.hpp"

namespace tutti::core::cli {

void add_tune(CLI::App& app, int& status, char** argv) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* verb = add_tune_options(app, *options);
  verb->callback([options, &status, argv] {
    plan_of(*options);
    check_environment(environ);
    become_mpi_program("tune", "measures", options->mpi, status, argv);
  });
}

}  // namespace tutti::core::cli
