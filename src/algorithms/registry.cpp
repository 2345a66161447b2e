// The table of all algorithms: what their files say, in the catalogue's order.

#include "algorithms/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tutti::core {

#define TUTTI_ALGORITHM(collective, name) Rows collective##_##name##_rows();
#include "algorithms/catalogue.def"

namespace {

struct File {
  std::string_view path, name;
  Rows (*rows)();
};
constexpr File catalogue[] = {
#define TUTTI_ALGORITHM(collective, name) \
  {#collective "/" #name ".cpp", #name, collective##_##name##_rows},
#include "algorithms/catalogue.def"
};

std::vector<Algorithm> table() {
  std::vector<Algorithm> result;
  for (const File& file : catalogue)
    for (Row& row : file.rows()) {
      if (row.name.empty()) row.name = file.name;
      for (const Collective collective : row.collectives)
        result.push_back({row, collective, file.path});
    }
  std::stable_sort(result.begin(), result.end(), [](const Algorithm& a, const Algorithm& b) {
    return a.collective < b.collective;
  });
  return result;
}

}  // namespace

const std::vector<Algorithm>& registry() {
  static const std::vector<Algorithm> all = table();
  return all;
}

std::vector<const Algorithm*> algorithms_of(Collective collective) {
  std::vector<const Algorithm*> found;
  for (const Algorithm& algorithm : registry())
    if (algorithm.collective == collective) found.push_back(&algorithm);
  return found;
}

const Algorithm& inner_algorithm(Collective collective, std::size_t value) {
  const auto known = algorithms_of(collective);
  if (value >= known.size() || !known[value]->may_be_inner())
    throw std::invalid_argument(
        fmt::format("inner = {} is no algorithm of {} that others may use (tutti list {})", value,
                    name_of(collective), name_of(collective)));
  return *known[value];
}

}  // namespace tutti::core
