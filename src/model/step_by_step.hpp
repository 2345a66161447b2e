#pragma once

#include "model/sample.hpp"

namespace tutti::core {

/// What the ranks of a sample do in each step, followed schedule by schedule.
struct Followed {
  double seconds = 0;     // infinite if some message never meets its partner
  std::size_t count = 0;  // of the steps
  double between = 0;     // what one with a message between nodes usually takes
};
Followed step_by_step(const Sample& sample, const Topology& topology,
                      const std::optional<Mesh>& mesh, std::size_t element_bytes,
                      const Machine& machine);

}  // namespace tutti::core
