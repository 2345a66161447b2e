// The words of tutti topology.

#include "cli/topology_options.hpp"

#include "cli/commands.hpp"

namespace tutti::core::cli {

CLI::App* add_topology_options(CLI::App& app, TopologyOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "topology", "Show where ranks live: nodes, packages, NUMA domains, caches, cores.");
  verb->add_flag("--json", options.json, "Print JSON instead of the table, rank by rank");
  verb->add_option("--mpi", options.mpi, "openmpi or mpich, if the launcher does not tell")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
  set_examples(*verb,
               {"mpirun -n 4 tutti topology", "mpirun -n 4 --bind-to core tutti topology --json",
                "mpirun -n 4 env TUTTI_TOPOLOGY=2x2 tutti topology"});
  verb->footer(
      "A line is of ranks that may run on the same cores; 0-12:4 are every fourth. Packages, NUMA\n"
      "domains, caches (of the last level) and cores are numbered within their node, as hwloc "
      "does; "
      "cpus\n"
      "as the system does. Below: how messages within a node travel, and what TUTTI_TOPOLOGY "
      "pretends.\n"
      "Exit codes: 0 fine, 2 bad input or output that cannot be written.\n\n" +
      verb->get_footer());
  return verb;
}

}  // namespace tutti::core::cli
