// The words of tutti trace, and what goes together with what.

#include "cli/trace_options.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/commands.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core::cli {

CLI::App* add_trace_options(CLI::App& app, TraceOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "trace", "Record every message, wait and reduction of a collective, or of a program.");
  verb->add_option("COLLECTIVE", options.collective,
                   "What to run; or -- and a program with its own arguments, or its launcher with "
                   "the program");
  verb->add_option("--algorithm", options.algorithms,
                   "One or several, commas between: ALGORITHM[:parameter=value,...], or native "
                   "(default: the one that Tutti takes). May be repeated")
      ->allow_extra_args(false);
  verb->add_option("-n", options.size,
                   "Bytes of all blocks, or of the vector (all-to-all: that a rank sends), K, M, G "
                   "(default 1M)");
  verb->add_option("--distribution", options.distribution,
                   "Of irregular collectives: regular, broadcast, spike, half_full, decreasing or "
                   "geometric (default regular)");
  verb->add_option("--type", options.type,
                   "Elements: usual (doubles to reduce, else bytes), byte, int, float, double, "
                   "strided");
  verb->add_option("--root", options.root, "Of rooted collectives (default 0)");
  verb->add_option("--repetitions", options.repetitions,
                   "Calls of each algorithm that are recorded, a barrier before each")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("-o", options.file, "The trace")->capture_default_str();
  verb->add_option("--mpi", options.mpi, "openmpi or mpich, if it cannot be told")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
  set_examples(
      *verb,
      {"mpirun -n 4 tutti trace allgatherv --algorithm ring,pipelined_ring -n 1M --distribution "
       "broadcast",
       "mpirun -n 4 tutti trace allreduce -n 64K --repetitions 3 -o trace.json",
       "mpirun -n 4 tutti trace -o trace.json -- ./app -v",
       "tutti trace -o trace.json -- mpirun -n 4 ./app -v", "tutti report trace.json"});
  verb->footer(
      "The trace opens in Perfetto (ui.perfetto.dev) and in chrome://tracing; tutti report shows "
      "it as\n"
      "time lines, planned beside measured. A collective runs twice before it is recorded. Of a "
      "program\n"
      "all blocking collectives are recorded, through the drop-in, as TUTTI_TRACE=FILE does.\n"
      "Exit codes: 0 fine, 2 bad input or output that cannot be written; of a program its own, as "
      "with\n"
      "tutti run.\n\n" +
      verb->get_footer());
  return verb;
}

namespace {

/// `ring,leader:inner=ring,leaders=2`: a word with = before any : belongs to the one before it.
std::vector<std::string> split(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    bool is_first = true;
    for (const std::string& word : CLI::detail::split(list, ',')) {
      const std::size_t mark = word.find_first_of(":=");
      if (!is_first && mark != std::string::npos && word[mark] == '=')
        names.back() += "," + word;
      else
        names.push_back(word);
      is_first = false;
    }
  }
  return names;
}

}  // namespace

TracePlan plan_of(const TraceOptions& options) {
  if (options.collective.empty())
    throw std::invalid_argument(
        "what is to be traced? Write a collective, as mpirun -n 4 tutti trace allreduce, or a "
        "program after --");
  TracePlan plan;
  Cell& cell = plan.cell;
  cell.collective = parse_collective(options.collective);
  const auto refuse = [&](std::string_view why) {
    throw std::invalid_argument(fmt::format("{}: {}", options.collective, why));
  };
  if (cell.collective == Collective::barrier && !options.size.empty())
    refuse("it moves no data: leave -n out");
  if (!options.distribution.empty() && !is_irregular(cell.collective))
    refuse("its blocks are equal: leave --distribution out");
  if (options.root && !has_root(cell.collective)) refuse("it has no root: leave --root out");
  if (options.root && *options.root < 0) refuse("a root is a rank: 0 or more");
  cell.bytes = cell.collective == Collective::barrier ? 0
               : options.size.empty()                 ? std::size_t{1} << 20
                                                      : parse_bytes(options.size);
  if (!options.distribution.empty()) cell.distribution = parse_distribution(options.distribution);
  if (!options.type.empty()) cell.element = parse_element(options.type);
  if (reduces(cell.collective) &&
      (cell.element == Element::strided || cell.element == Element::byte))
    refuse(fmt::format("{} cannot be reduced: choose another --type", options.type));
  cell.root = options.root.value_or(0);
  for (const std::string& word : split(options.algorithms)) {
    const std::string prefix = options.collective + "/";
    const bool is_whole =
        word == "native" || word.substr(0, word.find(':')).find('/') != std::string::npos;
    const std::string name = is_whole ? word : prefix + word;
    if (name != "native" && parse_request(name).algorithm->collective != cell.collective)
      throw std::invalid_argument(
          fmt::format("--algorithm: {} is no algorithm of {}", word, options.collective));
    plan.algorithms.push_back(name);
  }
  if (plan.algorithms.empty()) plan.algorithms.emplace_back();
  return plan;
}

}  // namespace tutti::core::cli
