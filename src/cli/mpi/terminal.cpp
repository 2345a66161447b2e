// Where a launcher's ranks speak to.

#include "cli/mpi/terminal.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace tutti::core::cli {
namespace {

namespace fs = std::filesystem;

/// The value of a `key : value` line of a file under /proc.
std::string entry_of(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key))
      if (const std::size_t colon = line.find(':'); colon + 2 < line.size())
        return line.substr(colon + 2);
  return "";
}

}  // namespace

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

}  // namespace tutti::core::cli
