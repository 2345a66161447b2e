// tutti bench: checks the words, then the program for the launcher's MPI takes the place of this
// one.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "cli/bench_options.hpp"
#include "cli/commands.hpp"
#include "select/environment.hpp"

namespace tutti::cli {

void add_bench(CLI::App& app, int& status, char** argv) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* verb = add_bench_options(app, *options);
  verb->callback([options, &status, argv] {
    plan_of(*options);
    check_environment(environ);
    if (!is_launched() && options->mpi.empty())
      throw std::invalid_argument("bench measures ranks of an MPI: write mpirun -n 4 tutti bench");
    const std::string mpi = options->mpi.empty() ? mpi_of_launcher() : options->mpi;
    const std::string program = find_part("bin/tutti-mpi", "benchmark", mpi, "the launcher uses");
    execv(program.c_str(), argv);
    status = not_executable;
    throw std::runtime_error(fmt::format("cannot start '{}': {}", program, std::strerror(errno)));
  });
}

}  // namespace tutti::cli
