// What a measurement was made on, and with what.

#include "timing/provenance.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <tutti/tutti.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "api/process/mpi_name.hpp"
#include "commit.hpp"
#include "select/environment.hpp"
#include "select/profiles.hpp"

namespace tutti::core {

namespace {

using Json = nlohmann::ordered_json;

/// Variables that change what is measured.
bool is_telling(std::string_view variable) {
  for (const std::string_view prefix : {"TUTTI_", "OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_",
                                        "MPIR_CVAR_", "MPICH_", "UCX_", "FI_", "I_MPI_", "OMP_"})
    if (variable.starts_with(prefix)) return true;
  return false;
}

std::string range(int first, int last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

/// Which ranks are where: `[{"host": "node0", "ranks": "0-3"}]`, in the order of the ranks.
Json layout_of(MPI_Comm world) {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0, rank = 0, p = 0;
  PMPI_Get_processor_name(name, &length);
  PMPI_Comm_rank(world, &rank);
  PMPI_Comm_size(world, &p);
  std::vector<char> all(rank == 0 ? static_cast<std::size_t>(p) * sizeof name : 0);
  PMPI_Gather(name, sizeof name, MPI_CHAR, all.data(), sizeof name, MPI_CHAR, 0, world);
  Json layout = Json::array();
  const auto host = [&](int r) { return std::string(all.data() + r * sizeof name); };
  for (int first = 0, last = 0; rank == 0 && first < p; first = last) {
    while (last < p && host(last) == host(first)) ++last;
    layout.push_back({{"host", host(first)}, {"ranks", range(first, last - 1)}});
  }
  return layout;
}

std::string now() {
  const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

}  // namespace

std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < numbers.size(); first = last + 1) {
    last = first;
    const int step = first + 1 < numbers.size() ? numbers[first + 1] - numbers[first] : 1;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + step) ++last;
    if (step > 1 && last - first < 2) last = first;
    text += (text.empty() ? "" : ",") + range(numbers[first], numbers[last]);
    if (last > first && step > 1) text += fmt::format(":{}", step);
  }
  return text;
}

std::shared_ptr<const Topology> topology_seen(MPI_Comm comm) {
  int p = 0;
  PMPI_Comm_size(comm, &p);
  std::vector<int> nodes(p), domains(p);
  tutti_node_transport transport{};
  if (tutti_topology(comm, nodes.data(), domains.data(), &transport) != MPI_SUCCESS)
    throw std::runtime_error("the library does not know the communicator");
  return std::make_shared<const Topology>(nodes, domains);
}

Json provenance(MPI_Comm world, int argc, char** argv) {
  int p = 0, length = 0;
  PMPI_Comm_size(world, &p);
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  PMPI_Get_library_version(library, &length);
  utsname system{};
  uname(&system);
  const std::string bed = in_environment("TEST_BED");  // what bench/cluster and bench/sim set up
  Json environment = Json::object();
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (const std::string_view text = *variable; is_telling(text))
      environment[std::string(text.substr(0, text.find('=')))] = text.substr(text.find('=') + 1);
  environment.emplace("TUTTI_LEARN", "off");  // as tutti_tune_settings() has it
  return {{"program", "tutti bench"},
          {"version", TUTTI_VERSION},
          {"commit", TUTTI_COMMIT},
          {"date", now()},
          {"command", std::vector<std::string>(argv, argv + argc)},
          {"mpi", mpi_name()},
          {"mpi_library", library},
          {"ranks", p},
          {"layout", layout_of(world)},
          {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
          {"processor", here(mpi_name()).processor},
          {"cores", std::thread::hardware_concurrency()},
          {"bed", bed},
          {"environment", environment}};
}

}  // namespace tutti::core
