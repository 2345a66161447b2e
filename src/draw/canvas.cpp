// An SVG document that grows by elements.

#include "draw/canvas.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace tutti::core {

namespace {

/// A coordinate, to a tenth and without needless digits.
std::string number(double value) { return fmt::format("{}", std::round(value * 10) / 10); }

}  // namespace

void Canvas::line(double x1, double y1, double x2, double y2, std::string_view colour, double width,
                  std::string_view dashes) {
  body_ += fmt::format(R"(<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="{}")",
                       number(x1), number(y1), number(x2), number(y2), colour, number(width));
  if (!dashes.empty()) body_ += fmt::format(R"( stroke-dasharray="{}")", dashes);
  body_ += "/>\n";
}

void Canvas::rectangle(double x, double y, double width, double height, std::string_view fill,
                       std::string_view stroke, double radius) {
  body_ += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}")", number(x),
                       number(y), number(width), number(height), fill);
  if (stroke != "none") body_ += fmt::format(R"( stroke="{}" stroke-width="0.8")", stroke);
  if (radius > 0) body_ += fmt::format(R"( rx="{}")", number(radius));
  body_ += "/>\n";
}

void Canvas::circle(double x, double y, double radius, std::string_view fill,
                    std::string_view stroke) {
  body_ += fmt::format(R"(<circle cx="{}" cy="{}" r="{}" fill="{}")", number(x), number(y),
                       number(radius), fill);
  if (stroke != "none") body_ += fmt::format(R"( stroke="{}")", stroke);
  body_ += "/>\n";
}

void Canvas::path(std::string_view data, std::string_view fill, std::string_view stroke,
                  double width) {
  body_ += fmt::format(R"(<path d="{}" fill="{}")", data, fill);
  if (stroke != "none")
    body_ += fmt::format(R"( stroke="{}" stroke-width="{}")", stroke, number(width));
  body_ += "/>\n";
}

void Canvas::text(double x, double y, double size, std::string_view anchor,
                  std::string_view content, std::string_view colour, std::string_view style) {
  body_ += fmt::format(R"(<text x="{}" y="{}" font-size="{}")", number(x), number(y), number(size));
  if (anchor != "middle") body_ += fmt::format(R"( text-anchor="{}")", anchor);
  if (colour != ink) body_ += fmt::format(R"( fill="{}")", colour);
  if (!style.empty()) body_ += fmt::format(" {}", style);
  body_ += fmt::format(">{}</text>\n", content);
}

std::string Canvas::document(double width, double height, std::string_view title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
      "text-anchor=\"middle\" fill=\"{4}\">\n"
      "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      std::ceil(width), std::ceil(height), escape(title), body_, ink);
}

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const char c : text) {
    if ((c & 0xC0) == 0x80) continue;  // the rest of a longer character
    if (c == ' ' || c == ',' || c == '.' || c == ':' || c == 'i' || c == 'l')
      width += 0.33;
    else if (c == '-')
      width += 0.5;  // drawn as a longer dash
    else if (c == 'm' || c == 'w' || c == '#' || c == 'M' || c == 'W')
      width += 0.95;
    else if (c >= 'A' && c <= 'Z')
      width += 0.72;
    else
      width += 0.63;
  }
  return width * size;
}

}  // namespace tutti::core
