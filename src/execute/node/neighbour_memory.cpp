// Reading a neighbour's memory, until all is here.

#include "execute/node/neighbour_memory.hpp"

#include <sys/uio.h>

#include <cerrno>

namespace tutti::core {

bool NeighbourMemory::read(int from, std::uint64_t address, char* to, std::size_t bytes) {
  while (bytes > 0) {
    const iovec mine{to, bytes};
    const iovec theirs{reinterpret_cast<void*>(address), bytes};
    const ssize_t done = process_vm_readv(processes_[from], &mine, 1, &theirs, 1, 0);
    if (done <= 0) {
      refusal_ = done < 0 ? errno : EFAULT;
      return false;
    }
    to += done;
    address += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace tutti::core
