// A picture as text, step by step.

#include "draw/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draw/notation.hpp"

namespace tutti::core {

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

namespace {

/// Messages side by side, as many as fit.
std::string messages(const Frame& frame, std::size_t width) {
  std::vector<std::string> items;
  std::size_t widest = 0;
  const std::size_t digits = fmt::formatted_size("{}", frame.cells.size() - 1);
  for (const Arrow& arrow : frame.arrows) {
    std::string item = fmt::format("{:>{}} {} {:<{}}", arrow.from, digits,
                                   arrow.combines ? "+>" : "->", arrow.to, digits);
    for (std::size_t i = 0; i < arrow.labels.size(); ++i)
      item += (i == 0 ? "  " : ", ") + arrow.labels[i].text();
    if (item.size() + 2 > width) item = item.substr(0, width - 6) + " ...";
    widest = std::max(widest, item.size());
    items.push_back(std::move(item));
  }
  const std::size_t columns = std::max<std::size_t>(1, (width - 2) / (widest + 4));
  const std::size_t rows = (items.size() + columns - 1) / columns;
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line = "  ";
    for (std::size_t i = row; i < items.size(); i += rows)
      line += fmt::format("{:<{}}", items[i], widest + 4);
    text += without_trailing_blanks(line);
  }
  return text;
}

/// Ranks as columns, wrapped where they are too many for the width.
std::string holdings(const Frame& frame, std::size_t width) {
  std::size_t widest = 0, any = 0;
  for (std::size_t r = 0; r < frame.cells.size(); ++r) {
    widest = std::max(widest, fmt::formatted_size("P{}", r));
    for (const Holding& cell : frame.cells[r]) widest = std::max(widest, cell.label.text().size());
    any += frame.cells[r].size();
  }
  if (any == 0) return {};
  const std::size_t most = std::max<std::size_t>(1, (width - 4) / (widest + 2));
  const std::size_t tables = (frame.cells.size() + most - 1) / most;
  const std::size_t columns = (frame.cells.size() + tables - 1) / tables;
  std::string text;
  for (std::size_t first = 0; first < frame.cells.size(); first += columns) {
    const std::size_t last = std::min(frame.cells.size(), first + columns);
    std::string line = "    ";
    std::size_t rows = 0;
    for (std::size_t r = first; r < last; ++r) {
      line += fmt::format("{:<{}}", fmt::format("P{}", r), widest + 2);
      rows = std::max(rows, frame.cells[r].size());
    }
    text += "\n" + without_trailing_blanks(line);
    for (std::size_t row = 0; row < rows; ++row) {
      line = "    ";
      for (std::size_t r = first; r < last; ++r) {
        const auto& cells = frame.cells[r];
        std::string cell = row < cells.size() ? cells[row].label.text() : "";
        if (cell.empty()) cell = row == 0 && cells.empty() ? "-" : ".";
        if (row > 0 && row >= cells.size()) cell.clear();
        line += fmt::format("{:<{}}", cell, widest + 2);
      }
      text += without_trailing_blanks(line);
    }
  }
  return text;
}

}  // namespace

std::string draw_text(const Picture& picture, std::size_t width) {
  std::string text = picture.title + "\n";
  if (!picture.key.empty()) text += picture.key + "\n";
  if (const Label example = picture.example(); !example.empty())
    text += fmt::format("{}: {}\n", example.text(), meaning_of(example));
  if (picture.combines()) text += "+>: combined where it arrives\n";
  for (const Frame& frame : picture.frames) {
    text += "\n" + frame.title + "\n" + messages(frame, width);
    if (!frame.copies.empty()) text += fmt::format("  copy on {}\n", ranks_text(frame.copies));
    if (!frame.reductions.empty())
      text += fmt::format("  combine on {}\n", ranks_text(frame.reductions));
    text += holdings(frame, width);
  }
  return text;
}

}  // namespace tutti::core
