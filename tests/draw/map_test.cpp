#include "draw/map.hpp"

#include <gtest/gtest.h>

#include "check_svg.hpp"
#include "request/request.hpp"

namespace tutti::core {
namespace {

const Algorithm* named(std::string_view name) { return parse_request(name).algorithm; }

/// Two rows, three columns; the table lists recursive_doubling before ring.
DecisionMap small_map() {
  const Algorithm* doubling = named("allreduce/recursive_doubling");
  const Algorithm* ring = named("allreduce/ring");
  return {.collective = Collective::allreduce,
          .p = {2, 16},
          .sizes = {8, 32768, 1 << 20},
          .cells = {{doubling, 1, true},
                    {doubling, 2, false},
                    {ring, 3, false},
                    {doubling, 1, false},
                    {ring, 2, false},
                    {nullptr, 0, false}}};
}

TEST(Map, Text) {
  EXPECT_EQ(map_text(small_map()),
            R"(allreduce: the fastest algorithm by p and bytes

 p    8  32K   1M
 2   A=    A    B
16    A    B

A  recursive_doubling
B  ring
=  another takes as long
)");
}

TEST(Map, SvgHasACellForEachWinner) {
  const SvgReport report = check_svg(map_svg(small_map()));
  ASSERT_EQ(report.fault, "");
  std::map<std::string, int> texts;
  for (const TextBox& text : report.texts) {
    ++texts[text.text];
    EXPECT_TRUE(text.left >= 0 && text.right <= report.width && text.bottom <= report.height);
    for (const TextBox& other : report.texts)
      EXPECT_TRUE(&text == &other || !text.overlaps(other))
          << text.text << " covers " << other.text;
  }
  EXPECT_EQ(texts["A"], 3);  // two cells and the legend
  EXPECT_EQ(texts["A="], 1);
  EXPECT_EQ(texts["B"], 3);
  EXPECT_EQ(texts["32K"], 1);
  EXPECT_EQ(texts["recursive_doubling"], 1);
}

}  // namespace
}  // namespace tutti::core
