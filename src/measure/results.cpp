// The cells of a benchmark as text, CSV and JSON.

#include "measure/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "schedule/bytes.hpp"

namespace tutti::core {

void CellResult::add_pass(const std::vector<std::vector<double>>& samples) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (samples[i].empty()) continue;
    rows[i].seconds.insert(rows[i].seconds.end(), samples[i].begin(), samples[i].end());
    rows[i].passes.push_back(samples[i].size());
  }
}

bool CellResult::goes_on(const ResultRow& row) const {
  return row.unmet.empty() && row.seconds.size() == rows.front().seconds.size();
}

bool CellResult::is_precise(std::size_t passes, double precision) const {
  const std::size_t done = rows.empty() ? 0 : rows.front().passes.size();
  // To look after every pass would end at the first that looks good by chance.
  if (done < passes || !std::has_single_bit(done / passes) || done % passes != 0) return false;
  for (const ResultRow* row : {chosen(), best()})
    if (row != nullptr && row->speed_up.half_width() > precision) return false;
  return true;
}

void CellResult::evaluate() {
  const ResultRow* const own = native();
  for (ResultRow& row : rows) {
    if (row.seconds.empty()) continue;
    row.time = median_of(row.seconds, row.passes);
    if (own != nullptr && !own->seconds.empty())
      row.speed_up = median_of(ratios(own->seconds, row.seconds), row.passes);
  }
}

const ResultRow* CellResult::native() const {
  for (const ResultRow& row : rows)
    if (row.algorithm == "native") return &row;
  return nullptr;
}

const ResultRow* CellResult::chosen() const {
  for (const ResultRow& row : rows)
    if (row.chosen) return &row;
  return nullptr;
}

const ResultRow* CellResult::best() const {
  const ResultRow* best = nullptr;
  for (const ResultRow& row : rows)
    if (row.algorithm != "native" && row.taken.empty() && row.correct && !row.seconds.empty() &&
        (best == nullptr || row.time.value < best->time.value))
      best = &row;
  return best;
}

std::string format_seconds(double seconds) {
  const auto places = [](double value) { return value < 9.995 ? 2 : value < 99.95 ? 1 : 0; };
  const double us = seconds * 1e6;
  if (us < 999.5) return fmt::format("{:.{}f} us", us, places(us));
  if (us < 999.5e3) return fmt::format("{:.{}f} ms", us / 1e3, places(us / 1e3));
  return fmt::format("{:.{}f} s", seconds, places(seconds));
}

std::string short_name(const std::string& algorithm) {
  return algorithm.substr(algorithm.find('/') + 1);
}

namespace {

std::string data_of(const Cell& cell) {
  std::string text;
  if (is_irregular(cell.collective)) text = name_of(cell.distribution);
  if (cell.element != Element::usual)
    text += fmt::format("{}{}", text.empty() ? "" : " ", name_of(cell.element));
  return text.empty() ? "-" : text;
}

std::string ratio(const Median& median) {
  return fmt::format("{:.2f} ({:.2f}-{:.2f})", median.value, median.low, median.high);
}

nlohmann::ordered_json json_of(const Median& median, double unit) {
  return {median.value * unit, median.low * unit, median.high * unit};
}

}  // namespace

std::string columns_of(const Cell& cell) {
  return fmt::format("{:<20} {:>5} {:>5} {:<11} ", name_of(cell.collective), cell.p,
                     cell.collective == Collective::barrier ? "-" : format_bytes(cell.bytes),
                     data_of(cell));
}

nlohmann::ordered_json json_of(const CellResult& result, bool with_samples) {
  const Cell& cell = result.cell;
  auto rows = nlohmann::ordered_json::array();
  for (const ResultRow& row : result.rows) {
    nlohmann::ordered_json entry{{"algorithm", row.algorithm},
                                 {"chosen", row.chosen},
                                 {"correct", row.correct},
                                 {"repetitions", row.seconds.size()},
                                 {"passes", row.passes.size()}};
    if (!row.unmet.empty()) entry["unmet"] = row.unmet;
    if (!row.taken.empty()) entry["taken"] = row.taken;
    if (!row.seconds.empty()) {
      const auto [least, most] = std::minmax_element(row.seconds.begin(), row.seconds.end());
      entry["us"] = json_of(row.time, 1e6);
      entry["us_least"] = *least * 1e6;
      entry["us_most"] = *most * 1e6;
      if (row.speed_up.value > 0) entry["speed_up"] = json_of(row.speed_up, 1);
      if (result.bound > 0) entry["over_bound"] = row.time.value / result.bound;
    }
    if (with_samples) {
      auto samples = nlohmann::ordered_json::array();
      for (const double seconds : row.seconds) samples.push_back(seconds * 1e6);
      entry["us_samples"] = samples;
      entry["samples_of_passes"] = row.passes;
    }
    rows.push_back(entry);
  }
  nlohmann::ordered_json json{{"collective", name_of(cell.collective)},
                              {"p", cell.p},
                              {"bytes", cell.bytes},
                              {"distribution", name_of(cell.distribution)},
                              {"type", name_of(cell.element)},
                              {"root", cell.root},
                              {"bound_us", result.bound * 1e6}};
  const ResultRow* const best = result.best();
  const ResultRow* const chosen = result.chosen();
  if (best != nullptr) json["best"] = best->algorithm;
  if (chosen != nullptr) json["chosen"] = chosen->name();
  if (!result.failure.empty()) json["failure"] = result.failure;
  json["rows"] = rows;
  return json;
}

std::string csv_head() {
  return "collective,p,bytes,distribution,type,root,algorithm,chosen,correct,repetitions,us,us_low,"
         "us_high,speed_up,speed_up_low,speed_up_high,bound_us,unmet\n";
}

std::string csv_of(const CellResult& result) {
  std::string text;
  for (const ResultRow& row : result.rows)
    text += fmt::format(
        "{},{},{},{},{},{},\"{}\",{:d},{:d},{},{:.6g},{:.6g},{:.6g},{:.5g},{:.5g},{:.5g},{:.6g},"
        "\"{}\"\n",
        name_of(result.cell.collective), result.cell.p, result.cell.bytes,
        name_of(result.cell.distribution), name_of(result.cell.element), result.cell.root,
        row.name(), row.chosen, row.correct, row.seconds.size(), row.time.value * 1e6,
        row.time.low * 1e6, row.time.high * 1e6, row.speed_up.value, row.speed_up.low,
        row.speed_up.high, result.bound * 1e6, row.unmet);
  return text;
}

std::string table_head() {
  return fmt::format(
      "{:<20} {:>5} {:>5} {:<11} {:>8}  {:>8} {:<17} {:<28} {:>8} {:<17} {:>7}  {}\n", "collective",
      "ranks", "bytes", "data", "native", "chosen", "speed-up", "algorithm", "best", "speed-up",
      "x bound", "algorithm");
}

std::string table_line(const CellResult& result) {
  std::string line = columns_of(result.cell);
  if (!result.failure.empty()) return line + result.failure + "\n";
  const ResultRow* const native = result.native();
  line += fmt::format("{:>8}  ", native == nullptr || native->seconds.empty()
                                     ? "-"
                                     : format_seconds(native->time.value));
  const auto add = [&](const ResultRow* row) {
    line += fmt::format("{:>8} {:<17} ", row == nullptr ? "-" : format_seconds(row->time.value),
                        row == nullptr || row->speed_up.value == 0 ? "-" : ratio(row->speed_up));
  };
  const ResultRow* const chosen = result.chosen();
  add(chosen);
  line += fmt::format("{:<28} ", chosen == nullptr ? "-" : short_name(chosen->name()));
  const ResultRow* const best = result.best();
  add(best);
  line += fmt::format("{:>7}  {}",
                      best == nullptr || result.bound <= 0
                          ? "-"
                          : fmt::format("{:.2f}", best->time.value / result.bound),
                      best == nullptr ? "-" : short_name(best->algorithm));
  for (const ResultRow& row : result.rows)
    if (!row.unmet.empty())
      line += fmt::format("  {} {}", short_name(row.algorithm), row.unmet);
    else if (!row.correct)
      line += fmt::format("  WRONG: {}", short_name(row.algorithm));
  return line + "\n";
}

std::string table_rows(const CellResult& result) {
  std::string text = fmt::format("{}\n", result.cell.describe());
  if (!result.failure.empty()) return text + fmt::format("    {}\n", result.failure);
  if (result.bound > 0)
    text += fmt::format("    {:<48} {:>9}\n", "lower bound", format_seconds(result.bound));
  for (const ResultRow& row : result.rows) {
    text += fmt::format("  {} {:<48} ", row.chosen ? '*' : ' ',
                        row.algorithm == "native" ? row.algorithm : short_name(row.name()));
    if (row.seconds.empty()) {
      text += fmt::format("{:>9}  {}", "-", row.unmet);
    } else {
      text += fmt::format("{:>9} +- {:>4.1f} %", format_seconds(row.time.value),
                          row.time.half_width() * 100);
      if (row.speed_up.value > 0) text += fmt::format("  {:<18}", ratio(row.speed_up));
      text += fmt::format(" {:>5} times", row.seconds.size());
    }
    text += row.correct ? "\n" : "  WRONG\n";
  }
  return text;
}

}  // namespace tutti::core
