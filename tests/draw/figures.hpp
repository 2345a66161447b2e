#pragma once

#include <string>
#include <vector>

#include "draw/picture.hpp"
#include "request/request.hpp"
#include "verify/verify.hpp"

namespace tutti::core {

struct Figure {
  std::string algorithm;
  int p;
};

/// The figures of Thakur, Rabenseifner, Gropp 2005 that show schedules: 1, 2, 7, 9, 12 and 13.
inline const std::vector<Figure> figures = {{"allgather/recursive_doubling", 8},
                                            {"allgather/bruck", 6},
                                            {"alltoall/bruck", 6},
                                            {"reduce_scatter/recursive_halving", 8},
                                            {"allreduce/rabenseifner", 13},
                                            {"allreduce/binary_blocks", 13}};

inline Picture picture_of(const std::string& name, int p, std::size_t elements, Rank root = 0) {
  const Request request = parse_request(name);
  Problem problem = Problem::even(request.algorithm->collective, p, elements);
  problem.root = root;
  problem.element_bytes = reduces(problem.collective) ? 8 : 1;
  const Parameters parameters =
      request.algorithm->resolve(problem, {1, 1, 1, 1, 1}, request.parameters);
  return picture_of(name, problem, schedules_of(problem, *request.algorithm, parameters));
}

inline Picture picture_of(const Figure& figure) {
  return picture_of(figure.algorithm, figure.p, static_cast<std::size_t>(figure.p));
}

/// Row by row what a frame shows, one word for each rank: `.` is a free place, `-` nothing.
inline std::vector<std::string> rows(const Frame& frame) {
  std::vector<std::string> all;
  for (std::size_t row = 0;; ++row) {
    std::string line;
    bool any = false;
    for (const auto& cells : frame.cells) {
      std::string cell = "-";
      if (row < cells.size()) {
        any = true;
        const Label& label = cells[row].label;
        cell = label.empty() ? "." : label.data;
        if (!label.ranks.empty()) cell += "_" + label.ranks;
      }
      line += (line.empty() ? "" : " ") + cell;
    }
    if (!any) return all;
    all.push_back(line);
  }
}

}  // namespace tutti::core
