// Reading what stands in the memory of other processes of the node.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tutti::core {

/// What neighbours keep in memory of their own, read with the kernel's help (cross-memory attach).
class NeighbourMemory {
 public:
  NeighbourMemory(std::vector<pid_t> processes, bool attaches, double reading)
      : processes_(std::move(processes)), attaches_(attaches), reading_(reading) {}

  /// The kernel lets ranks read each other's memory.
  bool attaches() const { return attaches_; }
  /// What that takes for a byte, in copies.
  double reading() const { return reading_; }

  /// Copies from that rank's address. Returns false if the kernel refuses.
  bool read(int from, std::uint64_t address, char* to, std::size_t bytes);
  /// What the kernel said when it refused since this was asked last; 0: it did not.
  int take_refusal() { return std::exchange(refusal_, 0); }

 private:
  const std::vector<pid_t> processes_;
  const bool attaches_;
  const double reading_;
  int refusal_ = 0;
};

}  // namespace tutti::core
