#include "schedule/json_reader.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

using Json = nlohmann::ordered_json;

template <class Work>
std::string refusal_of(Work&& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(JsonReader, NamesTheWay) {
  const Json json = Json::parse(R"({"rows": [{"us": -1, "name": ""}]})");
  const JsonReader document(json);
  const JsonReader row = document.at("rows").list()[0];
  EXPECT_EQ(refusal_of([&] { row.at("us").amount(); }), "rows[0].us must not be negative");
  EXPECT_EQ(refusal_of([&] { row.at("p"); }), "rows[0] lacks the field \"p\"");
  EXPECT_EQ(refusal_of([&] { row.has_only({"us"}); }), "rows[0] has an unknown field \"name\"");
  EXPECT_EQ(row.at("name").text(), "");
  EXPECT_EQ(row.fields()[1].first, "name");
}

TEST(JsonReader, TheWholeDocumentHasNoName) {
  const Json json = Json::parse(R"({"rows": 1})"), list = Json::array();
  EXPECT_EQ(refusal_of([&] { JsonReader(json).at("p"); }), "lacks the field \"p\"");
  EXPECT_EQ(refusal_of([&] { JsonReader(json).has_only({}); }), "has an unknown field \"rows\"");
  EXPECT_EQ(refusal_of([&] { JsonReader(list).at("p"); }), "must be an object");
}

TEST(JsonReader, SpeaksInTheWordsOfItsDocument) {
  constexpr JsonWords words{.missing = "no {2}", .above = "{0} > {1}", .empty_texts = false};
  const Json json = Json::parse(R"({"a": {"b": 7, "c": ""}})");
  const JsonReader a = JsonReader(json, "", words).at("a");
  EXPECT_EQ(refusal_of([&] { a.at("d"); }), "no a.d");
  EXPECT_EQ(refusal_of([&] { a.at("b").number(6); }), "a.b 7 > 6");
  EXPECT_EQ(refusal_of([&] { a.at("c").text(); }), "a.c must be a text");
}

TEST(JsonReader, BlamesTheValueForWhatAParserFinds) {
  const Json json = Json::parse(R"({"a": "x"})");
  const auto parse = [](const std::string& text) -> int {
    throw std::invalid_argument(text + "?");
  };
  EXPECT_EQ(refusal_of([&] { JsonReader(json).at("a").parsed(parse); }), "a: x?");
}

TEST(JsonReader, StrictlyThereAreNoDoubleFields) {
  const auto strictly = [](const char* text) {
    return refusal_of([&] { parse_strictly(text, "an example"); });
  };
  EXPECT_EQ(strictly(R"({"a": {"a": 1}})"), "accepted");
  EXPECT_EQ(strictly(R"({"a": 1, "a": 1})"), "field \"a\" stands twice; remove one");
  EXPECT_EQ(strictly(R"({"a": [[[[[[[[[1]]]]]]]]]})"),
            "field \"a\" is nested too deeply; compare with an example");
  EXPECT_EQ(strictly("{"), "not JSON at byte 2; compare with an example");
}

}  // namespace
}  // namespace tutti::core
