// What no collective within a node can beat: a cache line's way to another core and back, and a
// plain copy of bytes that another core has just written. Prints JSON.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> samples) {
  std::ranges::nth_element(samples, samples.begin() + samples.size() / 2);
  return samples[samples.size() / 2];
}

struct alignas(64) Ball {
  std::atomic<unsigned> number{0};
};

/// Seconds that a line takes there and back.
double round_trip() {
  constexpr unsigned turns = 20000;
  constexpr int repetitions = 21;
  std::vector<double> samples;
  for (int i = 0; i < repetitions; ++i) {
    Ball there, back;
    std::thread other([&] {
      for (unsigned turn = 1; turn <= turns; ++turn) {
        while (there.number.load(std::memory_order_acquire) != turn) {
        }
        back.number.store(turn, std::memory_order_release);
      }
    });
    const auto begin = Clock::now();
    for (unsigned turn = 1; turn <= turns; ++turn) {
      there.number.store(turn, std::memory_order_release);
      while (back.number.load(std::memory_order_acquire) != turn) {
      }
    }
    samples.push_back(seconds_since(begin) / turns);
    other.join();
  }
  return median(samples);
}

/// Seconds that one core takes to copy bytes that another has just written.
double copy(std::size_t bytes) {
  std::vector<char> from(bytes), to(bytes);
  const int repetitions = bytes > (1u << 20) ? 15 : 201;
  Ball written, copied;
  std::thread other([&] {
    for (int i = 1; i <= repetitions; ++i) {
      std::memset(from.data(), i, bytes);
      written.number.store(static_cast<unsigned>(i), std::memory_order_release);
      while (copied.number.load(std::memory_order_acquire) != static_cast<unsigned>(i)) {
      }
    }
  });
  std::vector<double> samples;
  for (int i = 1; i <= repetitions; ++i) {
    while (written.number.load(std::memory_order_acquire) != static_cast<unsigned>(i)) {
    }
    const auto begin = Clock::now();
    std::memcpy(to.data(), from.data(), bytes);
    samples.push_back(seconds_since(begin));
    copied.number.store(static_cast<unsigned>(i), std::memory_order_release);
  }
  other.join();
  return median(samples);
}

}  // namespace

int main() {
  fmt::print("{{\"cores\": {}, \"round_trip_us\": {:.4f}, \"copy_us\": {{",
             std::thread::hardware_concurrency(), round_trip() * 1e6);
  const char* separator = "";
  for (std::size_t bytes = 1024; bytes <= (64u << 20); bytes *= 4) {
    fmt::print("{}\"{}\": {:.4f}", separator, bytes, copy(bytes) * 1e6);
    separator = ", ";
  }
  fmt::print("}}}}\n");
}
