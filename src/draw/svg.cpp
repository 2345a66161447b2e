// A picture as SVG: ranks as columns, steps as rows.

#include "draw/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

#include "draw/canvas.hpp"

namespace tutti::core {

namespace {

std::string dashed(std::string_view text) {
  std::string result;
  for (const char c : escape(text))
    if (c == '-')
      result += "\u2013";
    else
      result += c;
  return result;
}

/// Data, and the ranks combined as its index.
std::string markup(const std::vector<Label>& labels, double size) {
  std::string text;
  bool low = false;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string data = (i == 0 ? "" : ", ") + dashed(labels[i].data);
    text += low ? fmt::format(R"(<tspan dy="{:.1f}">{}</tspan>)", -0.25 * size, data) : data;
    low = !labels[i].ranks.empty();
    if (low)
      text += fmt::format(R"(<tspan dy="{:.1f}" font-size="{:.1f}">{}</tspan>)", 0.25 * size,
                          0.78 * size, dashed(labels[i].ranks));
  }
  return text;
}

double width_of(const std::vector<Label>& labels, double size) {
  double width = 0;
  for (const Label& label : labels)
    width += text_width(label.data, size) + text_width(label.ranks, 0.78 * size);
  return labels.empty() ? 0
                        : width + text_width(", ", size) * static_cast<double>(labels.size() - 1);
}

class PictureDrawing {
 public:
  explicit PictureDrawing(const Picture& picture)
      : picture_(picture),
        size_(picture.p <= 16   ? 11
              : picture.p <= 32 ? 10
                                : 9) {
    measure();
  }

  std::string draw() {
    double y = margin + 16;
    canvas_.text(margin, y, 15, "start", escape(picture_.title), ink, R"(font-weight="bold")");
    if (!picture_.key.empty()) {
      y += 17;
      canvas_.text(margin, y, 11, "start", dashed(picture_.key), grey);
    }
    y += 26;
    for (Rank r = 0; r < picture_.p; ++r)
      canvas_.text(column(r), y, size_ + 1, "middle", fmt::format("P{}", r), ink,
                   R"(font-weight="bold")");
    y += 8;
    for (const Frame& frame : picture_.frames) y = draw(frame, y);
    y = legend(y + 22);
    return canvas_.document(width_, y + margin, picture_.title);
  }

 private:
  double column(Rank rank) const { return left_ + (rank + 0.5) * pitch_; }
  double line_height() const { return size_ + 4; }
  static int distance(const Arrow& arrow) { return std::abs(arrow.from - arrow.to); }
  /// Round a ring of p, so that all arrows of a ring look the same.
  std::size_t colour_of(const Arrow& arrow) const {
    const int round = std::min(distance(arrow), picture_.p - distance(arrow));
    const auto index = std::bit_width(static_cast<unsigned>(std::max(round, 1) - 1));
    return std::min<std::size_t>(index, colours.size() - 1);
  }

  void measure() {
    double content = text_width(fmt::format("P{}", picture_.p - 1), size_ + 1), arrows = 0;
    double title = 0;
    for (const Frame& frame : picture_.frames) {
      title = std::max(title, text_width(frame.title, 11));
      for (const auto& cells : frame.cells)
        for (const Holding& cell : cells) box_ = std::max(box_, width_of({cell.label}, size_) + 8);
      for (const Arrow& arrow : frame.arrows)
        arrows = std::max(arrows, (width_of(arrow.labels, label_size()) + 20) / distance(arrow));
    }
    if (picture_.by_place) box_ = std::max(box_, 22.0);
    content = std::max(content, box_);
    const double widest = picture_.p <= 8 ? 100 : picture_.p <= 16 ? 76 : 0;
    pitch_ = std::max({content + 8, 24.0, std::min(arrows, widest)});
    left_ = margin + title + 12;
    width_ = std::max({left_ + picture_.p * pitch_ + margin, 360.0,
                       2 * margin + text_width(picture_.title, 16.5),
                       2 * margin + text_width(picture_.key, 11)});
    pitch_ = (width_ - margin - left_) / picture_.p;
  }
  double label_size() const { return size_ - 1; }

  /// Lanes so that arrows of one lane do not cover each other: near ones first, exchanges together.
  static std::vector<std::vector<const Arrow*>> lanes_of(const Frame& frame) {
    std::vector<const Arrow*> order;
    for (const Arrow& arrow : frame.arrows) order.push_back(&arrow);
    std::stable_sort(order.begin(), order.end(), [](const Arrow* a, const Arrow* b) {
      const auto key = [](const Arrow& arrow) {
        return std::tuple(distance(arrow), std::min(arrow.from, arrow.to), arrow.from > arrow.to);
      };
      return key(*a) < key(*b);
    });
    std::vector<std::vector<const Arrow*>> lanes;
    for (const Arrow* arrow : order) {
      const auto [low, high] = std::minmax(arrow->from, arrow->to);
      auto lane = std::find_if(lanes.begin(), lanes.end(), [&](const auto& others) {
        return std::all_of(others.begin(), others.end(), [&](const Arrow* other) {
          return std::max(other->from, other->to) <= low ||
                 std::min(other->from, other->to) >= high;
        });
      });
      if (lane == lanes.end()) lane = lanes.emplace(lanes.end());
      lane->push_back(arrow);
    }
    return lanes;
  }

  bool fits(const Arrow& arrow) const {
    return !arrow.labels.empty() &&
           width_of(arrow.labels, label_size()) + 20 <= distance(arrow) * pitch_;
  }

  /// One step: arrows on a band, then the boxes. Returns where the next begins.
  double draw(const Frame& frame, double y) {
    const auto lanes = lanes_of(frame);
    const bool labelled =
        lanes.size() <= 64 && std::any_of(frame.arrows.begin(), frame.arrows.end(),
                                          [&](const Arrow& a) { return fits(a); });
    const double lane = labelled ? label_size() + 8
                        : lanes.size() <= 64
                            ? 10
                            : std::max(2.0, 640.0 / static_cast<double>(lanes.size()));
    const bool local = !frame.copies.empty() || !frame.reductions.empty();
    double height = static_cast<double>(lanes.size()) * lane;
    if (!lanes.empty()) height += 8;
    if (local) height += 14;
    double held = 0;
    for (const auto& cells : frame.cells)
      held = std::max(held, static_cast<double>(cells.size()) * line_height());
    const double end = y + height + 6 + (held > 0 ? held + 12 : 0);
    if (height > 0) canvas_.rectangle(margin, y, width_ - 2 * margin, height, band);
    canvas_.text(margin + 4, y + (height > 0 ? height : held + 16) / 2 + 4, 11, "start",
                 escape(frame.title), ink, R"(font-weight="bold")");
    for (Rank r = 0; r < picture_.p; ++r) canvas_.line(column(r), y, column(r), end, pale, 0.8);
    for (std::size_t i = 0; i < lanes.size(); ++i)
      for (const Arrow* arrow : lanes[i])
        draw(*arrow, lanes[i],
             y + static_cast<double>(i + 1) * lane - (labelled ? 0 : lane / 2) + 2, lane, labelled);
    for (const Rank r : frame.copies)
      canvas_.rectangle(column(r) - 3, y + height - 11, 6, 6, "#ffffff", grey);
    for (const Rank r : frame.reductions) plus(column(r), y + height - 8, 4, grey);
    boxes(frame, y + height + 6);
    return end;
  }

  void draw(const Arrow& arrow, const std::vector<const Arrow*>& lane, double y, double room,
            bool labelled) {
    const std::string_view colour = colours[colour_of(arrow)];
    const double way = arrow.from < arrow.to ? 1 : -1;
    const double head = std::min(6.0, room * 0.7), radius = std::min(4.0, room * 0.42);
    // Where another arrow of the lane ends at this one's beginning, it keeps away.
    const bool chained = std::any_of(lane.begin(), lane.end(),
                                     [&](const Arrow* other) { return other->to == arrow.from; });
    const double x1 = column(arrow.from) + way * (chained ? radius + 2 : 0);
    const double x2 = column(arrow.to) - way * (arrow.combines ? radius : 0.5);
    if (labelled && fits(arrow)) {
      // In the middle of a gap between columns, where there is nothing to cover.
      const double width = width_of(arrow.labels, label_size());
      const double gap =
          width + 4 < pitch_ ? (distance(arrow) - 1) / 2 + 0.5 : distance(arrow) / 2.0;
      const double middle = column(arrow.from) + way * gap * pitch_;
      if (width + 4 >= pitch_)
        canvas_.rectangle(middle - width / 2 - 1, y - label_size() - 3, width + 2, label_size() + 1,
                          band);
      canvas_.text(middle, y - 5, label_size(), "middle", markup(arrow.labels, label_size()),
                   colour);
    }
    canvas_.line(x1, y, x2 - way * head * 0.8, y, colour, 1.1);
    canvas_.circle(x1, y, std::min(1.8, room * 0.2), colour);
    canvas_.path(fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}v{:.1f}z", x2, y, -way * head,
                             -head * 0.45, head * 0.9),
                 colour);
    if (arrow.combines) plus(column(arrow.to), y, radius, colour);
  }

  /// A circled plus: what arrives is combined.
  void plus(double x, double y, double radius, std::string_view colour) {
    canvas_.circle(x, y, radius, "#ffffff", colour);
    const double arm = radius - 1;
    canvas_.path(fmt::format("M{:.1f} {:.1f}h{:.1f}M{:.1f} {:.1f}v{:.1f}", x - arm, y, 2 * arm, x,
                             y - arm, 2 * arm),
                 "none", colour);
  }

  /// What each rank holds: a box of lines, or a pile of places.
  void boxes(const Frame& frame, double y) {
    std::string free, kept, leaving;  // one path for all places of a kind keeps the document small
    for (Rank r = 0; r < picture_.p; ++r) {
      const auto& cells = frame.cells[r];
      const double x = column(r), height = line_height();
      if (!picture_.by_place && !cells.empty())
        canvas_.rectangle(x - box_ / 2, y, box_, static_cast<double>(cells.size()) * height + 4,
                          "#ffffff", grey, 2);
      if (!picture_.by_place) continue;
      for (std::size_t i = 0; i < cells.size(); ++i)
        (cells[i].label.empty() ? free
         : cells[i].leaves      ? leaving
                                : kept) +=
            fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", x - box_ / 2,
                        y + static_cast<double>(i) * height, box_, height, -box_);
    }
    if (!free.empty()) canvas_.path(free, "#ffffff", pale, 0.8);
    if (!kept.empty()) canvas_.path(kept, "#ffffff", grey, 0.8);
    if (!leaving.empty()) canvas_.path(leaving, shade, grey, 0.8);
    for (Rank r = 0; r < picture_.p; ++r)
      for (std::size_t i = 0; i < frame.cells[r].size(); ++i)
        if (const Label& label = frame.cells[r][i].label; !label.empty())
          canvas_.text(
              column(r),
              y + static_cast<double>(i) * line_height() + size_ + (picture_.by_place ? 0.5 : 2.5),
              size_, "middle", markup({label}, size_));
  }

  /// Only what the picture has. Returns where it ends.
  double legend(double y) {
    double x = margin;
    const auto item = [&](double glyph, const std::string& text,
                          const std::function<void(double, double)>& draw_glyph) {
      const double width = glyph + 6 + text_width(text, 10) + 20;
      if (x > margin && x + width > width_) {
        x = margin;
        y += 18;
      }
      draw_glyph(x, y - 3.5);
      canvas_.text(x + glyph + 6, y, 10, "start", dashed(text), grey);
      x += width;
    };
    std::vector<bool> used(colours.size());
    bool copies = false, leaves = false, holds = false;
    for (const Frame& frame : picture_.frames) {
      for (const Arrow& arrow : frame.arrows) used[colour_of(arrow)] = true;
      copies |= !frame.copies.empty();
      for (const auto& cells : frame.cells)
        for (const Holding& cell : cells) leaves |= cell.leaves, holds = true;
    }
    bool first = true;
    for (std::size_t i = 0; i < colours.size(); ++i) {
      if (!used[i]) continue;
      const int high = 1 << i, low = high / 2 + 1;
      const std::string range = i + 1 == colours.size() ? fmt::format("{} or more", low)
                                : low >= high           ? std::to_string(high)
                                                        : fmt::format("{}-{}", low, high);
      item(22, (first ? "message, distance " : "distance ") + range, [&](double gx, double gy) {
        canvas_.circle(gx + 2, gy, 1.8, colours[i]);
        canvas_.line(gx + 2, gy, gx + 17, gy, colours[i], 1.1);
        canvas_.path(fmt::format("M{:.1f} {:.1f}l-6 -2.7v5.4z", gx + 22, gy), colours[i]);
      });
      first = false;
    }
    if (picture_.combines())
      item(10, "combined", [&](double gx, double gy) { plus(gx + 5, gy, 4, grey); });
    if (copies)
      item(8, "local copy",
           [&](double gx, double gy) { canvas_.rectangle(gx + 1, gy - 3, 6, 6, "#ffffff", grey); });
    if (holds)
      item(14, "what a rank holds and still needs", [&](double gx, double gy) {
        canvas_.rectangle(gx, gy - 5, 14, 10, "#ffffff", grey, 2);
      });
    if (leaves)
      item(14, "sent in the next step",
           [&](double gx, double gy) { canvas_.rectangle(gx, gy - 5, 14, 10, shade, grey); });
    if (const std::vector<Label> example = {picture_.example()}; !example.front().empty()) {
      const double width = width_of(example, 10);
      item(width, meaning_of(example.front()), [&](double gx, double gy) {
        canvas_.text(gx, gy + 3.5, 10, "start", markup(example, 10));
      });
    }
    return y;
  }

  const Picture& picture_;
  double size_;       // of text in boxes
  double box_ = 0;    // width of a box
  double pitch_ = 0;  // of columns
  double left_ = 0;   // where columns begin
  double width_ = 0;  // of all
  Canvas canvas_;
};

}  // namespace

std::string draw_svg(const Picture& picture) { return PictureDrawing(picture).draw(); }

}  // namespace tutti::core
