// What verbs share: the examples in their help, output, numbers, profiles and the terminal.

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "cli/commands.hpp"
#include "schedule/suggest.hpp"
#include "schedule/whole_file.hpp"
#include "select/environment.hpp"

namespace tutti::core::cli {

void set_examples(CLI::App& verb, const std::vector<std::string>& lines) {
  std::string text = "EXAMPLES";
  for (const std::string& line : lines) text += "\n  " + line;
  verb.footer(text);
}

void write_output(const std::string& file, std::string_view text) {
  if (file.empty()) {
    std::cout << text;
    return;
  }
  if (write_whole(file, text)) return;
  throw std::runtime_error(
      fmt::format("cannot write '{}': is its folder there and writable?", file));
}

namespace {

/// A whole number and nothing else.
template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace

int parse_p(std::string_view text) {
  const auto p = whole_number<int>(text);
  if (!p || *p < 1 || *p > most_ranks)
    throw std::invalid_argument(fmt::format(
        "'{}' is not a number of ranks: write a whole number from 1 to {}", text, most_ranks));
  return *p;
}

std::size_t parse_count(std::string_view text) {
  const auto count = whole_number<std::size_t>(text);
  if (!count)
    throw std::invalid_argument(
        fmt::format("'{}' is not a number of elements: write a whole number from 0 on", text));
  return *count;
}

Profile find_profile(const std::string& name_or_file) {
  std::vector<std::string> names;
  for (const auto& [name, text] : shipped_profiles()) {
    if (name == name_or_file) return parse_profile(text, name);
    names.push_back(name);
  }
  if (std::filesystem::exists(name_or_file)) return read_profile(name_or_file);
  const std::string near = suggestion(name_or_file, names);
  throw std::invalid_argument(
      fmt::format("no file and no shipped profile '{}'{}", name_or_file,
                  near.empty() ? fmt::format(": shipped are {}", fmt::join(names, ", ")) : near));
}

bool is_terminal(int descriptor) { return isatty(descriptor) != 0; }

std::string styled(std::string_view text, std::string_view style) {
  if (!in_environment("NO_COLOR").empty() || !is_terminal(STDOUT_FILENO)) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", style, text);
}

}  // namespace tutti::core::cli
