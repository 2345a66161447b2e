#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace tutti::core {

/// Data as a picture names it: blocks by number, parts of a vector by letter, and below them the
/// ranks whose contributions are combined (`A-D` over `0-1`).
struct Label {
  std::string data;
  std::string ranks{};  // empty: one rank's data, moved

  bool empty() const { return data.empty(); }
  /// `A-D 0-1`
  std::string text() const { return ranks.empty() ? data : data + " " + ranks; }
  bool operator==(const Label&) const = default;
};

/// One line of what a rank holds. An empty label is a free place.
struct Holding {
  Label label;
  bool leaves = false;  // sent in the next step
  bool operator==(const Holding&) const = default;
};

struct Arrow {
  Rank from = 0, to = 0;
  std::vector<Label> labels;
  bool combines = false;
};

/// A step, or local actions only, and what stands where when it is over.
struct Frame {
  int step = 0;  // 0: no messages
  std::string title;
  std::vector<Arrow> arrows;
  std::vector<Rank> copies, reductions;     // ranks that act locally
  std::vector<std::vector<Holding>> cells;  // of each rank: what it holds and still needs
};

/// What a picture of a problem's schedules shows, apart from how. Text and SVG are drawn from it.
struct Picture {
  std::string title;
  /// What the letters stand for; empty where numbers are ranks.
  std::string key;
  int p = 0;
  bool by_place = false;  // cells are places of the buffer, in order
  std::vector<Frame> frames;

  bool combines() const;
  /// The first label of what is combined, to be explained; empty where nothing is.
  Label example() const;
};

/// `parts A-D, combined over ranks 0-1`
std::string meaning_of(const Label& label);

/// `ring, p = 4, blocks of 2 elements (8 bytes)`
std::string title_of(const std::string& name, const Problem& problem);

/// `name` stands in the title. The schedules must be complete and correct.
Picture picture_of(const std::string& name, const Problem& problem,
                   const std::vector<Schedule>& schedules);

}  // namespace tutti::core
