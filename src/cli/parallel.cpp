// Work on several threads, and how far it is.

#include "cli/parallel.hpp"

#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "cli/commands.hpp"
#include "cli/progress.hpp"

namespace tutti::core::cli {

void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                 const std::function<std::string(std::size_t)>& name) {
  Progress progress(is_terminal(STDERR_FILENO));
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto thread = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        work(i);
        const std::string what = name(i);
        const std::scoped_lock lock(mutex);
        progress.show(static_cast<double>(++done), static_cast<double>(count), what);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < jobs; ++i) threads.emplace_back(thread);
  threads.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tutti::core::cli
