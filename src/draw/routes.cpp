// Messages on a mesh, and what its links carry in each step.

#include "draw/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "draw/canvas.hpp"
#include "draw/text.hpp"

namespace tutti::core {

namespace {

/// Rows and columns; a linear array is one row.
class Grid {
 public:
  explicit Grid(const Mesh& mesh) : mesh_(mesh), across_(mesh.dimensions() - 1) {}

  int rows() const { return across_ == 0 ? 1 : mesh_.extent(0); }
  int columns() const { return mesh_.extent(across_); }
  int row(Rank rank) const { return across_ == 0 ? 0 : mesh_.place(rank, 0); }
  int column(Rank rank) const { return mesh_.place(rank, across_); }
  bool is_across(const Link& link) const { return link.dimension == across_; }

  /// It leaves at one end and comes in at the other.
  bool wraps(const Link& link) const {
    const int extent = mesh_.extent(link.dimension), place = mesh_.place(link.from, link.dimension);
    return has_wrap(extent) && place == (link.up ? extent - 1 : 0);
  }
  /// Two that are neighbours already have no further wire.
  bool has_wrap(int extent) const { return mesh_.wraps() && extent > 2; }
  /// Whether a message goes to higher rows or columns, as drawn.
  bool is_forward(const Link& link) const {
    return wraps(link) ? link.up : mesh_.end_of(link) > link.from;
  }

 private:
  const Mesh& mesh_;
  int across_;
};

std::string plural(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string title_of(std::size_t step, const Routes::Step& messages) {
  std::string text =
      fmt::format("step {}: {}", step + 1, plural(messages.messages.size(), "message"));
  if (messages.largest() > 1) text += fmt::format(", up to {} on a link", messages.largest());
  return text;
}

/// Messages each way on the wire between two neighbours.
struct Wire {
  int forward = 0, back = 0;
};

/// The wires of one step by where they begin: at a rank, across or down.
class Wires {
 public:
  Wires(const Routes& routes, const Routes::Step& step) {
    const Grid grid(routes.mesh);
    for (const LoadedLink& each : step.links) {
      const Rank end = routes.mesh.end_of(each.link);
      const bool forward = grid.is_forward(each.link);
      const Rank begin = forward ? each.link.from : end;
      Wire& wire = wires_[{begin, grid.is_across(each.link)}];
      (forward ? wire.forward : wire.back) = each.messages;
    }
  }
  Wire across(Rank rank) const { return at(rank, true); }
  Wire down(Rank rank) const { return at(rank, false); }

 private:
  Wire at(Rank rank, bool across) const {
    const auto found = wires_.find({rank, across});
    return found == wires_.end() ? Wire{} : found->second;
  }

  std::map<std::pair<Rank, bool>, Wire> wires_;
};

/// One step of the text.
class Sheet {
 public:
  Sheet(const Routes& routes, const Routes::Step& step)
      : routes_(routes),
        grid_(routes.mesh),
        wires_(routes, step),
        number_(fmt::formatted_size("{}", routes.mesh.p() - 1)),
        load_(fmt::formatted_size("{}", step.largest())),
        // Room for ` <1-2> ` between two ranks, and for `^1v2` below one.
        pitch_(std::max(number_ + 2 * load_ + 5, 2 * load_ + 4)) {}

  std::string draw() const {
    std::string text;
    const bool wraps = grid_.has_wrap(grid_.rows());
    for (int row = 0; row < grid_.rows(); ++row) {
      text += ranks(row);
      if (row + 1 < grid_.rows() || wraps) text += below(row);
    }
    return text;
  }

 private:
  Rank rank(int row, int column) const { return row * grid_.columns() + column; }

  std::string ranks(int row) const {
    std::string line = "  ";
    for (int column = 0; column < grid_.columns(); ++column) {
      line += fmt::format("{:>{}}", rank(row, column), number_);
      if (column + 1 < grid_.columns() || grid_.has_wrap(grid_.columns()))
        line += " " + between(wires_.across(rank(row, column)), pitch_ - number_ - 2) + " ";
    }
    return without_trailing_blanks(line);
  }

  /// `<1-2>`: one message back, two forward.
  static std::string between(const Wire& wire, std::size_t width) {
    const std::string back = wire.back > 0 ? fmt::format("<{}", wire.back) : "";
    const std::string forward = wire.forward > 0 ? fmt::format("{}>", wire.forward) : "";
    return back + std::string(width - back.size() - forward.size(), '-') + forward;
  }

  std::string below(int row) const {
    std::string line = "  ";
    for (int column = 0; column < grid_.columns(); ++column) {
      const Wire wire = wires_.down(rank(row, column));
      std::string mark = wire.back > 0 ? fmt::format("^{}", wire.back) : "";
      if (wire.forward > 0) mark += fmt::format("v{}", wire.forward);
      if (mark.empty()) mark = "|";
      // Under the last digit.
      line += std::string(number_ - 1, ' ') + fmt::format("{:<{}}", mark, pitch_ - number_ + 1);
    }
    return without_trailing_blanks(line);
  }

  const Routes& routes_;
  Grid grid_;
  Wires wires_;
  std::size_t number_, load_, pitch_;
};

/// Messages side by side, as many as fit.
std::string list_of(const std::vector<Ends>& messages, int p, std::size_t width) {
  const std::size_t digits = fmt::formatted_size("{}", p - 1), item = 2 * digits + 4 + 3;
  const std::size_t columns = std::max<std::size_t>(1, (width - 2) / item);
  const std::size_t rows = (messages.size() + columns - 1) / columns;
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line = "  ";
    for (std::size_t i = row; i < messages.size(); i += rows)
      line +=
          fmt::format("{:>{}} -> {:<{}}   ", messages[i].first, digits, messages[i].second, digits);
    text += without_trailing_blanks(line);
  }
  return text;
}

/// The SVG.
class RoutesDrawing {
 public:
  explicit RoutesDrawing(const Routes& routes) : routes_(routes), grid_(routes.mesh) {
    // Wires that wrap around leave the mesh by half a pitch.
    const double beside = grid_.has_wrap(grid_.columns()) ? pitch : 0;
    const double above = grid_.has_wrap(grid_.rows()) ? pitch : 0;
    inset_x_ = radius + beside / 2;
    inset_y_ = radius + above / 2;
    double title = 0;
    for (std::size_t s = 0; s < routes.steps.size(); ++s)
      title = std::max(title, text_width(title_of(s, routes.steps[s]), 11) * 1.1);
    panel_width_ = std::max(title, (grid_.columns() - 1) * pitch + 2 * inset_x_);
    panel_height_ = 24 + (grid_.rows() - 1) * pitch + 2 * inset_y_;
    const auto fit = static_cast<std::size_t>((widest - 2 * margin + gap) / (panel_width_ + gap));
    beside_ = std::clamp<std::size_t>(fit, 1, std::max<std::size_t>(routes.steps.size(), 1));
  }

  std::string draw() {
    double y = margin + 16;
    canvas_.text(margin, y, 15, "start", escape(routes_.title), ink, R"(font-weight="bold")");
    y += 17;
    canvas_.text(margin, y, 11, "start", escape(routes_.summary()), grey);
    y += 22;
    for (std::size_t s = 0; s < routes_.steps.size(); ++s)
      panel(s, margin + static_cast<double>(s % beside_) * (panel_width_ + gap),
            y + static_cast<double>(s / beside_) * (panel_height_ + gap));
    const std::size_t rows = (routes_.steps.size() + beside_ - 1) / beside_;
    y += static_cast<double>(rows) * (panel_height_ + gap);
    const double panels = static_cast<double>(beside_) * (panel_width_ + gap) - gap;
    const double width = std::max(
        {panels, text_width(routes_.title, 16.5), text_width(routes_.summary(), 11), legend(y)});
    return canvas_.document(width + 2 * margin, y + margin, routes_.title);
  }

 private:
  static constexpr double gap = 26, pitch = 40, radius = 9, lane = 3, widest = 1000;
  static constexpr std::string_view calm = colours[0], busy = colours[1];

  struct Point {
    double x, y;
  };
  /// Where a link is drawn: on the right side of the way, so that both directions are seen. Those
  /// that wrap around are drawn as two halves.
  struct Stroke {
    Point from, to;
    double dx, dy;  // the way, of length 1
  };

  Point at(Rank rank) const {
    return {left_ + inset_x_ + grid_.column(rank) * pitch,
            top_ + inset_y_ + grid_.row(rank) * pitch};
  }

  std::vector<Stroke> strokes(const Link& link) const {
    const double way = grid_.is_forward(link) ? 1 : -1;
    const double dx = grid_.is_across(link) ? way : 0, dy = grid_.is_across(link) ? 0 : way;
    const auto beside = [&](Point p) { return Point{p.x - dy * lane, p.y + dx * lane}; };
    const Point from = beside(at(link.from)), to = beside(at(routes_.mesh.end_of(link)));
    if (!grid_.wraps(link)) return {{from, to, dx, dy}};
    const double half = pitch / 2;
    return {{from, {from.x + dx * half, from.y + dy * half}, dx, dy},
            {{to.x - dx * half, to.y - dy * half}, to, dx, dy}};
  }

  void panel(std::size_t number, double x, double y) {
    const Routes::Step& step = routes_.steps[number];
    canvas_.rectangle(x - gap / 4, y - 14, panel_width_ + gap / 2, panel_height_ + gap / 2 + 2,
                      band);
    canvas_.text(x, y, 11, "start", title_of(number, step), ink, R"(font-weight="bold")");
    left_ = x;
    top_ = y + 14;
    wires();
    for (const LoadedLink& each : step.links)
      for (const Stroke& stroke : strokes(each.link))
        canvas_.line(stroke.from.x, stroke.from.y, stroke.to.x, stroke.to.y,
                     each.messages > 1 ? busy : calm, thickness(each.messages));
    for (Rank r = 0; r < routes_.mesh.p(); ++r) {
      canvas_.circle(at(r).x, at(r).y, radius, "#ffffff", grey);
      canvas_.text(at(r).x, at(r).y + 2.8, 8, "middle", std::to_string(r));
    }
    for (const LoadedLink& each : step.links)
      if (each.messages > 1) load(each);
    for (const auto& [from, to] : step.messages) ends(from, to);
  }

  static double thickness(int messages) { return std::min(1.2 + 0.6 * (messages - 1), 4.2); }

  /// All wires of the mesh: one path keeps the document small.
  void wires() {
    std::string path;
    const auto add = [&](const Link& link) {
      const double dx = grid_.is_across(link) ? 1 : 0, dy = 1 - dx;
      const Point from = at(link.from), to = at(routes_.mesh.end_of(link));
      if (grid_.wraps(link))
        path +=
            fmt::format("M{:.1f} {:.1f}l{} {}M{:.1f} {:.1f}l{} {}", from.x, from.y, dx * pitch / 2,
                        dy * pitch / 2, to.x, to.y, -dx * pitch / 2, -dy * pitch / 2);
      else
        path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x, from.y, to.x, to.y);
    };
    for (Rank r = 0; r < routes_.mesh.p(); ++r)
      for (int d = 0; d < routes_.mesh.dimensions(); ++d) {
        const int extent = routes_.mesh.extent(d);
        if (routes_.mesh.place(r, d) + 1 < extent || grid_.has_wrap(extent)) add({r, d, true});
      }
    if (!path.empty()) canvas_.path(path, "none", pale, 0.8);
  }

  /// How many, beside the link.
  void load(const LoadedLink& each) {
    const std::string text = std::to_string(each.messages);
    for (const Stroke& stroke : strokes(each.link)) {
      const double part = grid_.wraps(each.link) ? 1 : 0.5;  // away from the rank
      const Point point{stroke.from.x + part * (stroke.to.x - stroke.from.x),
                        stroke.from.y + part * (stroke.to.y - stroke.from.y)};
      const double aside = thickness(each.messages) / 2 + 1.5;
      const double half = text_width(text, 7.5) / 2;
      canvas_.text(point.x - stroke.dy * (aside + half),
                   point.y + (stroke.dx > 0   ? aside + 6
                              : stroke.dx < 0 ? -aside
                                              : 2.6),
                   7.5, "middle", text, busy);
      if (grid_.wraps(each.link)) break;  // once is enough
    }
  }

  /// A dot where a message begins, a head where it ends.
  void ends(Rank from, Rank to) {
    const std::vector<Link> route = routes_.mesh.route(from, to);
    const double edge = std::sqrt(radius * radius - lane * lane);
    const Stroke first = strokes(route.front()).front(), last = strokes(route.back()).back();
    canvas_.circle(first.from.x + first.dx * edge, first.from.y + first.dy * edge, 1.8, calm);
    const double x = last.to.x - last.dx * edge, y = last.to.y - last.dy * edge;
    canvas_.path(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z", x, y,
                             x - 6 * last.dx - 2.7 * last.dy, y - 6 * last.dy + 2.7 * last.dx,
                             x - 6 * last.dx + 2.7 * last.dy, y - 6 * last.dy - 2.7 * last.dx),
                 calm);
  }

  /// Only what the picture has. Returns its width.
  double legend(double y) {
    double x = margin;
    const auto item = [&](std::string_view text, std::string_view colour, int messages,
                          bool whole) {
      if (whole) canvas_.circle(x + 2, y - 3.5, 1.8, colour);
      canvas_.line(x + 2, y - 3.5, x + 20, y - 3.5, colour, thickness(messages));
      if (whole) canvas_.path(fmt::format("M{:.1f} {:.1f}l-6 -2.7v5.4z", x + 22, y - 3.5), colour);
      canvas_.text(x + 28, y, 10, "start", text, grey);
      x += 28 + text_width(text, 10) + 20;
    };
    bool any = false, several = false;
    for (const Routes::Step& step : routes_.steps) {
      any |= !step.messages.empty();
      several |= step.largest() > 1;
    }
    if (any) item("message, from its sender to its receiver", calm, 1, true);
    if (several)
      item("a link that carries several messages the same way, and how many", busy, 2, false);
    return x - margin;
  }

  const Routes& routes_;
  Grid grid_;
  double inset_x_ = 0, inset_y_ = 0, panel_width_ = 0, panel_height_ = 0;
  std::size_t beside_ = 1;
  double left_ = 0, top_ = 0;  // of the panel that is drawn
  Canvas canvas_;
};

}  // namespace

int Routes::Step::largest() const {
  int largest = 0;
  for (const LoadedLink& each : links) largest = std::max(largest, each.messages);
  return largest;
}

std::string Routes::summary() const {
  std::size_t conflicts = 0;
  int largest = 0;
  for (const Step& step : steps) {
    for (const LoadedLink& each : step.links) conflicts += each.messages > 1;
    largest = std::max(largest, step.largest());
  }
  if (conflicts == 0) return "no link carries two messages of one step the same way";
  return fmt::format("{}: a link carries up to {} messages of one step the same way",
                     plural(conflicts, "conflict"), largest);
}

Routes routes_of(const std::string& name, const Mesh& mesh,
                 const std::vector<Schedule>& schedules) {
  if (mesh.dimensions() > 2)
    throw std::invalid_argument(
        fmt::format("{} has {} dimensions: two are the most that can be drawn", mesh.describe(),
                    mesh.dimensions()));
  if (schedules.size() != static_cast<std::size_t>(mesh.p()))
    throw std::invalid_argument(fmt::format("{} needs schedules of {} ranks, not {}",
                                            mesh.describe(), mesh.p(), schedules.size()));
  Routes routes{fmt::format("{} on {}", name, mesh.describe()), mesh, {}};
  for (std::vector<Ends>& messages : messages_by_step(schedules)) {
    Routes::Step& step = routes.steps.emplace_back();
    std::map<std::size_t, LoadedLink> links;
    for (const auto& [from, to] : messages)
      mesh.follow(from, to, [&](const Link& link) {
        LoadedLink& each = links[mesh.index_of(link)];
        each.link = link;
        ++each.messages;
      });
    for (const auto& [index, each] : links) step.links.push_back(each);
    step.messages = std::move(messages);
  }
  return routes;
}

std::string routes_text(const Routes& routes, std::size_t width) {
  if (const int columns = Grid(routes.mesh).columns(); columns > most_text_columns)
    throw std::invalid_argument(fmt::format("{} has {} columns: {} are the most in text; draw SVG",
                                            routes.mesh.describe(), columns, most_text_columns));
  std::string text = routes.title + "\n" + routes.summary() + "\n";
  if (routes.mesh.wraps()) text += "links at the end of a row or column lead to its beginning\n";
  for (std::size_t s = 0; s < routes.steps.size(); ++s)
    text += "\n" + title_of(s, routes.steps[s]) + "\n" + Sheet(routes, routes.steps[s]).draw() +
            "\n" + list_of(routes.steps[s].messages, routes.mesh.p(), width);
  return text;
}

std::string routes_svg(const Routes& routes) { return RoutesDrawing(routes).draw(); }

}  // namespace tutti::core
