#include "draw/svg.hpp"

#include <gtest/gtest.h>

#include "check_svg.hpp"
#include "draw/canvas.hpp"
#include "figures.hpp"

namespace tutti::core {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t number = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size())
    ++number;
  return number;
}

TEST(CheckSvg, ObjectsToWhatIsNotWellFormed) {
  EXPECT_EQ(check_svg("<svg width=\"1\" height=\"1\"><g/></svg>").fault, "");
  EXPECT_NE(check_svg("<svg width=\"1\" height=\"1\"><g></svg>").fault, "");
  EXPECT_NE(check_svg("<svg width=\"1\" height=\"1\">a & b</svg>").fault, "");
  EXPECT_NE(check_svg("<svg width=\"1\" height=\"1\" width=\"2\"></svg>").fault, "");
  EXPECT_NE(check_svg("<svg width=\"1\" height=\"1\"><g a=b/></svg>").fault, "");
}

TEST(Svg, FiguresOfThePaperAreClean) {
  for (const Figure& figure : figures) {
    SCOPED_TRACE(figure.algorithm);
    const std::string document = draw_svg(picture_of(figure));
    EXPECT_LT(document.size(), 200'000u);
    expect_clean(document);
  }
}

TEST(Svg, OthersAreCleanToo) {
  for (const Algorithm& algorithm : registry())
    for (const int p : {1, 7, 16}) {
      if (!algorithm.valid.unmet(p, true).empty()) continue;
      SCOPED_TRACE(algorithm.full_name() + ", p = " + std::to_string(p));
      expect_clean(draw_svg(picture_of(algorithm.full_name(), p, 3 * p)));
    }
  expect_clean(draw_svg(picture_of("allreduce/rabenseifner", 64, 64)));
  expect_clean(draw_svg(picture_of("allgather/bruck", 64, 64)));
}

TEST(Svg, EveryMessageIsAnArrowAndEveryReductionIsMarked) {
  const Picture picture = picture_of(figures[4]);
  std::size_t arrows = 0, combined = 0;
  for (const Frame& frame : picture.frames) {
    arrows += frame.arrows.size();
    for (const Arrow& arrow : frame.arrows) combined += arrow.combines;
  }
  const std::string document = draw_svg(picture);
  const std::size_t circles = count(document, "<circle ");
  const std::size_t rings = count(document, "fill=\"#ffffff\" stroke=\"#");
  EXPECT_EQ(count(document, "r=\"1.8\""), arrows + 4);  // four distances in the legend
  EXPECT_EQ(circles, arrows + 4 + combined + 1);
  EXPECT_GE(rings, combined);
}

TEST(Svg, EscapesNames) {
  Picture picture = picture_of("bcast/binomial", 2, 2);
  picture.title = "a < b & \"c\" > d";
  const std::string document = draw_svg(picture);
  expect_clean(document);
  EXPECT_NE(document.find("a &lt; b &amp; &quot;c&quot; &gt; d"), std::string::npos);
}

TEST(TextWidth, GrowsWithTextAndSize) {
  EXPECT_DOUBLE_EQ(text_width("", 10), 0);
  EXPECT_GT(text_width("00", 10), text_width("0", 10));
  EXPECT_DOUBLE_EQ(text_width("0", 20), 2 * text_width("0", 10));
  EXPECT_DOUBLE_EQ(text_width("\u2013", 10), text_width("0", 10));
}

}  // namespace
}  // namespace tutti::core
