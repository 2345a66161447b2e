#include "timing/provenance.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <tutti/tutti.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "api/process/mpi_name.hpp"
#include "commit.hpp"
#include "select/profiles.hpp"

namespace tutti::core {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Variables that change what is measured.
bool is_telling(std::string_view variable) {
  for (const std::string_view prefix : {"TUTTI_", "OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_",
                                        "MPIR_CVAR_", "MPICH_", "UCX_", "FI_", "I_MPI_", "OMP_"})
    if (variable.starts_with(prefix)) return true;
  return false;
}

/// The value of a `key : value` line of a file under /proc.
std::string entry_of(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key))
      if (const std::size_t colon = line.find(':'); colon + 2 < line.size())
        return line.substr(colon + 2);
  return "";
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
  std::vector<int> nodes(p);
  tutti_node_transport transport{};
  if (tutti_topology(comm, nodes.data(), &transport) != MPI_SUCCESS)
    throw std::runtime_error("the library does not know the communicator");
  return std::make_shared<const Topology>(nodes);
}

Json provenance(MPI_Comm world, int argc, char** argv) {
  int p = 0, length = 0;
  PMPI_Comm_size(world, &p);
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  PMPI_Get_library_version(library, &length);
  utsname system{};
  uname(&system);
  const char* const bed = std::getenv("TEST_BED");  // what bench/cluster and bench/sim set up
  Json environment = Json::object();
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (const std::string_view text = *variable; is_telling(text))
      environment[std::string(text.substr(0, text.find('=')))] = text.substr(text.find('=') + 1);
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
          {"bed", bed == nullptr ? "" : bed},
          {"environment", environment}};
}

Rates measure_line(MPI_Comm comm) {
  constexpr int large = 1 << 20, tag = 2, pieces = 32;
  int rank = 0, p = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &p);
  if (p == 1) return {};
  std::vector<char> out(large), in(large);
  // All ranks shift along a ring at once, whole or in pieces.
  const auto shift = [&](int bytes, int parts) {
    const int piece = bytes / parts;
    std::vector<MPI_Request> requests;
    for (int i = 0; i < parts; ++i) {
      PMPI_Irecv(in.data() + i * piece, piece, MPI_BYTE, (rank + p - 1) % p, tag, comm,
                 &requests.emplace_back());
      PMPI_Isend(out.data() + i * piece, piece, MPI_BYTE, (rank + 1) % p, tag, comm,
                 &requests.emplace_back());
    }
    PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  };
  const auto quickest = [&](int bytes, int parts, int times) {
    double best = 1e9;
    for (int i = 0; i <= times; ++i) {
      PMPI_Barrier(comm);
      const double begin = PMPI_Wtime();
      shift(bytes, parts);
      double mine = PMPI_Wtime() - begin, slowest = 0;
      PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
      if (i > 0) best = std::min(best, slowest);  // the first one warms up
    }
    return best;
  };
  Rates rates;
  rates.alpha = rates.alpha_uni = quickest(8, 1, 50);
  const double whole = std::min(quickest(large, 1, 5), quickest(large, pieces, 5));
  rates.beta = rates.beta_uni = std::max(0.0, whole - rates.alpha) / large;
  return rates;
}

bool launcher_has_terminal(int descriptor) {
  // A launcher reads what its ranks write, from a pipe or a terminal of its own; what counts is
  // where it writes itself. Between it and a rank may stand daemons.
  for (std::string process = "self"; !process.empty() && process != "1";) {
    const std::string folder = "/proc/" + process;
    const std::string name = [&] {
      std::ifstream in(folder + "/comm");
      std::string text;
      std::getline(in, text);
      return text;
    }();
    const bool is_launcher = name.starts_with("mpirun") || name.starts_with("mpiexec") ||
                             name.starts_with("orterun") || name.starts_with("prterun") ||
                             name.starts_with("srun") || name.starts_with("smpirun");
    std::error_code error;
    if (is_launcher)
      return fs::read_symlink(folder + "/fd/" + std::to_string(descriptor), error)
          .string()
          .starts_with("/dev/pts/");
    process = entry_of((folder + "/status").c_str(), "PPid");
  }
  return isatty(descriptor) != 0;
}

}  // namespace tutti::core
