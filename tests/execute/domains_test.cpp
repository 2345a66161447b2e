#include "execute/node/domains.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>

namespace tutti::core {
namespace {

namespace files = std::filesystem;

cpu_set_t cpus(std::initializer_list<int> list) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : list) CPU_SET(cpu, &set);
  return set;
}

/// Two packages of two nodes of memory each, of two caches each, of two cpus each.
class Domains : public testing::Test {
 protected:
  Domains() {
    for (int cpu = 0; cpu < 16; ++cpu) {
      const auto list = [&](int each) {
        const int first = cpu / each * each;
        return std::to_string(first) + "-" + std::to_string(first + each - 1);
      };
      const files::path here = root_ / "cpu" / ("cpu" + std::to_string(cpu));
      write(here / "cache/index0/level", "1");
      write(here / "cache/index0/shared_cpu_list", std::to_string(cpu));
      write(here / "cache/index1/level", "3");
      write(here / "cache/index1/shared_cpu_list", list(2));
      write(here / "topology/core_siblings_list", list(8));
      write(here / ("node" + std::to_string(cpu / 4)) / "cpulist", list(4));
      write(here / "node_of_another_kind" / "cpulist", "0-15");
    }
  }
  ~Domains() override { files::remove_all(root_); }

  void write(const files::path& file, const std::string& text) {
    files::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  std::array<std::uint16_t, 3> of(std::initializer_list<int> list) {
    return domains_of(cpus(list), root_).at;
  }

  const files::path root_ =
      files::temp_directory_path() / ("tutti-domains-" + std::to_string(getpid()));
};

using Numbers = std::array<std::uint16_t, 3>;

TEST_F(Domains, AreThoseThatHoldAllCpus) {
  EXPECT_EQ(of({0}), (Numbers{1, 1, 1}));
  EXPECT_EQ(of({6, 7}), (Numbers{7, 5, 1}));
  EXPECT_EQ(of({4, 7}), (Numbers{0, 5, 1}));
  EXPECT_EQ(of({8, 15}), (Numbers{0, 0, 9}));
  EXPECT_EQ(of({0, 15}), (Numbers{0, 0, 0}));
}

TEST_F(Domains, AreUnknownWhereTheSystemDoesNotTell) {
  EXPECT_EQ(of({}), (Numbers{0, 0, 0}));
  EXPECT_EQ(of({99}), (Numbers{0, 0, 0}));
  write(root_ / "cpu/cpu0/topology/core_siblings_list", "0-a");
  write(root_ / "cpu/cpu0/cache/index1/shared_cpu_list", "0,,1");
  EXPECT_EQ(of({0}), (Numbers{0, 1, 0}));
}

TEST_F(Domains, ReadsListsOfRanges) {
  write(root_ / "cpu/cpu3/topology/core_siblings_list", "3,5-6,9");
  EXPECT_EQ(of({3, 6, 9})[DomainsHere::package], 4);
  EXPECT_EQ(of({3, 7})[DomainsHere::package], 0);
}

TEST_F(Domains, TheNearestLevelIsThatWhichSomeShareAndNotAll) {
  const auto level = [&](std::initializer_list<Numbers> ranks) {
    std::vector<DomainsHere> all;
    for (const Numbers& each : ranks) all.push_back({each});
    return nearest_level(all);
  };
  EXPECT_EQ(level({{1, 1, 1}, {1, 1, 1}, {3, 1, 1}}), DomainsHere::cache);
  EXPECT_EQ(level({{1, 1, 1}, {3, 1, 1}, {5, 5, 1}}), DomainsHere::memory);  // a cache for each
  EXPECT_EQ(level({{1, 1, 1}, {0, 1, 1}, {5, 5, 1}}), DomainsHere::memory);  // one may leave it
  EXPECT_EQ(level({{1, 1, 1}, {3, 3, 1}, {5, 5, 9}}), DomainsHere::package);
  EXPECT_EQ(level({{1, 1, 1}, {1, 1, 1}}), std::nullopt);
  EXPECT_EQ(level({{0, 0, 0}, {0, 0, 0}}), std::nullopt);
  EXPECT_EQ(level({}), std::nullopt);
}

}  // namespace
}  // namespace tutti::core
