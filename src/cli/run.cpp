// The verb tutti run: starts a program with the drop-in library in front of its MPI.

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "cli/commands.hpp"
#include "request/request.hpp"
#include "select/environment.hpp"

namespace tutti::core::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string program, mpi;
  std::map<Variable, std::string> values;  // of those that take one word
  std::vector<std::string> algorithms, off;
  bool check = false, no_strict = false, blacs = false;
};

/// How many words of the command line are Tutti's, the program's name the last of them. What
/// follows is the program's own.
int own_words(const CLI::App& verb, int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") return std::min(i + 2, argc);
    if (!word.starts_with('-')) return i + 1;
    const CLI::Option* option = verb.get_option_no_throw(word);
    if (option != nullptr && option->get_items_expected_max() > 0) ++i;  // its value
  }
  return argc;
}

/// `allreduce=ring`, and so on. Returns the collectives.
std::set<Collective> force(const std::vector<std::string>& requests) {
  std::set<Collective> forced;
  for (const std::string& request : requests) {
    const std::size_t at = request.find_first_of("=/:");
    if (at == std::string::npos || request[at] != '=' || at + 1 == request.size())
      throw std::invalid_argument(fmt::format(
          "--algorithm: '{}' is not COLLECTIVE=ALGORITHM: write, say, allreduce=ring", request));
    const Collective collective = parse_collective(request.substr(0, at));
    if (!forced.insert(collective).second)
      throw std::invalid_argument(
          fmt::format("--algorithm: {} is given twice: leave one out", name_of(collective)));
    set_variable(algorithm_variable(collective), request.substr(at + 1), "--algorithm");
  }
  return forced;
}

void set_variables(const RunOptions& options) {
  const std::set<Collective> forced = force(options.algorithms);
  std::map<Variable, std::string> values = options.values;
  if (values[Variable::explain] == "true") values[Variable::explain] = "1";  // says CLI11: no file
  if (!options.off.empty()) values[Variable::off] = fmt::format("{}", fmt::join(options.off, ","));
  if (options.check) values[Variable::check] = "1";
  if (options.no_strict) values[Variable::strict] = "0";
  for (const VariableRow& row : variables())
    if (const std::string& value = values[row.variable]; !value.empty())
      set_variable(row.name, value, row.option);
  check_environment(environ);
  // Under a launcher the library refuses it: one rank writes it, and the others must not wait.
  if (const std::string record = value_of(Variable::record); !record.empty() && !is_launched())
    if (const std::string why = cannot_write(record); !why.empty()) {
      const VariableRow& row = row_of(Variable::record);
      const bool asked = !options.values.at(Variable::record).empty();
      throw std::invalid_argument(fmt::format("{}: {}", asked ? row.option : row.name, why));
    }
  const std::string off = value_of(Variable::off);
  if (off.empty()) return;
  for (const Collective collective : parse_off(off))
    if (forced.contains(collective))
      throw std::invalid_argument(
          fmt::format("{} is forced by --algorithm and left to the MPI by --off or TUTTI_OFF ({}): "
                      "leave one out",
                      name_of(collective), off));
}

/// The shared libraries that a file asks for; none if it is no ELF file.
std::vector<std::string> needed_by(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const auto read = [&in](std::size_t at, auto value) {
    in.seekg(static_cast<std::streamoff>(at));
    in.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  };
  const auto header = read(0, Elf64_Ehdr{});
  if (!in || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto section_at = [&](std::size_t index) {
    return read(header.e_shoff + index * sizeof(Elf64_Shdr), Elf64_Shdr{});
  };
  std::vector<std::string> names;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr section = section_at(i);
    if (!in || section.sh_type != SHT_DYNAMIC) continue;
    const Elf64_Shdr strings = section_at(section.sh_link);
    for (std::size_t at = 0; in && at < section.sh_size; at += sizeof(Elf64_Dyn)) {
      const auto entry = read(section.sh_offset + at, Elf64_Dyn{});
      if (!in || entry.d_tag != DT_NEEDED) continue;
      in.seekg(static_cast<std::streamoff>(strings.sh_offset + entry.d_un.d_val));
      std::getline(in, names.emplace_back(), '\0');
    }
  }
  return names;
}

/// Which MPI a program is linked to; empty if it does not say.
std::string mpi_of_program(const fs::path& file) {
  for (const std::string_view name : needed_by(file)) {
    // MPICH calls its library libmpi.so.12, Debian libmpich.so.12.
    if (name.starts_with("libmpich") || (name.starts_with("libmpi") && name.ends_with(".so.12")))
      return "mpich";
    if (name.starts_with("libmpi.so.") || name.starts_with("libmpi_")) return "openmpi";
  }
  return "";
}

/// The drop-ins for the program's MPI, as LD_PRELOAD has them.
std::string find_libraries(const RunOptions& options, const fs::path& file) {
  // A drop-in for another MPI than the program's would break it, whoever launches it.
  std::string mpi = mpi_of_program(file);
  if (mpi.empty()) mpi = options.mpi;
  if (!options.mpi.empty() && options.mpi != mpi)
    throw std::invalid_argument(fmt::format("--mpi {}: '{}' is linked to {}: leave --mpi out",
                                            options.mpi, options.program, mpi));
  if (mpi.empty()) mpi = mpi_of_launcher();
  const std::string whose = fmt::format("'{}' uses", options.program);
  std::vector<std::string> found = {
      find_part("lib/libtutti-preload.so", "drop-in library", mpi, whose)};
  if (options.blacs)
    found.push_back(find_part("lib/libtutti-blacs.so", "drop-in library for BLACS", mpi, whose));
  for (const std::string& path : found)
    if (path.find_first_of(" :") != std::string::npos)
      throw std::runtime_error(fmt::format(
          "LD_PRELOAD cannot hold '{}': put Tutti in a folder without ' ' and ':'", path));
  return fmt::format("{}", fmt::join(found, ":"));
}

[[noreturn]] void cannot_start(const std::string& program, int error, int& status) {
  status = error == ENOENT ? not_found : not_executable;
  throw std::runtime_error(fmt::format(
      "cannot start '{}': {}", program,
      error == ENOENT
          ? "no such program: write its path (./app), or add its folder to PATH"
          : fmt::format("{}: is it a program, and executable (chmod +x)?", std::strerror(error))));
}

/// Does not return if the program starts: it takes the place of this process, so that the launcher
/// sees the program itself.
void start(const RunOptions& options, char** program, int& status) {
  set_variables(options);
  const fs::path file = file_of(options.program);
  if (access(file.c_str(), F_OK) != 0) cannot_start(options.program, errno, status);
  std::string preload = find_libraries(options, file);
  if (const std::string others = in_environment("LD_PRELOAD"); !others.empty())
    preload += fmt::format(":{}", others);
  setenv("LD_PRELOAD", preload.c_str(), 1);
  execvp(*program, program);
  cannot_start(options.program, errno, status);
}

}  // namespace

void add_run(CLI::App& app, int& status, int& argc, char** argv) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb =
      app.add_subcommand("run", "Run an MPI program with Tutti's collectives in front of its MPI.");
  verb->add_option("PROGRAM", options->program,
                   "The program; what follows are its own arguments, taken as they are")
      ->option_text("[ARGUMENTS]...")
      ->required();
  const auto add_value = [&](Variable variable) {
    const VariableRow& row = row_of(variable);
    return verb->add_option(row.option, options->values[variable], row.meaning);
  };
  const auto add_flag = [&](Variable variable, auto& value) {
    return verb->add_flag(row_of(variable).option, value, row_of(variable).meaning);
  };
  add_flag(Variable::explain, options->values[Variable::explain])->type_name("[=FILE]");
  add_value(Variable::trace);
  add_value(Variable::record)->type_name("FILE");
  verb->add_option("--algorithm", options->algorithms,
                   "Force an algorithm: COLLECTIVE=ALGORITHM[:parameter=value,...]; native is the "
                   "MPI's own. May be repeated")
      ->allow_extra_args(false);
  verb->add_option(row_of(Variable::off).option, options->off, row_of(Variable::off).meaning)
      ->allow_extra_args(false);
  add_flag(Variable::check, options->check);
  add_flag(Variable::strict, options->no_strict);
  for (const Variable each :
       {Variable::piece, Variable::in_flight, Variable::node, Variable::topology, Variable::profile,
        Variable::learn, Variable::young})
    add_value(each);
  verb->add_flag("--blacs", options->blacs,
                 "Broadcasts and combines of BLACS, on which ScaLAPACK stands, go through Tutti, "
                 "too");
  verb->add_option("--mpi", options->mpi,
                   "The program's MPI: openmpi or mpich, if it cannot be told from the program")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
  set_examples(*verb,
               {"mpirun -n 4 tutti run --explain -- ./app",
                "mpirun -n 4 tutti run --record calls.json -- ./app",
                "mpirun -n 4 tutti run --algorithm allreduce=ring --off scan,exscan -- ./app -v",
                "mpirun -n 4 tutti run --algorithm bcast=chain:segment=32K --check -- ./app"});
  verb->footer(
      "What no option names is left as the TUTTI_* variables have it (docs/environment.md).\n"
      "The exit code is the program's; 127 if there is no such program, 126 if it does not "
      "start.\n\n" +
      verb->get_footer());
  if (argc < 2 || std::string_view(argv[1]) != "run") return;
  argc = own_words(*verb, argc, argv);
  verb->callback(
      [options, &status, program = argv + argc - 1] { start(*options, program, status); });
}

}  // namespace tutti::core::cli
