// Sleeping and waking, with the kernel's help.

#include "execute/node/bells.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace tutti::core {

namespace {

/// The MPI, too, must go on while a rank waits here.
constexpr long longest_sleep_ns = 100'000;

}  // namespace

void Bells::wait(Bell& bell, std::uint32_t before) {
  const timespec most{0, longest_sleep_ns};
  syscall(SYS_futex, &bell.rings, FUTEX_WAIT, before, &most, nullptr, 0);
}

void Bells::ring(Bell& bell) {
  bell.rings.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &bell.rings, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace tutti::core
