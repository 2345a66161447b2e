// The verb tutti report: results, records, profiles and schedules as one page that opens without a
// network.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/page.hpp"
#include "cli/schedule_document.hpp"
#include "cli/trace_document.hpp"
#include "measure/document.hpp"
#include "measure/record.hpp"

namespace tutti::core::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ReportOptions {
  std::vector<std::string> files;
  std::string output = "report.html", profile;
};

std::string contents_of(const std::string& file) {
  std::error_code error;
  if (fs::is_directory(file, error))
    throw std::invalid_argument(fmt::format("'{}' is a folder: name the files in it", file));
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in)
    throw std::invalid_argument(fmt::format("cannot read '{}': is it there and readable?", file));
  return text.str();
}

/// A kind of document that the page shows: how to know one, and what of it goes into which list.
struct FileKind {
  const char* list;
  const char* source;  // who writes it
  bool (*is)(const JsonReader&);
  Json (*data)(const JsonReader&, const std::string& file, const Profile& profile);
};

constexpr FileKind kinds[] = {
    {"results", "tutti bench -o FILE",
     [](const JsonReader& document) {
       return document.has("program") && document.json()["program"] == "tutti bench";
     },
     [](const JsonReader& document, const std::string&, const Profile&) {
       return read_results(document);
     }},
    {"records", "tutti run --record FILE",
     [](const JsonReader& document) {
       return document.has("kind") && document.json()["kind"] == "record";
     },
     [](const JsonReader& document, const std::string&, const Profile&) {
       return read_record(document);
     }},
    {"schedules", "tutti show --format json",
     [](const JsonReader& document) { return document.has("schedules"); },
     [](const JsonReader& document, const std::string&, const Profile& profile) {
       return film_data(read_schedules(document), profile);
     }},
    {"traces", "tutti trace -o FILE",
     [](const JsonReader& document) { return document.has("traceEvents"); },
     [](const JsonReader& document, const std::string&, const Profile& profile) {
       // A trace knows its machine, unless another is asked for.
       const bool is_asked = &profile != &default_profile();
       return trace_data(document, is_asked ? &profile.rates : nullptr, profile.name);
     }},
    {"profiles", "a machine profile",
     [](const JsonReader& document) { return document.has("alpha_us"); },
     [](const JsonReader& document, const std::string& file, const Profile&) {
       parse_profile(document.json().dump(), file);  // throws if it is none
       return document.json();
     }},
};

/// Adds a file to the data of the page.
void add(Json& data, const std::string& file, const Profile& profile) {
  const std::string text = contents_of(file);
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument(fmt::format(
        "{}: not JSON, or not whole: look at byte {}; of tutti bench the JSON is wanted, not CSV",
        file, error.byte));
  }
  const JsonReader document(json);
  std::string known;
  for (const FileKind& kind : kinds) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.source);
    if (!kind.is(document)) continue;
    Json entry{{"file", fs::path(file).filename().string()}};
    try {
      entry.update(kind.data(document, file, profile));
    } catch (const std::exception& error) {
      const std::string why = error.what();
      if (why.starts_with(file)) throw;  // a profile's errors name it
      throw std::invalid_argument(
          fmt::format("{}: {}; is it what {} gave?", file, why, kind.source));
    }
    data[kind.list].push_back(std::move(entry));
    return;
  }
  throw std::invalid_argument(
      fmt::format("{}: nothing that a report shows: give one of these: {}", file, known));
}

void report(const ReportOptions& options) {
  std::optional<Profile> asked;
  if (!options.profile.empty()) asked = find_profile(options.profile);
  const Profile& profile = asked ? *asked : default_profile();
  Json data{{"version", TUTTI_VERSION}};
  for (const std::string& file : options.files) add(data, file, profile);
  write_output(options.output, page_of(data));
}

}  // namespace

void add_report(CLI::App& app, int&) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* verb = app.add_subcommand(
      "report",
      "Write one page that shows results: curves, decisions, wins and losses, records, schedules.");
  verb->add_option(
          "FILES", options->files,
          "What tutti bench -o wrote (with --guidelines or --regret, too), records of "
          "tutti run --record, traces, machine profiles, and what tutti show --format json "
          "gave: one or several")
      ->required();
  verb->add_option("-o", options->output, "The page")->capture_default_str();
  verb->add_option(
      "--profile", options->profile,
      "The machine by which schedules get their times, and traces their plans: a file, or "
      "a shipped one "
      "(default " +
          default_profile().name + ")");
  set_examples(*verb,
               {"tutti report results.json", "tutti report monday.json tuesday.json -o week.html",
                "tutti report results.json rules.json here.json schedule.json -o all.html"});
  verb->footer(
      "The page holds all it needs and opens from a file, without a network. It is written whole "
      "or\n"
      "not at all.\n\n" +
      verb->get_footer());
  verb->callback([options] { report(*options); });
}

}  // namespace tutti::core::cli
