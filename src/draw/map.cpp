// The map of winners over ranks and sizes, as letters and in colours.

#include "draw/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "draw/canvas.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core {

namespace {

constexpr std::array<std::string_view, 12> fills = {"#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99",
                                                    "#cab2d6", "#ffff99", "#8dd3c7", "#d9b38c",
                                                    "#bdbdbd", "#80b1d3", "#fccde5", "#ccebc5"};

/// What a cell shows: the winner's letter, and whether another takes as long.
class Letters {
 public:
  explicit Letters(const DecisionMap& map) : map_(map), winners_(map.winners()) {
    ties_ = std::any_of(map.cells.begin(), map.cells.end(), [](const auto& c) { return c.tie; });
  }
  bool ties() const { return ties_; }
  const std::vector<const Algorithm*>& winners() const { return winners_; }
  static std::string letter(std::size_t winner) {
    return std::string(1, static_cast<char>(winner < 26 ? 'A' + winner : 'a' + winner - 26));
  }
  /// Empty where no algorithm can run.
  std::string at(std::size_t row, std::size_t column) const {
    const DecisionMap::Cell& cell = map_.at(row, column);
    if (cell.algorithm == nullptr) return {};
    return letter(index(cell)) + (cell.tie ? "=" : "");
  }
  std::size_t index(const DecisionMap::Cell& cell) const {
    return static_cast<std::size_t>(std::find(winners_.begin(), winners_.end(), cell.algorithm) -
                                    winners_.begin());
  }

 private:
  const DecisionMap& map_;
  std::vector<const Algorithm*> winners_;
  bool ties_ = false;
};

std::string title_of(const DecisionMap& map) {
  return fmt::format("{}: the fastest algorithm by p and bytes", name_of(map.collective));
}

}  // namespace

std::string map_text(const DecisionMap& map) {
  const Letters letters(map);
  std::size_t width = 2;
  for (const std::size_t size : map.sizes) width = std::max(width, format_bytes(size).size());
  std::size_t left = 1;
  for (const int p : map.p) left = std::max(left, fmt::formatted_size("{}", p));

  std::string text = title_of(map) + "\n\n" + fmt::format("{:>{}}", "p", left);
  for (const std::size_t size : map.sizes)
    text += fmt::format("  {:>{}}", format_bytes(size), width);
  text += "\n";
  for (std::size_t row = 0; row < map.p.size(); ++row) {
    std::string line = fmt::format("{:>{}}", map.p[row], left);
    for (std::size_t column = 0; column < map.sizes.size(); ++column)
      line += fmt::format("  {:>{}}", letters.at(row, column), width);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += "\n";
  for (std::size_t i = 0; i < letters.winners().size(); ++i)
    text += fmt::format("{}  {}\n", Letters::letter(i), letters.winners()[i]->name);
  if (letters.ties()) text += "=  another takes as long\n";
  return text;
}

std::string map_svg(const DecisionMap& map) {
  constexpr double cell_height = 17;
  const Letters letters(map);
  const std::string title = title_of(map);
  double cell_width = 24, left = text_width("p", 11);
  for (const std::size_t size : map.sizes)
    cell_width = std::max(cell_width, text_width(format_bytes(size), 10) + 10);
  for (const int p : map.p) left = std::max(left, text_width(std::to_string(p), 10));
  left += margin + 8;
  double legend = text_width("= another takes as long", 11);
  for (const Algorithm* winner : letters.winners())
    legend = std::max(legend, text_width(winner->name, 11));
  const double right = left + cell_width * static_cast<double>(map.sizes.size());
  const double width = std::max(right + 48 + legend + margin, text_width(title, 16.5) + 2 * margin);

  Canvas canvas;
  double y = margin + 16;
  canvas.text(margin, y, 15, "start", escape(title), ink, R"(font-weight="bold")");
  y += 26;
  canvas.text(left - 8, y, 10, "end", "p", ink, R"(font-weight="bold")");
  const auto x_of = [&](std::size_t column) {
    return left + (static_cast<double>(column) + 0.5) * cell_width;
  };
  for (std::size_t column = 0; column < map.sizes.size(); ++column)
    canvas.text(x_of(column), y, 10, "middle", format_bytes(map.sizes[column]), ink,
                R"(font-weight="bold")");
  y += 6;
  const double top = y;
  for (std::size_t row = 0; row < map.p.size(); ++row, y += cell_height) {
    canvas.text(left - 8, y + 12.5, 10, "end", std::to_string(map.p[row]), ink,
                R"(font-weight="bold")");
    for (std::size_t column = 0; column < map.sizes.size(); ++column) {
      const std::string letter = letters.at(row, column);
      if (letter.empty()) continue;
      canvas.rectangle(x_of(column) - cell_width / 2, y, cell_width, cell_height,
                       fills[letters.index(map.at(row, column)) % fills.size()], "#ffffff");
      canvas.text(x_of(column), y + 12.5, 10, "middle", letter);
    }
  }
  double legend_y = top;
  for (std::size_t i = 0; i < letters.winners().size(); ++i, legend_y += 20) {
    canvas.rectangle(right + 20, legend_y, 20, cell_height, fills[i % fills.size()], "#ffffff");
    canvas.text(right + 30, legend_y + 12.5, 10, "middle", Letters::letter(i));
    canvas.text(right + 48, legend_y + 12.5, 11, "start", escape(letters.winners()[i]->name));
  }
  if (letters.ties()) {
    canvas.text(right + 48, legend_y + 12.5, 11, "start", "= another takes as long");
    legend_y += 20;
  }
  return canvas.document(width, std::max(y, legend_y) + margin, title);
}

}  // namespace tutti::core
