#include "schedule/bytes.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

TEST(Bytes, ReadsNumbersWithAndWithoutUnits) {
  EXPECT_EQ(parse_bytes("0"), 0u);
  EXPECT_EQ(parse_bytes("64"), 64u);
  EXPECT_EQ(parse_bytes("32K"), 32u * 1024);
  EXPECT_EQ(parse_bytes("1M"), 1024u * 1024);
  EXPECT_EQ(parse_bytes("2G"), std::size_t{2} << 30);
  EXPECT_EQ(parse_bytes("18446744073709551615"), ~std::size_t{0});
  EXPECT_EQ(parse_bytes("17179869183G"), std::size_t{17179869183} << 30);
}

TEST(Bytes, RefusesWhatIsNoSizeAndNamesIt) {
  for (const std::string text : {"12Q", "", "-3", "+3", "K", "1.5M", "32KB", "32k", " 8", "8 ",
                                 "1KM", "0x10", "18446744073709551616", "17179869184G"}) {
    try {
      parse_bytes(text);
      ADD_FAILURE() << "'" << text << "' was taken for a size";
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("'" + text + "'"), std::string::npos) << message;
      EXPECT_NE(message.find("write"), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
}

TEST(Bytes, WritesTheShortestFormThatReadsBack) {
  EXPECT_EQ(format_bytes(0), "0");
  EXPECT_EQ(format_bytes(1000), "1000");
  EXPECT_EQ(format_bytes(1024), "1K");
  EXPECT_EQ(format_bytes(1536), "1536");
  EXPECT_EQ(format_bytes(3 << 20), "3M");
  EXPECT_EQ(format_bytes(std::size_t{1} << 40), "1024G");
  for (std::size_t n = 1; n != 0; n *= 2) {
    EXPECT_EQ(parse_bytes(format_bytes(n)), n);
    EXPECT_EQ(parse_bytes(format_bytes(n - 1)), n - 1);
  }
}

}  // namespace
}  // namespace tutti::core
