#include "select/profiles.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <stdexcept>

namespace tutti::core {
namespace {

namespace fs = std::filesystem;

class Profiles : public testing::Test {
 protected:
  Profiles() : folder_(fs::temp_directory_path() / ("tutti-profiles-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    set("XDG_CONFIG_HOME", folder_ / "config");
    set("HOME", folder_ / "home");
  }
  ~Profiles() override { fs::remove_all(folder_); }

  void set(const std::string& name, const std::string& value) { variables_[name] = value; }
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }
  std::optional<FoundProfile> find() const {
    return find_profile(
        [this](const char* name) {
          const auto found = variables_.find(name);
          return found == variables_.end() ? std::string{} : found->second;
        },
        folder_ / "etc");
  }
  std::string text() const {
    const auto found = find();
    return found ? found->text : "nothing";
  }

  const fs::path folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(Profiles, TheFirstPlaceThatHasOneCounts) {
  EXPECT_EQ(text(), "nothing");
  write("etc/tutti/profile.json", "the system's");
  EXPECT_EQ(text(), "the system's");
  write("home/.config/tutti/profile.json", "in the home");
  EXPECT_EQ(text(), "the system's") << "XDG_CONFIG_HOME stands for that";
  write("config/tutti/profile.json", "the user's");
  EXPECT_EQ(text(), "the user's");
  EXPECT_FALSE(find()->named);
  EXPECT_EQ(find()->origin, (folder_ / "config/tutti/profile.json").string());
  for (const char* without : {"", "relative/folder"}) {
    set("XDG_CONFIG_HOME", without);
    EXPECT_EQ(text(), "in the home");
  }
  set("HOME", "");
  EXPECT_EQ(text(), "the system's");
}

TEST_F(Profiles, WhatIsNamedCounts) {
  write("config/tutti/profile.json", "the user's");
  write("mine.json", "mine");
  set("TUTTI_PROFILE", (folder_ / "mine.json").string());
  EXPECT_EQ(text(), "mine");
  EXPECT_TRUE(find()->named);
  set("TUTTI_PROFILE", "none");
  EXPECT_EQ(text(), "nothing");
  set("TUTTI_PROFILE", "gigabit-ethernet");
  EXPECT_EQ(parse_profile(text(), "text").name, "gigabit-ethernet");
}

TEST_F(Profiles, WhatIsNotThereIsNamed) {
  const auto complaint = [&](const std::string& named) -> std::string {
    set("TUTTI_PROFILE", named);
    try {
      find();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("gigabit-ethernt"),
            "TUTTI_PROFILE: no file and no shipped profile 'gigabit-ethernt': did you mean "
            "'gigabit-ethernet'?");
  EXPECT_NE(complaint("/there/is/none.json").find(": shipped are "), std::string::npos);
  EXPECT_EQ(complaint(folder_.string()), "TUTTI_PROFILE: profile " + folder_.string() +
                                             ": cannot be read; give the path of a JSON file, or "
                                             "none");
}

TEST(Foreign, NamesTheFieldThatDiffers) {
  const MeasuredOn now{"Open MPI 4.1.4", "abacus", 2};
  Profile profile = default_profile();
  EXPECT_EQ(foreign(profile, now), "") << "a nominal one is for any machine";
  profile.measured_on = now;
  EXPECT_EQ(foreign(profile, now), "");
  profile.measured_on->cores = 4;
  EXPECT_EQ(foreign(profile, now), "field \"measured_on.cores\" is 4, but here it is 2");
  profile.measured_on->processor = "slide rule";
  EXPECT_EQ(foreign(profile, now),
            "field \"measured_on.processor\" is slide rule, but here it is abacus");
  profile.measured_on->mpi = "MPICH 4.0.2";
  EXPECT_EQ(foreign(profile, now),
            "field \"measured_on.mpi\" is MPICH 4.0.2, but here it is Open MPI 4.1.4");
}

TEST(Here, IsKnown) {
  const MeasuredOn now = here("an MPI");
  EXPECT_EQ(now.mpi, "an MPI");
  EXPECT_FALSE(now.processor.empty());
  EXPECT_GT(now.cores, 0);
}

TEST_F(Profiles, WhatIsNotToldOfNodesIsAsInTheDefault) {
  Profile profile = default_profile();
  profile.node->latency = 7;
  EXPECT_EQ(with_nodes(profile).node->latency, 7);
  profile.node.reset();
  EXPECT_EQ(with_nodes(profile).node, default_profile().node);
}

}  // namespace
}  // namespace tutti::core
