// Reading what stands in the memory of other processes of the node.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tutti::core {

/// What stands in the memory of another process of this node.
struct ProcessMemory {
  pid_t process;
  std::uint64_t address;
};

/// Copies from there. 0, or what the kernel says if it refuses.
int read_memory(const ProcessMemory& from, char* to, std::size_t bytes);

/// Seconds that it takes to read so many bytes there: by size, in turn, and try; nothing if the
/// kernel refuses. `meet` comes before each.
std::vector<std::vector<double>> reading_times(const ProcessMemory& from,
                                               const std::vector<std::size_t>& sizes, int tries,
                                               const std::function<void()>& meet);

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
