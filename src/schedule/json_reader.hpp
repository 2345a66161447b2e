#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::core {

/// A value and the way to it, so that whatever is wrong can be named: `cells[3].rows[0].us`. Throws
/// std::invalid_argument. The value must outlive its reader.
class JsonReader {
  using Json = nlohmann::ordered_json;

 public:
  /// An empty path: the whole document.
  explicit JsonReader(const Json& json, std::string path = {})
      : json_(&json), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument(path_.empty() ? what : fmt::format("{} {}", path_, what));
  }

  const Json& json() const { return *json_; }

  /// An object with these fields and no others.
  void has_exactly(std::initializer_list<const char*> fields) const {
    for (const char* field : fields) at(field);
    for (const auto& [field, value] : json_->items())
      if (std::find(fields.begin(), fields.end(), field) == fields.end())
        fail(fmt::format("has an unknown field \"{}\"", field));
  }

  bool has(const char* field) const { return json_->is_object() && json_->contains(field); }

  JsonReader at(const char* field) const {
    if (!json_->is_object()) fail("must be an object");
    if (!json_->contains(field)) fail(fmt::format("lacks the field \"{}\"", field));
    return JsonReader(json_->at(field),
                      path_.empty() ? std::string(field) : fmt::format("{}.{}", path_, field));
  }

  std::vector<JsonReader> list() const {
    if (!json_->is_array()) fail("must be a list");
    std::vector<JsonReader> all;
    for (std::size_t i = 0; i < json_->size(); ++i)
      all.emplace_back((*json_)[i], fmt::format("{}[{}]", path_, i));
    return all;
  }

  std::uint64_t number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const {
    const bool whole = json_->is_number_unsigned() ||
                       (json_->is_number_integer() && json_->get<std::int64_t>() >= 0);
    if (!whole) fail("must be a whole number, 0 or more");
    const auto value = json_->get<std::uint64_t>();
    if (value > most) fail(fmt::format("is {}, but at most {} is possible", value, most));
    return value;
  }

  double real() const {
    if (!json_->is_number()) fail("must be a number");
    return json_->get<double>();
  }

  bool yes_or_no() const {
    if (!json_->is_boolean()) fail("must be true or false");
    return json_->get<bool>();
  }

  const std::string& text() const {
    if (!json_->is_string()) fail("must be a text");
    return json_->get_ref<const std::string&>();
  }

  /// One of the words that name_of gives for the values 0..count-1.
  template <class Word>
  Word word(int count) const {
    if (!json_->is_string()) fail("must be a word");
    std::string known;
    for (int i = 0; i < count; ++i) {
      const std::string_view name = name_of(static_cast<Word>(i));
      if (json_->get_ref<const std::string&>() == name) return static_cast<Word>(i);
      known += fmt::format("{}{}", i == 0 ? "" : ", ", name);
    }
    fail(fmt::format("is {}, but must be one of {}", json_->dump(), known));
  }

 private:
  const Json* json_;
  std::string path_;
};

}  // namespace tutti::core
