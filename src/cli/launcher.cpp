// What a launcher tells the processes it starts, and where the parts for each MPI are.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>

#include "cli/commands.hpp"
#include "select/environment.hpp"

namespace tutti::core::cli {
namespace {

namespace fs = std::filesystem;

/// The first of these variables that is set; empty: none is.
std::string first_set(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (std::string value = in_environment(name); !value.empty()) return value;
  return "";
}

}  // namespace

std::string mpi_of_launcher() {
  const auto is_set = [](const char* name) { return !in_environment(name).empty(); };
  if (is_set("OMPI_COMM_WORLD_SIZE")) return "openmpi";
  if (is_set("PMI_SIZE") && is_set("MPI_LOCALNRANKS")) return "mpich";
  return "";
}

bool is_first_rank() {
  const std::string rank =
      first_set({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"});
  return rank.empty() || rank == "0";
}

bool is_first_on_node() {
  const std::string rank =
      first_set({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"});
  return rank.empty() ? is_first_rank() : rank == "0";
}

bool is_launched() {
  return !first_set({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
              .empty();
}

fs::path file_of(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const std::string path = in_environment("PATH");
  std::istringstream folders(path.empty() ? "/bin:/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder) / program; access(file.c_str(), F_OK) == 0)
      return file;
  return {};
}

fs::path find_part(const fs::path& part, std::string_view what, const std::string& mpi,
                   std::string_view whose) {
  const fs::path folder = fs::canonical("/proc/self/exe").parent_path();
  std::vector<std::string> found, looked;
  for (const std::string each : {"openmpi", "mpich"}) {
    if (!mpi.empty() && each != mpi) continue;
    for (const fs::path& place :
         {folder / TUTTI_PARTS / each / part.filename(), folder / "../.." / each / part}) {
      looked.push_back(place.lexically_normal());
      if (access(looked.back().c_str(), R_OK) != 0) continue;
      found.push_back(looked.back());
      break;
    }
  }
  if (found.empty()) {
    const std::string preset = mpi.empty() ? "openmpi" : mpi;
    throw std::runtime_error(
        fmt::format("no {}: looked for {}: build it with cmake --preset {} && cmake --build "
                    "--preset {}",
                    what, fmt::join(looked, ", "), preset, preset));
  }
  if (found.size() > 1)
    throw std::invalid_argument(
        fmt::format("cannot tell which MPI {}: write --mpi openmpi or --mpi mpich", whose));
  return found.front();
}

void become_mpi_program(std::string_view verb, std::string_view what, const std::string& mpi,
                        int& status, char** argv) {
  if (!is_launched() && mpi.empty())
    throw std::invalid_argument(
        fmt::format("{} {} ranks of an MPI: write mpirun -n 4 tutti {}", verb, what, verb));
  const std::string program = find_part("bin/tutti-mpi", fmt::format("program for tutti {}", verb),
                                        mpi.empty() ? mpi_of_launcher() : mpi, "the launcher uses");
  execv(program.c_str(), argv);
  status = not_executable;
  throw std::runtime_error(fmt::format("cannot start '{}': {}", program, std::strerror(errno)));
}

}  // namespace tutti::core::cli
