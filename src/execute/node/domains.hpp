// Which parts of its node a process is bound to.
#pragma once

#include <sched.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace tutti::core {

/// What holds all cpus that a process may run on: the last cache, memory that is near, a package.
/// Equal numbers mean the same one; 0: it may leave it, or the system does not tell.
struct DomainsHere {
  enum Level : std::uint8_t { cache, memory, package };
  static constexpr int levels = 3;

  std::array<std::uint16_t, levels> at{};
};

/// From some small files: to load what hwloc knows of a large node would take longer than a program
/// may wait for in MPI_Init.
DomainsHere domains_of(const cpu_set_t& cpus,
                       const std::filesystem::path& system = "/sys/devices/system");

/// The nearest level that tells something of a node's ranks: each is bound to one of several
/// domains, and some share one. None if none does.
std::optional<DomainsHere::Level> nearest_level(const std::vector<DomainsHere>& ranks);

}  // namespace tutti::core
