// Reading a neighbour's memory, until all is here, and how long that takes.

#include "execute/node/neighbour_memory.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace tutti::core {

int read_memory(const ProcessMemory& from, char* to, std::size_t bytes) {
  for (std::size_t read = 0; read < bytes;) {
    const iovec mine{to + read, bytes - read};
    const iovec theirs{reinterpret_cast<void*>(from.address + read), bytes - read};
    const ssize_t done = process_vm_readv(from.process, &mine, 1, &theirs, 1, 0);
    if (done <= 0) return done < 0 ? errno : EFAULT;
    read += static_cast<std::size_t>(done);
  }
  return 0;
}

std::vector<std::vector<double>> reading_times(const ProcessMemory& from,
                                               const std::vector<std::size_t>& sizes, int tries,
                                               const std::function<void()>& meet) {
  using Clock = std::chrono::steady_clock;
  std::vector<char> here(*std::max_element(sizes.begin(), sizes.end()));
  std::vector<std::vector<double>> seconds(sizes.size());
  bool works = true;
  for (int i = 0; i < tries; ++i)
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      meet();  // even if it does not work here: others may wait
      const auto begin = Clock::now();
      works = read_memory(from, here.data(), sizes[k]) == 0 && works;
      seconds[k].push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
  if (!works) seconds.clear();
  return seconds;
}

bool NeighbourMemory::read(int from, std::uint64_t address, char* to, std::size_t bytes) {
  const int error = read_memory({processes_[from], address}, to, bytes);
  if (error != 0) refusal_ = error;
  return error == 0;
}

}  // namespace tutti::core
