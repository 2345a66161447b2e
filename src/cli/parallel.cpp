#include "cli/parallel.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

#include "cli/commands.hpp"

namespace tutti::core::cli {
namespace {

/// A line that rewrites itself.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), shown_(is_terminal(STDERR_FILENO)) {}
  ~Progress() {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
  }

  void step(const std::string& name) {
    if (!shown_) return;
    const std::scoped_lock lock(mutex_);
    const std::size_t percent = 100 * ++done_ / total_;
    std::cerr << fmt::format("\r\033[K[{:<25}] {:>3} %  {}", std::string(percent / 4, '='), percent,
                             name)
              << std::flush;
  }

 private:
  const std::size_t total_;
  const bool shown_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace

void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                 const std::function<std::string(std::size_t)>& name) {
  Progress progress(count);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto thread = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        work(i);
        progress.step(name(i));
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
