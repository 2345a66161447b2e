#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tutti::core {

/// One way to do something at one size, and its time over the best one's.
struct Option {
  std::string name;
  double regret = 1;  // infinite: not to be taken; 0: to be taken before all others
};

/// Which option to take at each size, by place: good ones, and changes from size to size only where
/// they gain more than noise could. There must be one to take at each size.
std::vector<std::size_t> steady(const std::vector<std::vector<Option>>& sizes);

/// What is taken from a size on.
struct SizeChoice {
  std::size_t bytes = 0;
  std::string name;
  double seconds = 0;
  bool measured = false;

  bool operator==(const SizeChoice&) const = default;
};

/// Choices at sizes become choices from sizes on, the first from 0; each begins in the geometric
/// middle, and neighbours that are the same become one.
std::vector<SizeChoice> merged(const std::vector<SizeChoice>& at_sizes);

/// Sizes in the geometric middle of neighbours more than twice apart that take different ways.
std::vector<std::size_t> sizes_between(const std::vector<SizeChoice>& at_sizes);

}  // namespace tutti::core
