#pragma once

#include <array>
#include <string>
#include <string_view>

namespace tutti::core {

// Colours that are told apart in print and by the colour-blind.
inline constexpr std::string_view ink = "#1a1a1a", grey = "#666666", pale = "#c9ced6",
                                  band = "#f5f6f8", shade = "#cfe0f3";
inline constexpr std::array<std::string_view, 6> colours = {"#0063a8", "#c14a00", "#00785a",
                                                            "#8a3b84", "#7a5c00", "#444444"};
inline constexpr double margin = 16;

/// An SVG 1.1 document that grows by elements: no style sheet, no script, no font of its own.
class Canvas {
 public:
  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width,
            std::string_view dashes = {});
  void rectangle(double x, double y, double width, double height, std::string_view fill,
                 std::string_view stroke = "none", double radius = 0);
  void circle(double x, double y, double radius, std::string_view fill,
              std::string_view stroke = "none");
  void path(std::string_view data, std::string_view fill, std::string_view stroke = "none",
            double width = 1);
  /// `content` is markup: escape() what is not yours. `style` is further attributes.
  void text(double x, double y, double size, std::string_view anchor, std::string_view content,
            std::string_view colour = ink, std::string_view style = {});

  /// The whole document on a white ground, so that it reads in dark viewers too.
  std::string document(double width, double height, std::string_view title) const;

 private:
  std::string body_;
};

std::string escape(std::string_view text);

/// How wide text is at most, in the common sans-serif fonts.
double text_width(std::string_view text, double size);

}  // namespace tutti::core
