#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry.hpp"
#include "model/profile.hpp"

namespace tutti::core::cli {

/// What the process returns. Bad input, and output that cannot be written, is an exception that
/// main reports as one line. A program that `run` cannot start gives what shells give.
enum Status : int { fine = 0, findings = 1, bad_input = 2, not_executable = 126, not_found = 127 };

/// Each verb adds itself to the command line, in a file of its own; its callback prints, and sets
/// `status` unless all is fine.
void add_list(CLI::App& app, int& status);
void add_show(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_predict(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
/// Cuts from the command line what belongs to the program that is to be run.
void add_run(CLI::App& app, int& status, int& argc, char** argv);
void add_trace(CLI::App& app, int& status, int& argc, char** argv);
/// These start the program for the launcher's MPI with the same words.
void add_bench(CLI::App& app, int& status, char** argv);
void add_topology(CLI::App& app, int& status, char** argv);
void add_tune(CLI::App& app, int& status, char** argv);

/// Whether this process, as its launcher numbers them, is the first of all, or on its node. True
/// without a launcher.
bool is_first_rank();
bool is_first_on_node();
/// Whether a launcher started this process.
bool is_launched();
/// Which MPI's launcher did; empty if it does not tell.
std::string mpi_of_launcher();

/// The file that is started for a program's name; empty if PATH holds none.
std::filesystem::path file_of(const std::string& program);

/// A file that is there once for each MPI: as installed, or in the build tree under `part`. Throws
/// if there is none, or, with no `mpi` given, more than one; `what` and `whose` go into the
/// message.
std::filesystem::path find_part(const std::filesystem::path& part, std::string_view what,
                                const std::string& mpi, std::string_view whose);

/// The program of the verbs that need an MPI takes this one's place: the one for `mpi`, or for the
/// launcher's if it is empty. Throws if there is none, or no launcher either; `verb` and `what` it
/// does go into the message. `status` becomes that of a program that cannot be started.
[[noreturn]] void become_mpi_program(std::string_view verb, std::string_view what,
                                     const std::string& mpi, int& status, char** argv);

/// Lines shown under EXAMPLES in a verb's help.
void set_examples(CLI::App& verb, const std::vector<std::string>& lines);

/// Writes to `file`, or to standard output if it is empty. A file that is there is whole: the new
/// one takes its place only when it is written. Throws std::runtime_error.
void write_output(const std::string& file, std::string_view text);

/// Reads `8` or `2,4,8` with a function such as parse_bytes or parse_p.
template <class Parse>
auto parse_list(std::string_view text, Parse parse) {
  std::vector<decltype(parse(text))> values;
  while (true) {
    const std::size_t comma = text.find(',');
    values.push_back(parse(text.substr(0, comma)));
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

/// A number of ranks: at least one, and so few that the closed forms count in int. Throws
/// std::invalid_argument.
int parse_p(std::string_view text);
/// A number of elements. Throws std::invalid_argument.
std::size_t parse_count(std::string_view text);

/// A shipped profile by name, or one in a file. Throws std::invalid_argument.
Profile find_profile(const std::string& name_or_file);

/// Colour and progress bars are for people: only on a terminal, and never with NO_COLOR.
bool is_terminal(int descriptor);
/// Text in an ANSI style such as "1" (bold) where standard output takes it, else as it is.
std::string styled(std::string_view text, std::string_view style);

}  // namespace tutti::core::cli
