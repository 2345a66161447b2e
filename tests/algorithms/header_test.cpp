// What the comment on top of an algorithm's file claims stands in the registry too, word for word.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "algorithms/registry.hpp"

namespace tutti {
namespace {

std::string source_of(std::string_view file) {
  std::ifstream in(std::filesystem::path(TUTTI_SOURCE_DIR) / "src/algorithms" / file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// `word` as the header gives it, without the comment marks.
std::string claim(const std::string& source, const std::string& word) {
  const std::string mark = "//   " + word;
  const auto at = source.find(mark);
  if (at == std::string::npos) return "(none)";
  const auto begin = source.find_first_not_of(' ', at + mark.size());
  return source.substr(begin, source.find('\n', begin) - begin);
}

TEST(Header, EveryFileExistsAndClaimsWhatTheRegistryClaims) {
  for (const Algorithm& algorithm : registry()) {
    SCOPED_TRACE(algorithm.full_name());
    const std::string source = source_of(algorithm.file);
    ASSERT_FALSE(source.empty()) << algorithm.file;
    EXPECT_EQ(claim(source, "valid"), algorithm.valid_text());
    EXPECT_EQ(claim(source, "rounds"), algorithm.rounds.text);
    EXPECT_EQ(claim(source, "cost"), algorithm.cost.text);
    EXPECT_EQ(claim(source, "scratch"), algorithm.scratch.text);
    EXPECT_EQ(claim(source, "source"), algorithm.source);
  }
}

TEST(Header, EveryAlgorithmFileHasARow) {
  std::set<std::string> files;
  for (const Algorithm& algorithm : registry()) files.insert(std::string(algorithm.file));
  const auto root = std::filesystem::path(TUTTI_SOURCE_DIR) / "src/algorithms";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string file = std::filesystem::relative(entry.path(), root).generic_string();
    if (entry.path().extension() != ".cpp" || file.find('/') == std::string::npos) continue;
    if (file.rfind("pattern/", 0) == 0) continue;
    EXPECT_TRUE(files.contains(file)) << file << " has no row in the registry";
  }
}

TEST(Registry, HoldsTheWholeCatalogue) {
  const std::vector<std::string> catalogue = {"barrier/dissemination",
                                              "barrier/binomial",
                                              "bcast/linear",
                                              "bcast/binomial",
                                              "bcast/scatter_allgather_recursive_doubling",
                                              "bcast/scatter_allgather_ring",
                                              "bcast/chain",
                                              "bcast/circulant",
                                              "scatter/linear",
                                              "gather/linear",
                                              "scatter/binomial",
                                              "gather/binomial",
                                              "scatterv/linear",
                                              "gatherv/linear",
                                              "scatterv/binomial",
                                              "gatherv/binomial",
                                              "allgather/linear",
                                              "allgather/ring",
                                              "allgather/recursive_doubling",
                                              "allgather/bruck",
                                              "allgather/gather_bcast",
                                              "allgather/circulant",
                                              "allgatherv/ring",
                                              "allgatherv/recursive_doubling",
                                              "allgatherv/bruck",
                                              "allgatherv/pipelined_ring",
                                              "allgatherv/circulant",
                                              "reduce/linear",
                                              "reduce/binomial",
                                              "reduce/rabenseifner",
                                              "reduce/binary_blocks",
                                              "reduce/pairwise_direct",
                                              "reduce/ring_gather",
                                              "reduce/chain",
                                              "reduce/circulant",
                                              "allreduce/linear",
                                              "allreduce/reduce_bcast",
                                              "allreduce/recursive_doubling",
                                              "allreduce/rabenseifner",
                                              "allreduce/binary_blocks",
                                              "allreduce/pairwise_ring",
                                              "allreduce/ring",
                                              "allreduce/circulant",
                                              "reduce_scatter/linear",
                                              "reduce_scatter/reduce_scatterv",
                                              "reduce_scatter/recursive_halving",
                                              "reduce_scatter/recursive_doubling",
                                              "reduce_scatter/pairwise",
                                              "reduce_scatter/ring",
                                              "reduce_scatter/circulant",
                                              "reduce_scatter_block/linear",
                                              "reduce_scatter_block/reduce_scatterv",
                                              "reduce_scatter_block/recursive_halving",
                                              "reduce_scatter_block/recursive_doubling",
                                              "reduce_scatter_block/pairwise",
                                              "reduce_scatter_block/ring",
                                              "reduce_scatter_block/circulant",
                                              "alltoall/linear",
                                              "alltoall/bruck",
                                              "alltoall/recursive_doubling",
                                              "alltoall/pairwise_xor",
                                              "alltoall/pairwise",
                                              "alltoallv/linear",
                                              "alltoallv/pairwise",
                                              "alltoallw/linear",
                                              "alltoallw/pairwise",
                                              "scan/linear",
                                              "scan/recursive_doubling",
                                              "exscan/linear",
                                              "exscan/recursive_doubling"};
  std::set<std::string> names;
  for (const Algorithm& algorithm : registry())
    EXPECT_TRUE(names.insert(algorithm.full_name()).second) << algorithm.full_name() << " twice";
  for (const std::string& name : catalogue) EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_EQ(names.size(), catalogue.size());
}

}  // namespace
}  // namespace tutti
