// The tutti command: one verb per file.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>

#include "cli/commands.hpp"
#include "schedule/suggest.hpp"

namespace tutti::core::cli {
namespace {

/// CLI11's words for an argument that is no verb are about arguments; people mistype verbs.
void check_verb(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (argc < 2)
    throw std::invalid_argument("no verb: write " + CLI::detail::join(verbs, ", ") +
                                " (tutti --help)");
  if (argv[1][0] == '-') return;
  if (std::find(verbs.begin(), verbs.end(), argv[1]) == verbs.end())
    throw std::invalid_argument("unknown verb '" + std::string(argv[1]) + "'" +
                                suggestion(argv[1], verbs) + " (tutti --help)");
}

/// An empty argument is a shell variable that was never set: to take it as not given would hide it.
void check_arguments(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (const std::string_view argument = argv[i];
        argument.empty() || (argument.front() == '-' && argument.back() == '='))
      throw std::invalid_argument("an empty argument after '" +
                                  std::string(argument.empty() ? argv[i - 1] : argv[i]) +
                                  "': write a value, or leave it out");
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
    text.replace(at, 1, "; ");
  return text;
}

int complain(std::string_view message, bool aloud = true) {
  std::cout.flush();
  if (aloud)
    std::cerr << "tutti: " << one_line(std::string(message)) << "\n";
  else
    sleep(1);  // a launcher ends all ranks when one fails: let the one that speaks be first
  return bad_input;
}

/// Not an exception: destructors on its way (those of JSON values) allocate, and would terminate.
[[noreturn]] void give_up() {
  constexpr std::string_view line =
      "tutti: not enough memory: give fewer ranks, less data, or larger segments\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
  std::_Exit(bad_input);
}

int run(int argc, char** argv) {
  std::set_new_handler(give_up);
  CLI::App app(
      "Collective communication as schedules: list, show, prove, predict, measure and "
      "report algorithms.",
      "tutti");
  app.set_version_flag("--version", "tutti " TUTTI_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.footer(
      "tutti VERB --help shows a verb's options with examples.\n"
      "Exit codes: 0 fine, 1 findings, 2 bad input or output that cannot be written.");
  int status = fine;
  add_list(app, status);
  add_show(app, status);
  add_check(app, status);
  add_predict(app, status);
  add_explain(app, status);
  add_report(app, status);
  add_topology(app, status, argv);
  add_tune(app, status, argv);
  add_bench(app, status, argv);
  add_trace(app, status, argc, argv);
  add_run(app, status, argc, argv);
  for (CLI::App* verb : app.get_subcommands({})) verb->group("Verbs");
  // All ranks of a launcher run the same words: one complaint is enough, or one for each node where
  // a file may be missing there alone.
  const std::string_view verb = argc > 1 ? argv[1] : "";
  const bool launched =
      verb == "run" || verb == "bench" || verb == "topology" || verb == "tune" || verb == "trace";
  const bool is_speaker = !launched || is_first_rank();
  try {
    check_arguments(argc, argv);
    check_verb(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
  } catch (const CLI::ParseError& error) {
    const auto verbs = app.get_subcommands();
    return complain(std::string(error.what()) + " (tutti " +
                        (verbs.empty() ? "" : verbs.front()->get_name() + " ") + "--help)",
                    is_speaker);
  } catch (const std::runtime_error& error) {
    return std::max(status, complain(error.what(), !launched || is_first_on_node()));
  } catch (const std::exception& error) {
    return complain(error.what(), is_speaker);
  }
  if (!std::cout.flush()) return complain("cannot write to standard output: is the disk full?");
  return status;
}

}  // namespace
}  // namespace tutti::core::cli

int main(int argc, char** argv) { return tutti::core::cli::run(argc, argv); }
