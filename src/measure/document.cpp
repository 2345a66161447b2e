// Checks the results that tutti bench wrote, field by field.

#include "measure/document.hpp"

#include "schedule/problem.hpp"

namespace tutti::core {

namespace {

/// [value, low, high]
void check_median(const JsonReader& median) {
  const auto numbers = median.list();
  if (numbers.size() != 3) median.fail("must be [median, low, high]");
  for (const JsonReader& number : numbers) number.amount();
}

void check_row(const JsonReader& row) {
  row.at("algorithm").text();
  row.at("chosen").yes_or_no();
  row.at("correct").yes_or_no();
  const bool measured = row.at("repetitions").number() > 0;
  if (measured) check_median(row.at("us"));
  for (const char* field : {"speed_up"})
    if (row.has(field)) check_median(row.at(field));
  for (const char* field : {"over_bound", "us_least", "us_most"})
    if (row.has(field)) row.at(field).real();
  for (const char* field : {"unmet", "taken"})
    if (row.has(field)) row.at(field).text();
}

void check_cell(const JsonReader& cell) {
  cell.at("collective").word<Collective>(collective_count);
  cell.at("p").number();
  cell.at("bytes").number();
  cell.at("distribution").text();
  cell.at("type").text();
  cell.at("root").number();
  cell.at("bound_us").real();
  for (const char* field : {"best", "chosen", "failure"})
    if (cell.has(field)) cell.at(field).text();
  for (const JsonReader& row : cell.at("rows").list()) check_row(row);
  if (!cell.has("regret")) return;
  const JsonReader regret = cell.at("regret");
  for (const char* field : {"with_native", "without_native", "noise"}) regret.at(field).real();
  for (const char* field : {"best", "best_without_native"}) regret.at(field).text();
  regret.at("native_wins").yes_or_no();
}

void check_judgement(const JsonReader& rule) {
  rule.at("rule").text();
  rule.at("p").number();
  rule.at("bytes").number();
  rule.at("who").text();
  for (const char* field : {"left_us", "right_us", "factor"}) check_median(rule.at(field));
  rule.at("violated").yes_or_no();
}

void check_provenance(const JsonReader& head) {
  for (const char* field : {"version", "commit", "date", "mpi", "system", "processor", "bed"})
    head.at(field).text();
  head.at("ranks").number();
  head.at("cores").number();
  head.at("complete").yes_or_no();
  for (const JsonReader& word : head.at("command").list()) word.text();
  for (const JsonReader& host : head.at("layout").list()) {
    host.at("host").text();
    host.at("ranks").text();
  }
  head.at("method").at("start").text();
  head.at("method").at("interval").text();
  for (const char* field : {"alpha_us", "beta_ns_per_byte"}) head.at("line").at(field).real();
  head.at("line").at("source").text();
}

}  // namespace

nlohmann::ordered_json read_results(const JsonReader& document) {
  check_provenance(document);
  if (document.has("guidelines"))
    for (const JsonReader& rule : document.at("guidelines").list()) check_judgement(rule);
  else
    for (const JsonReader& cell : document.at("cells").list()) check_cell(cell);
  nlohmann::ordered_json results = document.json();
  if (results.contains("cells"))
    for (auto& cell : results["cells"])
      for (auto& row : cell["rows"]) {
        row.erase("us_samples");
        row.erase("samples_of_passes");
      }
  return results;
}

}  // namespace tutti::core
