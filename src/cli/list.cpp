// The verb tutti list: the registry as a table, as JSON, or as docs/algorithms.md.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "request/request.hpp"

namespace tutti::core::cli {
namespace {

using Algorithms = std::vector<const Algorithm*>;

std::string parameters_of(const Algorithm& algorithm) {
  std::string text;
  for (const Parameter& parameter : algorithm.parameters)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", parameter.name);
  return text;
}

nlohmann::ordered_json json_of_algorithm(const Algorithm& algorithm) {
  auto parameters = nlohmann::ordered_json::array();
  for (const Parameter& parameter : algorithm.parameters)
    parameters.push_back({{"name", parameter.name},
                          {"meaning", parameter.meaning},
                          {"default", parameter.default_text},
                          {"least", parameter.least}});
  return {{"collective", name_of(algorithm.collective)},
          {"algorithm", algorithm.name},
          {"summary", algorithm.summary},
          {"valid", algorithm.valid_text()},
          {"rounds", algorithm.rounds.text},
          {"cost", algorithm.cost.text},
          {"scratch", algorithm.scratch.text},
          {"source", algorithm.source},
          {"parameters", parameters},
          {"file", fmt::format("src/algorithms/{}", algorithm.file)}};
}

void print_json(const Algorithms& algorithms) {
  auto all = nlohmann::ordered_json::array();
  for (const Algorithm* algorithm : algorithms) all.push_back(json_of_algorithm(*algorithm));
  std::cout << all.dump(2) << "\n";
}

int count_collectives(const Algorithms& algorithms) {
  int count = 0;
  for (std::size_t i = 0; i < algorithms.size(); ++i)
    count += i == 0 || algorithms[i]->collective != algorithms[i - 1]->collective;
  return count;
}

void print_table(const Algorithms& algorithms) {
  const std::vector<std::string> heads{"algorithm", "valid", "rounds", "parameters", "cost"};
  std::vector<std::vector<std::string>> rows{heads};
  for (const Algorithm* algorithm : algorithms)
    rows.push_back({algorithm->full_name(), algorithm->valid_text(),
                    std::string(algorithm->rounds.text), parameters_of(*algorithm),
                    std::string(algorithm->cost.text)});
  std::vector<std::size_t> widths(heads.size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      line += fmt::format("{:<{}}", row[i], widths[i] + 2);
    line += row.back();
    std::cout << (&row == &rows.front() ? styled(line, "1") : line) << "\n";
  }
  std::cout << fmt::format("\n{} algorithms in {} collectives\n", algorithms.size(),
                           count_collectives(algorithms));
}

/// A cell of a table: pipes would end it.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

/// What the sources' short names stand for.
constexpr std::string_view sources = R"(
## Sources

- Mitra et al. 1995: P. Mitra, D. G. Payne, L. Shuler, R. van de Geijn, J. Watts, *Fast Collective Communication
  Libraries, Please*, Intel Supercomputing Users' Group Meeting, 1995.
- Bruck et al. 1997: J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, *Efficient Algorithms for All-to-All
  Communications in Multiport Message-Passing Systems*, IEEE Transactions on Parallel and Distributed Systems 8(11), 1997.
- Thakur, Gropp 2002: R. Thakur, W. Gropp, *Improving the Performance of MPI Collective Communication on Switching
  Networks*, Argonne National Laboratory, 2002.
- Thakur, Rabenseifner, Gropp 2005: R. Thakur, R. Rabenseifner, W. Gropp, *Optimization of Collective Communication
  Operations in MPICH*, International Journal of High Performance Computing Applications 19(1), 2005.
- Kumar, Mamidala, Panda 2008: R. Kumar, A. Mamidala, D. K. Panda, *Scaling Alltoall Collective on Multi-core Systems*,
  Workshop on Communication Architecture for Clusters, IPDPS 2008.
- Träff et al. 2008: J. L. Träff, A. Ripke, C. Siebert, P. Balaji, R. Thakur, W. Gropp, *A Simple, Pipelined Algorithm for
  Large, Irregular All-gather Problems*, EuroPVM/MPI 2008.
- Träff 2022-2025: J. L. Träff, *(Poly)Logarithmic Time Construction of Round-optimal n-Block Broadcast Schedules for
  Broadcast and irregular Allgather in MPI*, IEEE CLUSTER 2022; *Optimal Broadcast Schedules in Logarithmic Time with
  Applications to Broadcast, All-Broadcast, Reduction and All-Reduction*, arXiv 2407.18004, 2024; and later versions.
- Träff 2024: J. L. Träff, *Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms*, arXiv 2410.14234, 2024.
)";

void print_markdown(const Algorithms& algorithms) {
  std::cout << fmt::format(
      "# Algorithms\n\n"
      "Generated by `make docs` from the registry (`tutti list --markdown`): {} algorithms in {} "
      "collectives.\n\n"
      "`p` ranks, `n` bytes in all (what a rank ends with; all-to-all: what it sends, its own "
      "block "
      "included), `q = ceil(lg p)`,\n`alpha` per message, `beta` per byte, `gamma` per byte "
      "reduced; "
      "`alpha_uni` and `beta_uni` where a rank only sends\nor only receives. Rounds and costs are "
      "for "
      "equal blocks; tests hold them against the schedules.\n\n"
      "Compositions over nodes (`leader`, `multi_leader`, `full_lane`, `send_aggregation`, "
      "`receive_distribution`) run another\nalgorithm, `inner`, between the nodes: "
      "`allreduce/leader:inner=ring`. Where nodes have domains, caches or\nnear memory, "
      "`multi_leader:leaders=domains` has a leader for each; with `inner=leader` these have\n"
      "leaders of their nodes: three levels. Rings walk from node to node where the nodes\nare "
      "known.\n\n"
      "Hybrids run over the lines of a mesh of ranks, trees along some dimensions and rings along "
      "others:\n`bcast/hybrid:shape=16x32,long=1`. In their costs `d` is a dimension, and `v` is "
      "`n` divided by the long dimensions before.\n",
      algorithms.size(), count_collectives(algorithms));
  const Algorithm* last = nullptr;
  for (const Algorithm* each : algorithms) {
    if (last == nullptr || last->collective != each->collective)
      std::cout << fmt::format(
          "\n## {}\n\n| algorithm | in a line | valid | rounds | cost | scratch | source |\n"
          "| --- | --- | --- | --- | --- | --- | --- |\n",
          name_of(each->collective));
    last = each;
    std::cout << fmt::format("| [{}](../src/algorithms/{}) | {} | {} | {} | {} | {} | {} |\n",
                             each->name, each->file, cell(each->summary), cell(each->valid_text()),
                             cell(each->rounds.text), cell(each->cost.text),
                             cell(each->scratch.text), cell(each->source));
  }
  std::cout << "\n## Parameters\n\n| algorithm | parameter | meaning | default |\n"
               "| --- | --- | --- | --- |\n";
  for (const Algorithm* each : algorithms)
    for (const Parameter& parameter : each->parameters)
      std::cout << fmt::format("| {} | {} | {} | {} |\n", each->full_name(), parameter.name,
                               cell(parameter.meaning), cell(parameter.default_text));
  std::cout << sources;
}

}  // namespace

void add_list(CLI::App& app, int&) {
  struct Options {
    std::string collective;
    bool json = false, markdown = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("list", "List the algorithms, what they cost and their source.");
  verb->add_option("COLLECTIVE", options->collective, "Only those of one collective");
  CLI::Option* json = verb->add_flag("--json", options->json, "As JSON");
  verb->add_flag("--markdown", options->markdown, "As the document docs/algorithms.md")
      ->excludes(json);
  set_examples(*verb, {"tutti list", "tutti list allreduce", "tutti list --json"});
  verb->callback([options] {
    Algorithms algorithms;
    if (!options->collective.empty()) {
      algorithms = algorithms_of(parse_collective(options->collective));
    } else {
      for (int i = 0; i < collective_count; ++i)
        for (const Algorithm* each : algorithms_of(static_cast<Collective>(i)))
          algorithms.push_back(each);
    }
    if (options->json)
      print_json(algorithms);
    else if (options->markdown)
      print_markdown(algorithms);
    else
      print_table(algorithms);
  });
}

}  // namespace tutti::core::cli
