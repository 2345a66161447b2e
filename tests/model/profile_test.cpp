#include "model/profile.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tutti::core {
namespace {

const std::filesystem::path profiles = std::filesystem::path(TUTTI_SOURCE_DIR) / "profiles";

nlohmann::json good() {
  return {{"name", "test"},
          {"source", "made up"},
          {"alpha_us", 2},
          {"beta_ns_per_byte", 3.5},
          {"gamma_ns_per_byte", 0},
          {"alpha_uni_us", 1},
          {"beta_uni_ns_per_byte", 2.5}};
}

std::string refusal(const std::string& text) {
  try {
    parse_profile(text, "some.json");
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    EXPECT_EQ(what.rfind("profile some.json: ", 0), 0u) << what;
    return what.substr(19);
  }
  return "accepted";
}

TEST(Profile, UnitsAreMicroAndNanoseconds) {
  const Profile profile = parse_profile(good().dump(), "some.json");
  EXPECT_EQ(profile.name, "test");
  EXPECT_EQ(profile.source, "made up");
  EXPECT_DOUBLE_EQ(profile.rates.alpha, 2e-6);
  EXPECT_DOUBLE_EQ(profile.rates.beta, 3.5e-9);
  EXPECT_DOUBLE_EQ(profile.rates.gamma, 0);
  EXPECT_DOUBLE_EQ(profile.rates.alpha_uni, 1e-6);
  EXPECT_DOUBLE_EQ(profile.rates.beta_uni, 2.5e-9);
}

TEST(Profile, RefusesWhatIsNotJson) {
  EXPECT_EQ(refusal("alpha = 3"), "not JSON at byte 1; compare with a file in profiles/");
  EXPECT_EQ(refusal(""), "not JSON at byte 1; compare with a file in profiles/");
  EXPECT_EQ(refusal("[1]"), "must be a JSON object; compare with a file in profiles/");
}

TEST(Profile, RefusesEveryMissingField) {
  const nlohmann::json all = good();
  for (const auto& item : all.items()) {
    nlohmann::json without = all;
    without.erase(item.key());
    EXPECT_EQ(refusal(without.dump()), "field \"" + item.key() + "\" is missing; add it");
  }
}

TEST(Profile, RefusesWrongValues) {
  for (const char* bad : {"-1", "\"3\"", "null", "[]", "true"}) {
    nlohmann::json wrong = good();
    wrong["alpha_us"] = nlohmann::json::parse(bad);
    EXPECT_EQ(refusal(wrong.dump()),
              std::string("field \"alpha_us\" must be a number, 0 or more, not ") + bad);
  }
  nlohmann::json wrong = good();
  wrong["name"] = 3;
  EXPECT_EQ(refusal(wrong.dump()), "field \"name\" must be a text in quotes");
  std::string huge = good().dump();
  huge.replace(huge.find("3.5"), 3, "1e999");
  EXPECT_EQ(refusal(huge),
            "field \"beta_ns_per_byte\": a number is too large; write finite numbers");
  huge.replace(huge.find("1e999"), 5, "1e20");
  EXPECT_EQ(refusal(huge), "field \"beta_ns_per_byte\": a number is too large; write at most 1e18");
}

TEST(Profile, RefusesAFieldThatStandsTwice) {
  std::string text = good().dump();
  text.insert(1, "\"alpha_us\": 1, ");
  EXPECT_EQ(refusal(text), "field \"alpha_us\" stands twice; remove one");
}

TEST(Profile, RefusesUnknownFields) {
  nlohmann::json extra = good();
  extra["alpha"] = 1;
  EXPECT_EQ(refusal(extra.dump()),
            "unknown field \"alpha\"; the fields are name, source, alpha_us, beta_ns_per_byte, "
            "gamma_ns_per_byte, alpha_uni_us, beta_uni_ns_per_byte, node, interface, steps, mesh, "
            "gammas, post_us, piece_bytes, uncertainty_percent, measured_on, decisions");
}

TEST(Profile, AnOperatorHasItsOwnGammaWhereItIsKnown) {
  nlohmann::json all = good();
  all["gammas"] = {{"user", 7}, {"sum_float", 0.5}};
  const Profile profile = parse_profile(all.dump(), "some.json");
  EXPECT_DOUBLE_EQ(profile.gamma_of(Work::user), 7e-9);
  EXPECT_DOUBLE_EQ(profile.gamma_of(Work::sum_float), 0.5e-9);
  EXPECT_DOUBLE_EQ(profile.gamma_of(Work::sum_double), profile.rates.gamma);
  EXPECT_DOUBLE_EQ(profile.gamma_of(Work::extreme_integer), profile.rates.gamma);
}

TEST(Profile, APieceIsWhatAnMpiCanCount) {
  nlohmann::json all = good();
  all["piece_bytes"] = 1u << 30;
  EXPECT_EQ(parse_profile(all.dump(), "some.json").piece, std::size_t{1} << 30);
  all["piece_bytes"] = (1u << 30) + 1;
  EXPECT_THROW(parse_profile(all.dump(), "some.json"), std::invalid_argument);
}

nlohmann::json with_levels() {
  nlohmann::json all = good();
  all["node"] = {
      {"latency_us", 0.5}, {"message_us", 0.25},   {"attach_us", 1.25}, {"copy_ns_per_byte", 0.125},
      {"switch_us", 3},    {"attach_copies", 2.5}, {"cores", 16}};
  all["interface"] = {{"1", 1}, {"2", 1.5}, {"16", 2.5}};
  return all;
}

TEST(Profile, TheLevelsMayBeLeftOut) {
  const Profile flat = parse_profile(good().dump(), "some.json");
  EXPECT_FALSE(flat.node);
  EXPECT_DOUBLE_EQ(flat.interface.factor(8), 1);
  try {
    const Topology node = Topology::one_node(2);
    flat.machine_for(&node);
    ADD_FAILURE() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(
        error.what(),
        "profile test: tells nothing of its nodes; add \"node\", or leave the topology out");
  }
  const Machine machine = parse_profile(with_levels().dump(), "some.json").machine_for();
  EXPECT_DOUBLE_EQ(machine.rates.alpha, 2e-6);
  EXPECT_DOUBLE_EQ(machine.node.latency, 0.5e-6);
  EXPECT_DOUBLE_EQ(machine.node.message, 0.25e-6);
  EXPECT_DOUBLE_EQ(machine.node.attach, 1.25e-6);
  EXPECT_DOUBLE_EQ(machine.node.byte, 0.125e-9);
  EXPECT_DOUBLE_EQ(machine.node.switching, 3e-6);
  EXPECT_DOUBLE_EQ(machine.node.reading, 2.5);
  EXPECT_EQ(machine.node.cores, 16);
  EXPECT_DOUBLE_EQ(machine.interface.factor(2), 1.5);
  EXPECT_DOUBLE_EQ(machine.interface.factor(9), 2);
}

TEST(Profile, RefusesWrongLevels) {
  const auto refused = [](const char* part, const char* field, const char* value) {
    nlohmann::json wrong = with_levels();
    if (*field == '\0')
      wrong[part] = nlohmann::json::parse(value);
    else if (*value == '\0')
      wrong[part].erase(field);
    else
      wrong[part][field] = nlohmann::json::parse(value);
    return refusal(wrong.dump());
  };
  EXPECT_EQ(refused("node", "", "3"), "field \"node\" must be an object in braces");
  EXPECT_EQ(refused("node", "latency_us", ""), "field \"node.latency_us\" is missing; add it");
  EXPECT_EQ(refused("node", "switch_us", "-1"),
            "field \"node.switch_us\" must be a number, 0 or more, not -1");
  EXPECT_EQ(refused("node", "cores", "1.5"),
            "field \"node.cores\" must be a whole number from 0 to 1048576, not 1.5");
  EXPECT_EQ(refused("node", "core", "1"),
            "unknown field \"node.core\"; the fields are latency_us, message_us, attach_us, "
            "copy_ns_per_byte, switch_us, attach_copies, across, again, cores");
  EXPECT_EQ(refused("node", "across", "0.5"), "field \"node.across\" must be 1 or more, not 0.5");
  EXPECT_EQ(refused("node", "attach_copies", "-1"),
            "field \"node.attach_copies\" must be a number, 0 or more, not -1");
  nlohmann::json older = with_levels();
  older["node"].erase("attach_copies");
  EXPECT_DOUBLE_EQ(parse_profile(older.dump(), "some.json").machine_for().node.reading, 1);
  EXPECT_DOUBLE_EQ(parse_profile(older.dump(), "some.json").machine_for().node.across, 1);
  nlohmann::json newer = with_levels();
  newer["node"]["across"] = 2.5;
  newer["node"]["again"] = 1;
  const Profile three = parse_profile(newer.dump(), "some.json");
  EXPECT_DOUBLE_EQ(three.machine_for().node.across, 2.5);
  EXPECT_DOUBLE_EQ(parse_profile(format_profile(three), "again").node->across, 2.5);
  EXPECT_DOUBLE_EQ(parse_profile(format_profile(three), "again").node->again, 1);
  EXPECT_DOUBLE_EQ(parse_profile(older.dump(), "some.json").node->again, 0);
  EXPECT_EQ(refused("interface", "", "[1]"), "field \"interface\" must be an object in braces");
  EXPECT_EQ(refused("interface", "1", ""), "field \"interface.1\" is missing; add it");
  EXPECT_EQ(refused("interface", "1", "2"), "field \"interface.1\" must be 1, not 2");
  EXPECT_EQ(refused("interface", "2", "0"),
            "field \"interface.2\" must be a number above 0, not 0");
  EXPECT_EQ(refused("interface", "many", "2"),
            "unknown field \"interface.many\"; the fields are numbers of cores from 1 to 1048576");
}

TEST(Profile, NamesAFileThatCannotBeRead) {
  for (const auto& path : {profiles / "no-such-machine.json", profiles}) try {
      read_profile(path);
      ADD_FAILURE() << path;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(),
                "profile " + path.string() + ": cannot be read; give the path of a JSON file");
    }
}

TEST(Profile, TheProfilesOfTheRepositoryAreSound) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(profiles)) {
    const Profile profile = read_profile(entry.path());
    EXPECT_EQ(profile.name, entry.path().stem().string());
    EXPECT_EQ(profile.source.rfind("Nominal", 0), 0u) << profile.name;
    const Rates& rates = profile.rates;
    for (const double rate :
         {rates.alpha, rates.beta, rates.gamma, rates.beta_uni, rates.alpha_uni})
      EXPECT_GT(rate, 0) << profile.name;
    // The 2005 paper, section 3: one way costs half of an exchange at least, all of it at most.
    EXPECT_LE(rates.alpha_uni, rates.alpha) << profile.name;
    EXPECT_LE(rates.beta_uni, rates.beta) << profile.name;
    EXPECT_GE(rates.alpha_uni, rates.alpha / 2) << profile.name;
    EXPECT_GE(rates.beta_uni, rates.beta / 2) << profile.name;
    ++seen;
  }
  EXPECT_EQ(seen, 5);
}

TEST(Profile, TheDefaultIsTheFabric) {
  const Profile file = read_profile(profiles / "fabric-100g.json");
  const Profile& built_in = default_profile();
  EXPECT_EQ(built_in.name, file.name);
  EXPECT_EQ(built_in.source, file.source);
  for (double Rates::*rate :
       {&Rates::alpha, &Rates::beta, &Rates::gamma, &Rates::alpha_uni, &Rates::beta_uni})
    EXPECT_DOUBLE_EQ(built_in.rates.*rate, file.rates.*rate);
  EXPECT_GT(built_in.machine_for().node.latency, 0);
}

nlohmann::json decided() {
  nlohmann::json object = good();
  object["measured_on"] = {{"mpi", "Some MPI 1.0"}, {"processor", "abacus"}, {"cores", 2}};
  object["decisions"] = {
      {{"collective", "bcast"},
       {"topology", "2x4"},
       {"choices",
        {{{"from", 0}, {"algorithm", "leader:inner=binomial"}, {"us", 3.5}, {"measured", true}},
         {{"from", 65536}, {"algorithm", "native"}, {"us", 80}, {"measured", false}}}}}};
  return object;
}

TEST(Profile, DecisionsAreFoundBySize) {
  const Profile profile = parse_profile(decided().dump(), "some.json");
  const auto topology = parse_topology("2x4");
  const auto find = [&](std::size_t bytes) {
    return profile.decisions.find(Collective::bcast, *topology, bytes);
  };
  ASSERT_NE(find(0), nullptr);
  EXPECT_EQ(find(0), find(65535));
  EXPECT_EQ(find(0)->request->algorithm->name, "leader");
  EXPECT_TRUE(find(0)->measured);
  EXPECT_FALSE(find(65536)->request);
  EXPECT_EQ(find(65536), find(1 << 30));
  EXPECT_EQ(profile.decisions.find(Collective::bcast, *parse_topology("4x2"), 0), nullptr);
  EXPECT_EQ(profile.decisions.find(Collective::reduce, *topology, 0), nullptr);
}

nlohmann::json by_blocks() {
  nlohmann::json object = decided();
  const auto row = [](const char* blocks, const char* algorithm) {
    return nlohmann::json{
        {"collective", "allgatherv"},
        {"topology", "2x4"},
        {"blocks", blocks},
        {"choices", {{{"from", 0}, {"algorithm", algorithm}, {"us", 9}, {"measured", true}}}}};
  };
  object["decisions"].push_back(row("even", "bruck"));
  object["decisions"].push_back(row("uneven", "pipelined_ring"));
  return object;
}

TEST(Profile, DecisionsAreFoundByBlocks) {
  const auto found = [](const nlohmann::json& object, Evenness blocks) {
    const Profile profile = parse_profile(object.dump(), "some.json");
    const Decision* const decision =
        profile.decisions.find(Collective::allgatherv, *parse_topology("2x4"), 8, blocks);
    return decision == nullptr ? "" : decision->request->algorithm->name;
  };
  nlohmann::json object = by_blocks();
  EXPECT_EQ(found(object, Evenness::even), "bruck");
  EXPECT_EQ(found(object, Evenness::uneven), "pipelined_ring");
  object["decisions"].erase(2);
  EXPECT_EQ(found(object, Evenness::uneven), "");
  object["decisions"][1].erase("blocks");
  EXPECT_EQ(found(object, Evenness::uneven), "bruck") << "for both";
}

TEST(Profile, TellsWhatADecisionRestsOn) {
  nlohmann::json object = decided();
  object["decisions"][0]["measured_us"] = {
      {{"at", 8}, {"native", 4}, {"leader:inner=binomial", 3.5}, {"binomial", 5}},
      {{"at", 131072}, {"native", 90}, {"chain", 80}}};
  const Profile profile = parse_profile(object.dump(), "some.json");
  const DecisionRow& row = profile.decisions.rows()[0];
  const Ground few = row.ground_for(100);
  ASSERT_NE(few.at, nullptr);
  EXPECT_EQ(few.at->bytes, 8u);
  EXPECT_DOUBLE_EQ(few.seconds, 3.5e-6);
  EXPECT_EQ(few.next, "native");
  EXPECT_DOUBLE_EQ(few.next_seconds, 4e-6);
  EXPECT_EQ(row.ground_for(60000).at, nullptr) << "measured near it, but where another is taken";
  const Ground many = row.ground_for(1 << 20);
  EXPECT_TRUE(many.measured);
  EXPECT_DOUBLE_EQ(many.seconds, 90e-6);
  EXPECT_EQ(many.next, "chain");
  EXPECT_EQ(nlohmann::json::parse(format_profile(profile))["decisions"], object["decisions"]);

  const auto refusal_with = [&](const nlohmann::json& value) {
    nlohmann::json spoilt = object;
    spoilt["decisions"][0]["measured_us"] = value;
    return refusal(spoilt.dump());
  };
  EXPECT_EQ(refusal_with(3), "field \"decisions[0].measured_us\" must be a list in brackets");
  EXPECT_EQ(refusal_with({3}), "field \"decisions[0].measured_us[0]\" must be in braces");
  EXPECT_EQ(refusal_with({{{"at", 8}}}),
            "field \"decisions[0].measured_us[0]\" names no candidate; remove it");
  EXPECT_EQ(refusal_with({{{"at", 8}, {"native", -1}}}),
            "field \"decisions[0].measured_us[0].native\" must be a number, 0 or more, not -1");
  EXPECT_EQ(
      refusal_with({{{"at", 8}, {"rong", 1}}}).rfind("field \"decisions[0].measured_us[0]\": ", 0),
      0u);
  EXPECT_EQ(
      refusal_with({{{"at", 8}, {"native", 1}}, {{"at", 8}, {"native", 1}}}),
      "field \"decisions[0]\": bcast on 2x4: measured at 8 bytes stands behind 8; order it by "
      "size");
}

TEST(Profile, RefusesBlocksThatSayNothing) {
  nlohmann::json object = by_blocks();
  object["decisions"][1]["blocks"] = "equal";
  EXPECT_EQ(refusal(object.dump()), "field \"decisions[1].blocks\" must be \"even\" or \"uneven\"");
  object["decisions"][1].erase("blocks");
  EXPECT_EQ(
      refusal(object.dump()),
      "field \"decisions[2]\": allgatherv on 2x4, uneven blocks stands in two rows; remove one");
  object = decided();
  object["decisions"][0]["blocks"] = "even";
  EXPECT_EQ(refusal(object.dump()),
            "field \"decisions[0]\": bcast on 2x4, even blocks: its ranks do not know all blocks; "
            "leave \"blocks\" out");
}

TEST(Profile, IsWrittenAsItIsRead) {
  const std::string text = format_profile(parse_profile(by_blocks().dump(), "some.json"));
  EXPECT_EQ(format_profile(parse_profile(text, "some.json")), text);
  nlohmann::json expected = by_blocks();
  expected["interface"] = {{"1", 1}};
  EXPECT_EQ(nlohmann::json::parse(text), expected) << text;
}

nlohmann::json measured() {
  nlohmann::json object = good();
  object["interface"] = {{"1", 1}};
  object["steps"] = {{{"from", 0},
                      {"alpha_us", 2},
                      {"beta_ns_per_byte", 4},
                      {"alpha_uni_us", 1},
                      {"beta_uni_ns_per_byte", 3}},
                     {{"from", 65536},
                      {"alpha_us", 90},
                      {"beta_ns_per_byte", 3.5},
                      {"alpha_uni_us", 80},
                      {"beta_uni_ns_per_byte", 2.5}}};
  object["mesh"] = "torus:4x4x4";
  object["gammas"] = {{"sum_float", 0.5}, {"user", 2}};
  object["post_us"] = 1.5;
  object["piece_bytes"] = 32768;
  object["uncertainty_percent"] = {{"alpha", 3}, {"beta", 0.5}};
  return object;
}

TEST(Profile, WhatWasMeasuredIsReadAndWritten) {
  const Profile profile = parse_profile(measured().dump(), "some.json");
  ASSERT_EQ(profile.steps.size(), 2u);
  EXPECT_EQ(profile.steps[1].from, 65536u);
  EXPECT_DOUBLE_EQ(profile.steps[1].alpha, 90e-6);
  EXPECT_DOUBLE_EQ(profile.steps[1].beta, 3.5e-9);
  EXPECT_DOUBLE_EQ(profile.steps[1].alpha_uni, 80e-6);
  EXPECT_DOUBLE_EQ(profile.steps[1].beta_uni, 2.5e-9);
  EXPECT_EQ(profile.mesh, parse_mesh("torus:4x4x4"));
  EXPECT_DOUBLE_EQ(profile.gammas.at("user"), 2e-9);
  EXPECT_DOUBLE_EQ(profile.rates.post, 1.5e-6);
  EXPECT_EQ(profile.piece, 32768u);
  EXPECT_DOUBLE_EQ(profile.uncertainty.at("beta"), 0.005);
  EXPECT_EQ(nlohmann::json::parse(format_profile(profile)), measured());
}

TEST(Profile, RefusesMeasuredFieldsThatCannotBe) {
  const auto refusal_with = [](const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json object = measured();
    object[nlohmann::json::json_pointer(pointer)] = value;
    return refusal(object.dump());
  };
  EXPECT_EQ(refusal_with("/steps", nlohmann::json::array()),
            "field \"steps\" must be a list in brackets, not empty");
  EXPECT_EQ(refusal_with("/mesh", 16), "field \"mesh\" must be a text in quotes");
  EXPECT_EQ(refusal_with("/mesh", "4by4"),
            "field \"mesh\": '4by4' is no mesh: '4by4' is no number of ranks; write 16x32, "
            "torus:4x4x4, or 30 for a linear array");
  EXPECT_EQ(refusal_with("/steps/0", 3), "field \"steps[0]\" must be in braces");
  EXPECT_EQ(refusal_with("/steps/0/from", 8), "field \"steps[0].from\" must be 0, not 8");
  EXPECT_EQ(refusal_with("/steps/1/from", 0), "field \"steps[1].from\" must be above 0, not 0");
  EXPECT_EQ(refusal_with("/steps/1/alpha_us", -1),
            "field \"steps[1].alpha_us\" must be a number, 0 or more, not -1");
  EXPECT_EQ(refusal_with("/steps/1/gamma", 1),
            "unknown field \"steps[1].gamma\"; the fields are from, alpha_us, beta_ns_per_byte, "
            "alpha_uni_us, beta_uni_ns_per_byte");
  nlohmann::json without = measured();
  without["steps"][1].erase("alpha_us");
  EXPECT_EQ(refusal(without.dump()), "field \"steps[1].alpha_us\" is missing; add it");
  EXPECT_EQ(refusal_with("/gammas", 3), "field \"gammas\" must be an object in braces");
  EXPECT_EQ(refusal_with("/gammas/user", "slow"),
            "field \"gammas.user\" must be a number, 0 or more, not \"slow\"");
  EXPECT_EQ(refusal_with("/gammas/sum_half", 1).rfind("unknown field \"gammas.sum_half\"", 0), 0u);
  EXPECT_EQ(refusal_with("/post_us", -2), "field \"post_us\" must be a number, 0 or more, not -2");
  EXPECT_EQ(refusal_with("/piece_bytes", 1.5).rfind("field \"piece_bytes\" must be a whole", 0),
            0u);
  EXPECT_EQ(refusal_with("/piece_bytes", 0),
            "field \"piece_bytes\" must be above 0; leave it out if it is not known");
  EXPECT_EQ(refusal_with("/uncertainty_percent/mood", 1)
                .rfind("unknown field \"uncertainty_percent.mood\"", 0),
            0u);
}

TEST(Profile, RefusesDecisionsThatCannotBe) {
  const auto refusal_with = [](const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json object = decided();
    object[nlohmann::json::json_pointer(pointer)] = value;
    return refusal(object.dump());
  };
  EXPECT_EQ(
      refusal_with("/decisions/0/choices/0/from", 8),
      "field \"decisions[0]\": bcast on 2x4: the first choice must be from 0 bytes on; add it");
  EXPECT_EQ(refusal_with("/decisions/0/choices/1/from", 0),
            "field \"decisions[0]\": bcast on 2x4: from 0 bytes stands behind from 0; order the "
            "choices by size");
  EXPECT_EQ(refusal_with("/decisions/0/choices/0/us", "fast"),
            "field \"decisions[0].choices[0].us\" must be a number, 0 or more, not \"fast\"");
  EXPECT_EQ(refusal_with("/decisions/1", decided()["decisions"][0]),
            "field \"decisions[1]\": bcast on 2x4 stands in two rows; remove one");
  EXPECT_NE(refusal_with("/decisions/0/choices/0/algorithm", "binomal").find("binomial"),
            std::string::npos);
  EXPECT_NE(refusal_with("/decisions/0/topology", "0x4").find("decisions[0].topology"),
            std::string::npos);
  EXPECT_NE(refusal_with("/measured_on/cores", -1).find("measured_on.cores"), std::string::npos);
}

}  // namespace
}  // namespace tutti::core
