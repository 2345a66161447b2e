// The shape of a mesh as a parameter's value.

#include <gtest/gtest.h>

#include <stdexcept>

#include "algorithms/shape.hpp"

namespace tutti::core {
namespace {

TEST(MeshShape, IsWrittenAsItIsRead) {
  for (const char* text : {"1", "7", "16x32", "32x16", "1x8", "8x1", "1x1x1", "2x3x5x7", "65536",
                           "2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", "255x257", "2147483647"})
    EXPECT_EQ(format_shape(parse_shape(text)), text);
  EXPECT_EQ(dimensions_of(parse_shape("4x1x6")), (std::vector{4, 1, 6}));
  EXPECT_EQ(with_first(4, with_first(1, with_first(6, 0))), parse_shape("4x1x6"));
  EXPECT_NE(parse_shape("2x4"), parse_shape("4x2"));
}

std::string complaint(std::string_view text) {
  try {
    parse_shape(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(MeshShape, RefusesWhatIsNone) {
  for (const char* text :
       {"", "x", "4x", "x4", "4xx4", "0x4", "-2x3", "4X4", "4 x4", "2x3y", "4x99999999999", "16K"})
    EXPECT_EQ(complaint(text),
              std::string("'") + text + "' is no shape: write its dimensions as 16x32 or 4x4x2");
  EXPECT_EQ(complaint("65536x65536"),
            "a shape may have 32 binary digits in all: write fewer or smaller dimensions");
}

}  // namespace
}  // namespace tutti::core
