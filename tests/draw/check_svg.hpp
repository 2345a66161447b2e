#pragma once

#include <string>
#include <vector>

namespace tutti {

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

}  // namespace tutti
