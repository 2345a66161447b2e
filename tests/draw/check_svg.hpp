#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tutti::core {

/// A text of a picture, and the room it takes at most.
struct TextBox {
  std::string text;
  double left, top, right, bottom;

  bool overlaps(const TextBox& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

struct SvgReport {
  std::string fault;  // why it is not well-formed; empty if it is
  double width = 0, height = 0;
  std::vector<TextBox> texts;
};

/// Reads the part of XML that pictures are made of.
SvgReport check_svg(const std::string& document);

/// It is well-formed, and its texts can be read.
inline void expect_clean(const std::string& document) {
  const SvgReport report = check_svg(document);
  ASSERT_EQ(report.fault, "");
  ASSERT_FALSE(report.texts.empty());
  for (std::size_t i = 0; i < report.texts.size(); ++i) {
    const TextBox& text = report.texts[i];
    EXPECT_TRUE(text.left >= 0 && text.top >= 0 && text.right <= report.width &&
                text.bottom <= report.height)
        << "'" << text.text << "' is cut off";
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(text.overlaps(report.texts[j]))
          << "'" << text.text << "' covers '" << report.texts[j].text << "'";
  }
}

}  // namespace tutti::core
