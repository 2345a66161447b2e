#include "draw/chart.hpp"

#include <gtest/gtest.h>

#include "check_svg.hpp"

namespace tutti::core {
namespace {

Chart small_chart() {
  return {"Messages",
          {{"exchange", {{8, 1e-6}, {64, 1e-5}, {512, 1e-4}}, {{{8, 1e-6}, {23, 3.16e-6}}}},
           {"one way", {{64, 1e-6}}, {}}}};
}

TEST(Chart, Text) {
  EXPECT_EQ(chart_text(small_chart(), 25, 5),
            "Messages\n"
            "\n"
            " 100 us |                        a\n"
            "        |\n"
            "  10 us |            a\n"
            "        |      .\n"
            "   1 us |a           b\n"
            "        +-------------------------\n"
            "         8       32      128     512\n"
            "\n"
            "  a  exchange\n"
            "  b  one way\n"
            "  .  the line through it\n");
}

TEST(Chart, SvgCanBeReadAndHasEveryPoint) {
  const std::string picture = chart_svg({small_chart(), small_chart()});
  expect_clean(picture);
  std::size_t circles = 0;
  for (std::size_t at = 0; (at = picture.find("<circle", at)) != std::string::npos; ++at) ++circles;
  EXPECT_EQ(circles, 2u * (4 + 2)) << "points and legend, twice";
}

TEST(Chart, TimesAloneNeedNoRange) {
  const Chart one{"One", {{"exchange", {{8, 2e-6}}, {}}}};
  EXPECT_NE(chart_text(one, 30, 4).find('a'), std::string::npos);
  expect_clean(chart_svg({one}));
}

}  // namespace
}  // namespace tutti::core
