// Whatever stands in a profile: it is accepted only if it is valid in meaning, else refused with
// one line that names file and field.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <stdexcept>

#include "model/profile.hpp"

namespace tutti::core {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> good_profiles() {
  std::vector<std::string> texts;
  for (const auto& [name, text] : shipped_profiles()) texts.emplace_back(text);
  Json full = Json::parse(texts.front());
  full["node"] = {
      {"latency_us", 0.15}, {"message_us", 0.12}, {"attach_us", 3}, {"copy_ns_per_byte", 0.1},
      {"switch_us", 2.5},   {"attach_copies", 2}, {"cores", 4}};
  full["interface"] = {{"1", 1}, {"2", 1.5}, {"4", 1.9}};
  full["measured_on"] = {{"mpi", "Open MPI 4.1.4"}, {"processor", "some"}, {"cores", 4}};
  full["steps"] = Json::array();
  for (const std::size_t from : {0, 4096, 65536})
    full["steps"].push_back({{"from", from},
                             {"alpha_us", 2},
                             {"beta_ns_per_byte", 4},
                             {"alpha_uni_us", 1},
                             {"beta_uni_ns_per_byte", 3}});
  full["gammas"] = {{"sum_float", 0.5}, {"user", 2}};
  full["post_us"] = 1.5;
  full["piece_bytes"] = 32768;
  full["uncertainty_percent"] = {{"alpha", 3}, {"beta", 0.5}};
  full["mesh"] = "torus:2x2x2";
  const auto choice = [](std::size_t from, const char* algorithm, bool measured) {
    return Json{{"from", from}, {"algorithm", algorithm}, {"us", 12.5}, {"measured", measured}};
  };
  full["decisions"] = Json::array(
      {{{"collective", "allreduce"},
        {"topology", "4x2"},
        {"choices",
         {choice(0, "leader:inner=recursive_doubling", true), choice(65536, "native", false)}}},
       {{"collective", "bcast"},
        {"topology", "8x1"},
        {"choices",
         {choice(0, "binomial", true), choice(4096, "chain:segment=1K", true),
          choice(1 << 20, "hybrid:shape=2x4,long=1", false)}},
        {"measured_us",
         {{{"at", 8}, {"binomial", 12.5}, {"native", 14}},
          {{"at", 8192}, {"chain:segment=1K", 30}, {"native", 31}, {"circulant", 30}}}}},
       {{"collective", "alltoallv"},
        {"topology", "0,0,1"},
        {"choices", {choice(0, "pairwise", 0)}}},
       {{"collective", "allgatherv"},
        {"topology", "4x1"},
        {"blocks", "even"},
        {"choices", {choice(0, "bruck", true), choice(4096, "native", true)}}},
       {{"collective", "allgatherv"},
        {"topology", "4x1"},
        {"blocks", "uneven"},
        {"choices", {choice(0, "ring", true), choice(4096, "pipelined_ring", true)}}},
       {{"collective", "barrier"},
        {"topology", "2x3:cyclic"},
        {"choices", {choice(0, "dissemination", true)}}}});
  for (auto& row : full["decisions"])
    for (auto& each : row["choices"]) each["measured"] = each["measured"] == true;
  texts.push_back(full.dump(1));
  texts.push_back(full.dump());
  for (int i = 0; i < 4; ++i) texts.push_back(full.dump(1));  // it has most to spoil
  return texts;
}

class Mutations {
 public:
  explicit Mutations(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  std::string of(const std::string& text) {
    switch (below(12)) {
      case 0: return flipped(text);
      case 1: return text.substr(0, below(text.size()));
      case 2: return cut(text);
      case 3: return twice(text);
      case 4: return nested(text);
      case 5: return with_number(text);
      default: return in_meaning(text);
    }
  }

 private:
  std::string flipped(std::string text) {
    for (std::size_t i = below(4) + 1; i > 0; --i)
      text[below(text.size())] = static_cast<char>(below(256));
    return text;
  }
  std::string cut(std::string text) { return text.erase(below(text.size()), below(40) + 1); }
  /// A field once more, with the same or another value.
  std::string twice(std::string text) {
    const std::size_t colon = text.find(':', below(text.size()));
    if (colon == std::string::npos) return text + text;
    const std::size_t quote = text.rfind('"', colon);
    const std::size_t begin = text.rfind('"', quote - 1);
    if (quote == std::string::npos || begin == std::string::npos) return text;
    const std::string field = text.substr(begin, quote - begin + 1);
    return text.insert(begin, field + ": " + (below(2) == 0 ? "1" : "\"x\"") + ", ");
  }
  std::string nested(std::string text) {
    const std::size_t depth = below(2) == 0 ? 20 : 200000;
    const bool list = below(2) == 0;
    std::string deep;
    for (std::size_t i = 0; i < depth; ++i) deep += list ? "[" : "{\"a\":";
    deep += "1";
    for (std::size_t i = 0; i < depth; ++i) deep += list ? "]" : "}";
    const std::size_t colon = text.find(':', below(text.size()));
    if (colon == std::string::npos) return deep;
    return text.insert(colon + 1, deep + ", \"b\": ");
  }
  std::string with_number(std::string text) {
    static const std::vector<std::string> numbers{
        "1e400", "-1e400", "1e308", "1e-320", "99999999999999999999999", "18446744073709551615",
        "-1",    "1e19",   "0.5",   "-0.0",   "9007199254740993",        "1e18"};
    const std::size_t colon = text.find(':', below(text.size()));
    const std::size_t end = colon == std::string::npos ? colon : text.find_first_of(",}\n", colon);
    if (end == std::string::npos) return text;
    return text.replace(colon + 1, end - colon - 1, numbers[below(numbers.size())]);
  }

  /// Still JSON: another value somewhere, or another field, or none.
  std::string in_meaning(const std::string& text) {
    Json json = Json::parse(text);
    for (std::size_t i = below(2) + 1; i > 0; --i) change(json);
    return json.dump(below(2) == 0 ? -1 : 1);
  }
  void change(Json& root) {
    std::vector<Json*> places{&root};
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i]->is_structured())
        for (auto& item : places[i]->items()) places.push_back(&item.value());
    Json& place = *places[1 + below(places.size() - 1)];
    static const std::vector<Json> values{nullptr,
                                          true,
                                          0,
                                          1,
                                          -1,
                                          7,
                                          1e18,
                                          1e300,
                                          0.25,
                                          std::size_t{1} << 60,
                                          std::size_t{1} << 61,
                                          "",
                                          "x",
                                          "native",
                                          "ring",
                                          "leader",
                                          "chain:segment=1",
                                          "chain:segment=0",
                                          "allreduce",
                                          "alltoall",
                                          "16384x1",
                                          "16777216x1",
                                          "4000x4000",
                                          "1x8",
                                          "4x2",
                                          "0x3",
                                          "0,1,0,1",
                                          "multi_leader:leaders=9999999999",
                                          "leader:inner=leader",
                                          "hybrid:shape=3x3",
                                          "pairwise_xor",
                                          "line\nbreak",
                                          "\x01",
                                          std::string(5000, 'y'),
                                          Json::array(),
                                          Json::object(),
                                          {1, 2, 3},
                                          {{"from", 0}}};
    if (place.is_object() && !place.empty() && below(2) == 0) {
      const std::string key =
          std::next(place.begin(), static_cast<std::ptrdiff_t>(below(place.size()))).key();
      const Json value = place[key];
      place.erase(key);
      if (below(2) == 0) place[below(2) == 0 ? key + "_" : std::string("odd\nfield")] = value;
    } else if (place.is_array() && !place.empty() && below(2) == 0) {
      // A copy says the same twice; the last first contradicts the order.
      if (below(2) == 0)
        place.push_back(Json(place[below(place.size())]));
      else
        std::reverse(place.begin(), place.end());
    } else {
      place = values[below(values.size())];
    }
  }

  std::mt19937 random_;
};

/// Every decision on few ranks gives every rank a schedule.
void expect_runs(const DecisionRow& row) {
  for (const Decision& each : row.choices) {
    if (!each.request || row.topology->p() > 64 || each.from > 1 << 22) continue;
    Problem problem = Problem::even(row.collective, row.topology->p(),
                                    each.from / usual_element_bytes(row.collective));
    problem.element_bytes = usual_element_bytes(row.collective);
    problem.topology = row.topology;
    const Algorithm& algorithm = *each.request->algorithm;
    const Parameters parameters =
        algorithm.resolve(problem, default_profile().rates, each.request->parameters);
    for (Rank rank = 0; rank < problem.p; ++rank)
      Generator(algorithm, problem.call(rank), parameters);
  }
}

void expect_meaning(const Profile& profile) {
  EXPECT_FALSE(profile.name.empty() || profile.source.empty());
  for (const double rate : {profile.rates.alpha, profile.rates.beta, profile.rates.gamma,
                            profile.rates.alpha_uni, profile.rates.beta_uni})
    EXPECT_TRUE(std::isfinite(rate) && rate >= 0);
  EXPECT_EQ(profile.interface.curve.front(), std::pair(1, 1.0));
  std::set<std::string> rows;
  for (const DecisionRow& row : profile.decisions.rows()) {
    for (const Evenness blocks : {Evenness::even, Evenness::uneven})
      if (row.covers(row.collective, *row.topology, blocks)) {
        DecisionRow place = row;
        place.blocks = blocks;
        EXPECT_TRUE(rows.insert(place.describe()).second) << "two rows for " << place.describe();
      }
    EXPECT_TRUE(row.blocks == Evenness::any || has_common_blocks(row.collective));
    ASSERT_FALSE(row.choices.empty());
    EXPECT_EQ(row.choices.front().from, 0u);
    for (std::size_t i = 1; i < row.choices.size(); ++i)
      EXPECT_GT(row.choices[i].from, row.choices[i - 1].from);
    for (std::size_t i = 0; i < row.measured.size(); ++i) {
      EXPECT_FALSE(row.measured[i].seconds.empty());
      EXPECT_TRUE(i == 0 || row.measured[i].bytes > row.measured[i - 1].bytes);
      row.ground_for(row.measured[i].bytes);
    }
    expect_runs(row);
  }
  for (std::size_t i = 1; i < profile.steps.size(); ++i)
    EXPECT_GT(profile.steps[i].from, profile.steps[i - 1].from);
  const std::string text = format_profile(profile);
  EXPECT_EQ(format_profile(parse_profile(text, "again.json")), text);
}

void expect_refusal(const std::string& what) {
  EXPECT_EQ(what.rfind("profile some.json: ", 0), 0u) << what;
  EXPECT_LT(what.size(), 600u);
  for (const char c : what) EXPECT_GE(static_cast<unsigned char>(c), ' ') << what;
  const bool names_place = what.find(" field \"") != std::string::npos ||
                           what.find("not JSON at byte ") != std::string::npos ||
                           what.find("must be a JSON object") != std::string::npos;
  EXPECT_TRUE(names_place) << what;
}

TEST(ProfileFuzz, ThousandsOfSpoiltProfiles) {
  const std::vector<std::string> good = good_profiles();
  for (const std::string& text : good) expect_meaning(parse_profile(text, "some.json"));
  Mutations mutations(20051);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = mutations.of(good[mutations.below(good.size())]);
    SCOPED_TRACE(testing::Message() << i << ": " << text.substr(0, 3000));
    try {
      expect_meaning(parse_profile(text, "some.json"));
      ++accepted;
    } catch (const std::invalid_argument& error) {
      expect_refusal(error.what());
      ++refused;
    }  // anything else fails the test
    if (HasFailure()) break;
  }
  EXPECT_GT(accepted, 200);
  EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace tutti::core
