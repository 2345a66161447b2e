// Times by size on logarithmic axes, as text and as SVG.

#include "draw/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/canvas.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core {

namespace {

std::string seconds_text(double seconds) {
  if (seconds < 0.9999e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 0.9999e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 0.9999) return fmt::format("{:.0f} ms", seconds * 1e3);
  return fmt::format("{:.0f} s", seconds);
}

/// Whole powers of two along, of ten upwards, around all that is to be seen.
struct Axes {
  double left = 1e300, right = 0, low = 1e300, high = 0;

  explicit Axes(const Chart& chart) {
    const auto hold = [&](const Series::Points& points) {
      for (const auto& [bytes, seconds] : points) {
        left = std::min(left, bytes), right = std::max(right, bytes);
        low = std::min(low, seconds), high = std::max(high, seconds);
      }
    };
    for (const Series& each : chart.series) {
      hold(each.points);
      for (const Series::Points& line : each.lines) hold(line);
    }
    left = std::exp2(std::floor(std::log2(left)));
    right = std::max(2 * left, std::exp2(std::ceil(std::log2(right))));
    low = std::pow(10, std::floor(std::log10(low) + 1e-9));
    high = std::max(10 * low, std::pow(10, std::ceil(std::log10(high) - 1e-9)));
  }

  /// 0 to 1, from the left, and from below.
  double along(double bytes) const { return std::log(bytes / left) / std::log(right / left); }
  double up(double seconds) const { return std::log(seconds / low) / std::log(high / low); }

  std::vector<double> decades() const {
    std::vector<double> list;
    for (double at = low; at < high * 1.01; at *= 10) list.push_back(at);
    return list;
  }
  std::vector<double> sizes() const {
    std::vector<double> list;
    const double doublings = std::log2(right / left), step = doublings > 12  ? 8
                                                             : doublings > 4 ? 4
                                                                             : 2;
    for (double at = left; at < right * 1.01; at *= step) list.push_back(at);
    return list;
  }
};

char letter(std::size_t series) { return static_cast<char>('a' + series % 26); }

}  // namespace

std::string chart_text(const Chart& chart, int columns, int rows) {
  const Axes axes(chart);
  std::vector<std::string> field(rows, std::string(columns, ' '));
  const auto put = [&](double bytes, double seconds, char what, bool over) {
    const auto x = static_cast<int>(std::lround(axes.along(bytes) * (columns - 1)));
    const auto y = static_cast<int>(std::lround(axes.up(seconds) * (rows - 1)));
    if (x < 0 || x >= columns || y < 0 || y >= rows) return;
    char& place = field[rows - 1 - y][x];
    if (over || place == ' ') place = what;
  };
  for (const Series& each : chart.series)
    for (const Series::Points& line : each.lines)
      for (const auto& [bytes, seconds] : line) put(bytes, seconds, '.', false);
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    for (const auto& [bytes, seconds] : chart.series[i].points)
      put(bytes, seconds, letter(i), true);

  std::vector<std::string> labels(rows);
  for (const double at : axes.decades())
    labels[rows - 1 - std::lround(axes.up(at) * (rows - 1))] = seconds_text(at);
  std::string text = chart.title + "\n\n";
  for (int row = 0; row < rows; ++row) {
    std::string line = fmt::format("{:>7} |{}", labels[row], field[row]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  std::string below(columns + 8, ' ');
  for (const double at : axes.sizes()) {
    const std::string label = format_bytes(static_cast<std::size_t>(at));
    const auto x = static_cast<std::size_t>(std::lround(axes.along(at) * (columns - 1)));
    below.replace(x, label.size(), label);
  }
  below.erase(below.find_last_not_of(' ') + 1);
  text += fmt::format("{:>8}+{}\n{:>9}{}\n\n", "", std::string(columns, '-'), "", below);
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    text += fmt::format("  {}  {}\n", letter(i), chart.series[i].name);
  return text + "  .  the line through it\n";
}

std::string chart_svg(const std::vector<Chart>& charts) {
  constexpr double left = 76, width = 620, height = 330, above = 44, below = 62;
  Canvas canvas;
  double y = 0;
  for (const Chart& chart : charts) {
    const Axes axes(chart);
    const double top = y + above, bottom = top + height;
    const auto at = [&](double bytes, double seconds) {
      return std::pair(left + axes.along(bytes) * width, bottom - axes.up(seconds) * height);
    };
    canvas.text(margin, y + margin + 12, 15, "start", escape(chart.title), ink,
                R"(font-weight="bold")");
    for (const double seconds : axes.decades()) {
      const double level = at(axes.left, seconds).second;
      canvas.line(left, level, left + width, level, pale, 0.8);
      canvas.text(left - 8, level + 4, 11, "end", seconds_text(seconds), grey);
    }
    for (const double bytes : axes.sizes()) {
      const double place = at(bytes, axes.low).first;
      canvas.line(place, top, place, bottom, pale, 0.8);
      canvas.text(place, bottom + 16, 11, "middle", format_bytes(static_cast<std::size_t>(bytes)),
                  grey);
    }
    double legend = left;
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      const std::string_view colour = colours[i % colours.size()];
      const Series& series = chart.series[i];
      for (const Series::Points& line : series.lines) {
        std::string data;
        for (const auto& [bytes, seconds] : line) {
          const auto [x, level] = at(bytes, seconds);
          data += fmt::format("{}{:.1f} {:.1f}", data.empty() ? "M" : " L", x, level);
        }
        if (!data.empty()) canvas.path(data, "none", colour, 1.3);
      }
      for (const auto& [bytes, seconds] : series.points) {
        const auto [x, level] = at(bytes, seconds);
        canvas.circle(x, level, 2.4, "white", colour);
      }
      canvas.circle(legend + 4, bottom + 36, 2.4, "white", colour);
      canvas.text(legend + 12, bottom + 40, 11, "start", escape(series.name), ink);
      legend += text_width(series.name, 11) + 36;
    }
    y = bottom + below;
  }
  double whole = left + width + 2 * margin;
  for (const Chart& chart : charts)
    whole = std::max(whole, 2 * margin + text_width(chart.title, 16.5));
  return canvas.document(whole, y, charts.empty() ? "" : charts[0].title);
}

}  // namespace tutti::core
