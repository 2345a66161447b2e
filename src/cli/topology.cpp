// The verb tutti topology: checks the words, then the program for the launcher's MPI takes the
// place of this one.

#include "cli/topology_options.hpp"

#include <unistd.h>

#include <memory>

#include "cli/commands.hpp"
#include "select/environment.hpp"

namespace tutti::core::cli {

void add_topology(CLI::App& app, int& status, char** argv) {
  auto options = std::make_shared<TopologyOptions>();
  CLI::App* verb = add_topology_options(app, *options);
  verb->callback([options, &status, argv] {
    check_environment(environ);
    become_mpi_program("topology", "shows", options->mpi, status, argv);
  });
}

}  // namespace tutti::core::cli
