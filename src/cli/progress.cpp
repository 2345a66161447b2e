// How far a verb is, for people who wait.

#include "cli/progress.hpp"

#include <fmt/format.h>

#include <iostream>

namespace tutti::core::cli {

void Progress::show(double done, double total, const std::string& what) {
  if (!shown_) return;
  const auto percent = static_cast<std::size_t>(total > 0 ? 100 * done / total : 100);
  std::cerr << fmt::format("\r\033[K[{:<25}] {:>3} %  {}", std::string(percent / 4, '='), percent,
                           what)
            << std::flush;
}

void Progress::clear() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

}  // namespace tutti::core::cli
