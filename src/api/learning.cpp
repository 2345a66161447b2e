#include "api/learning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/numbers.hpp"

namespace tutti::core {

std::string Learning::why(std::size_t candidate) const {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (i != candidate) others.push_back(i);
  const auto name = [&](std::size_t i) {
    return candidates[i].algorithm != nullptr ? candidates[i].algorithm->name : "native";
  };
  std::vector<std::string> texts;
  if (!learner.settled()) {
    for (const std::size_t each : others) texts.emplace_back(name(each));
    return fmt::format("learning: takes turns with {}", fmt::join(texts, ", "));
  }
  std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
    return learner.seconds(a) < learner.seconds(b);
  });
  for (const std::size_t each : others)
    texts.push_back(fmt::format("{} {}", name(each), short_number(learner.seconds(each) * 1e6)));
  return fmt::format("learned: {} us before {}", short_number(learner.seconds(candidate) * 1e6),
                     fmt::join(texts, ", "));
}

}  // namespace tutti::core
