#include "schedule/suggest.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

const std::vector<std::string> names{"ring", "bruck", "recursive_doubling", "linear"};

TEST(Suggest, FindsTheNameBehindASlip) {
  EXPECT_EQ(nearest("rign", names), "ring");                              // two letters swapped
  EXPECT_EQ(nearest("bruk", names), "bruck");                             // one missing
  EXPECT_EQ(nearest("linearr", names), "linear");                         // one too many
  EXPECT_EQ(nearest("recursive-doubling", names), "recursive_doubling");  // one wrong
}

TEST(Suggest, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest("halving", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("xy", {"ab"}), "");
  EXPECT_EQ(suggestion("halving", names), "");
}

TEST(Suggest, AsksInOneSentence) { EXPECT_EQ(suggestion("rign", names), ": did you mean 'ring'?"); }

}  // namespace
}  // namespace tutti::core
