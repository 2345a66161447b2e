#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "measure/grid.hpp"
#include "measure/statistics.hpp"

namespace tutti::core {

/// One way to do a cell: the MPI's own, or an algorithm of Tutti's.
struct ResultRow {
  // `native`, what parse_request reads: `bcast/chain:segment=32K`, or `chosen`, called by no name
  std::string algorithm;
  bool chosen = false;                // Tutti takes it when nobody asks for one
  bool correct = true;                // its result is that of the MPI's own
  std::string unmet{};                // why it cannot run in this cell, and was not measured
  std::string taken{};                // of `chosen`: the algorithm that Tutti took, or `native`
  std::vector<double> seconds{};      // of the slowest rank, in the order taken
  std::vector<std::size_t> passes{};  // how many of them in each pass
  Median time{};
  Median speed_up{};  // the MPI's own time over this one, taken side by side

  const std::string& name() const { return taken.empty() ? algorithm : taken; }
};

struct CellResult {
  Cell cell;
  double bound = 0;  // seconds that no schedule can beat
  std::vector<ResultRow> rows;
  std::string failure{};  // why there are no rows

  /// Adds the samples of another pass, a list for each row; one that was left out has none.
  void add_pass(const std::vector<std::vector<double>>& samples);
  /// Computes medians and ratios from the samples. The rows' samples stand side by side: some rows
  /// have fewer, from the first on.
  void evaluate();
  /// It was worth measuring to the end of the last pass, or there was none.
  bool goes_on(const ResultRow& row) const;
  /// After so many passes, or twice, four times as many ...: the speed-ups of the chosen and the
  /// best row are known to that share.
  bool is_precise(std::size_t passes, double precision) const;
  const ResultRow* native() const;
  const ResultRow* chosen() const;
  /// The fastest row that is right, and not native; one with a name.
  const ResultRow* best() const;
};

/// `bcast/chain:segment=32K` without its collective.
std::string short_name(const std::string& algorithm);
/// A table's first columns: collective, ranks, bytes, data.
std::string columns_of(const Cell& cell);

/// `12.3 us`, `1.52 ms`, in four places.
std::string format_seconds(double seconds);

nlohmann::ordered_json json_of(const CellResult& result, bool with_samples);
/// A line for each row, without the head.
std::string csv_of(const CellResult& result);
std::string csv_head();

/// The table of a terminal: a line for each cell, or for each row.
std::string table_head();
std::string table_line(const CellResult& result);
std::string table_rows(const CellResult& result);

}  // namespace tutti::core
