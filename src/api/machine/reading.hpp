#pragma once

// Reading in a neighbour's memory, and how long that takes: for the library's choice of a way
// within a node, and for what the command measures.

#include <sys/types.h>
#include <sys/uio.h>

#include <chrono>
#include <cstddef>

namespace tutti::core {

/// Memory of another process of this node.
struct NeighboursMemory {
  pid_t process;
  const void* address;
};

/// False if the kernel does not allow it, or if there is no such memory.
inline bool read_neighbour(const NeighboursMemory& from, void* to, std::size_t bytes) {
  const iovec here{to, bytes}, there{const_cast<void*>(from.address), bytes};
  return process_vm_readv(from.process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

/// Seconds.
template <class Work>
double time_of(Work&& work) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Seconds that it takes to read there; negative if that does not work.
inline double time_reading(const NeighboursMemory& from, void* to, std::size_t bytes) {
  bool works = false;
  const double seconds = time_of([&] { works = read_neighbour(from, to, bytes); });
  return works ? seconds : -1;
}

}  // namespace tutti::core
