#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::core {

/// How a kind of document says what is wrong with it.
struct JsonWords {
  // {0}: the way to the value
  std::string_view place = "{0}";
  // {0}: the way to the object, {1}: the field, {2}: the way to the field, {3}: the known fields
  std::string_view missing = "{0} lacks the field \"{1}\"";
  std::string_view unknown = "{0} has an unknown field \"{1}\"";
  // {0}: the value, {1}: the most that is possible
  std::string_view object = "must be an object";
  std::string_view object_of_list = "must be an object";
  std::string_view list = "must be a list";
  std::string_view text = "must be a text";
  std::string_view real = "must be a number";
  std::string_view negative = "must not be negative";
  std::string_view whole = "must be a whole number, 0 or more";
  std::string_view above = "is {0}, but at most {1} is possible";
  bool empty_texts = true;  // are texts, too
};
inline constexpr JsonWords usual_words;

/// A value and the way to it, so that whatever is wrong can be named: `cells[3].rows[0].us`. Throws
/// std::invalid_argument. The value and the words must outlive their reader.
class JsonReader {
  using Json = nlohmann::ordered_json;

 public:
  /// An empty path: the whole document.
  explicit JsonReader(const Json& json, std::string path = {}, const JsonWords& words = usual_words)
      : json_(&json), path_(std::move(path)), words_(&words) {}

  [[noreturn]] void fail(std::string_view what) const;
  /// Of a field of this object.
  [[noreturn]] void refuse(std::string_view unknown,
                           const std::vector<std::string_view>& known) const;

  const Json& json() const { return *json_; }

  /// An object without other fields.
  void has_only(const std::vector<std::string_view>& known) const;
  /// An object with these fields and no others.
  void has_exactly(const std::vector<std::string_view>& fields) const;
  bool has(std::string_view field) const { return json_->is_object() && json_->contains(field); }

  JsonReader at(std::string_view field) const;
  /// All fields of an object, with their names.
  std::vector<std::pair<std::string, JsonReader>> fields() const;
  std::vector<JsonReader> list() const;

  std::uint64_t number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  double real() const;
  /// 0 or more.
  double amount() const;
  bool yes_or_no() const;
  const std::string& text() const;

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

  /// Does what throws std::invalid_argument for this value, and adds the way to it.
  template <class Work>
  auto blamed_for(Work&& work) const {
    try {
      return work();
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: {}", place(), error.what()));
    }
  }
  /// A text by a function such as parse_topology.
  template <class Parse>
  auto parsed(Parse&& parse) const {
    const std::string& given = text();
    return blamed_for([&] { return parse(given); });
  }

 private:
  std::string place() const;
  void must_be_object() const;

  const Json* json_;
  std::string path_;
  const JsonWords* words_;
};

/// A document that people write. What JSON allows and nobody means is refused: a field that stands
/// twice, of which a reader would take one, numbers beyond all measure, and nesting without end.
/// `example`: what may be compared with. Throws std::invalid_argument.
nlohmann::ordered_json parse_strictly(std::string_view text, std::string_view example);

}  // namespace tutti::core
