// Reads JSON value by value, and names what is wrong.

#include "schedule/json_reader.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tutti::core {

using Json = nlohmann::ordered_json;

namespace {

std::string way_to(const std::string& path, std::string_view field) {
  return path.empty() ? std::string(field) : fmt::format("{}.{}", path, field);
}

/// What is wrong with a field of the object that `path` leads to.
std::invalid_argument wrong_field(std::string_view words, const std::string& path,
                                  std::string_view field,
                                  const std::vector<std::string_view>& known = {}) {
  const std::string text =
      fmt::format(fmt::runtime(words), path, field, way_to(path, field), fmt::join(known, ", "));
  return std::invalid_argument(text.substr(text.front() == ' ' ? 1 : 0));  // the whole document
}

}  // namespace

void JsonReader::fail(std::string_view what) const {
  throw std::invalid_argument(path_.empty() ? std::string(what)
                                            : fmt::format("{} {}", place(), what));
}

void JsonReader::refuse(std::string_view unknown,
                        const std::vector<std::string_view>& known) const {
  throw wrong_field(words_->unknown, path_, unknown, known);
}

void JsonReader::has_only(const std::vector<std::string_view>& known) const {
  must_be_object();
  for (const auto& item : json_->items())
    if (std::find(known.begin(), known.end(), item.key()) == known.end()) refuse(item.key(), known);
}

void JsonReader::has_exactly(const std::vector<std::string_view>& fields) const {
  for (const std::string_view field : fields) at(field);
  has_only(fields);
}

JsonReader JsonReader::at(std::string_view field) const {
  must_be_object();
  const auto found = json_->find(field);
  if (found == json_->end()) throw wrong_field(words_->missing, path_, field);
  return JsonReader(*found, way_to(path_, field), *words_);
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::fields() const {
  must_be_object();
  std::vector<std::pair<std::string, JsonReader>> all;
  for (const auto& item : json_->items())
    all.emplace_back(item.key(), JsonReader(item.value(), way_to(path_, item.key()), *words_));
  return all;
}

std::vector<JsonReader> JsonReader::list() const {
  if (!json_->is_array()) fail(words_->list);
  std::vector<JsonReader> all;
  for (std::size_t i = 0; i < json_->size(); ++i)
    all.emplace_back((*json_)[i], fmt::format("{}[{}]", path_, i), *words_);
  return all;
}

std::uint64_t JsonReader::number(std::uint64_t most) const {
  const auto refuse = [&](std::string_view words) {
    fail(fmt::format(fmt::runtime(words), json_->dump(), most));
  };
  const bool is_whole = json_->is_number_unsigned() ||
                        (json_->is_number_integer() && json_->get<std::int64_t>() >= 0);
  if (!is_whole) refuse(words_->whole);
  const auto value = json_->get<std::uint64_t>();
  if (value > most) refuse(words_->above);
  return value;
}

double JsonReader::real() const {
  if (!json_->is_number()) fail(fmt::format(fmt::runtime(words_->real), json_->dump()));
  return json_->get<double>();
}

double JsonReader::amount() const {
  const double value = real();
  if (value < 0) fail(fmt::format(fmt::runtime(words_->negative), json_->dump()));
  return value;
}

bool JsonReader::yes_or_no() const {
  if (!json_->is_boolean()) fail("must be true or false");
  return json_->get<bool>();
}

const std::string& JsonReader::text() const {
  const std::string* const text = json_->get_ptr<const std::string*>();
  if (text == nullptr || (text->empty() && !words_->empty_texts)) fail(words_->text);
  return *text;
}

std::string JsonReader::place() const { return fmt::format(fmt::runtime(words_->place), path_); }

void JsonReader::must_be_object() const {
  if (!json_->is_object()) fail(path_.ends_with(']') ? words_->object_of_list : words_->object);
}

Json parse_strictly(std::string_view text, std::string_view example) {
  constexpr int deepest = 8;
  constexpr double most = 1e18;
  std::vector<std::set<std::string>> fields;  // of the objects that are open
  std::string field;
  const auto refusal = [&](std::string_view what) {
    return std::invalid_argument(fmt::format("field \"{}\"{}", field, what));
  };
  const auto look = [&](int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    if (depth > deepest)
      throw refusal(fmt::format(" is nested too deeply; compare with {}", example));
    if (event == Event::object_start) fields.emplace_back();
    if (event == Event::object_end) fields.pop_back();
    if (event == Event::key) {
      field = value.get<std::string>();
      if (!fields.back().insert(field).second) throw refusal(" stands twice; remove one");
    }
    if (event == Event::value && value.is_number() && std::abs(value.get<double>()) > most)
      throw refusal(": a number is too large; write at most 1e18");
    return true;
  };
  try {
    return Json::parse(text, look);
  } catch (const Json::out_of_range&) {
    throw refusal(": a number is too large; write finite numbers");
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument(
        fmt::format("not JSON at byte {}; compare with {}", error.byte, example));
  }
}

}  // namespace tutti::core
