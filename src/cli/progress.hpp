#pragma once

#include <string>

namespace tutti::core::cli {

/// A line on a terminal that rewrites itself: how much is done, and what comes now.
class Progress {
 public:
  /// Nothing is shown unless there is a terminal.
  explicit Progress(bool shown) : shown_(shown) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double done, double total, const std::string& what);
  void clear();

 private:
  const bool shown_;
};

}  // namespace tutti::core::cli
