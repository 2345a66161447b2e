// How ranks of a node sleep, and wake each other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tutti::core {

/// A bell for each rank, in memory that they share. Only rung where ranks outnumber cores, so that
/// who waits must not spin.
class Bells {
 public:
  static constexpr std::size_t memory_for(std::size_t ranks) { return ranks * sizeof(Bell); }

  Bells(void* memory, int rank, bool sleeps)
      : rank_(rank), sleeps_(sleeps), bells_(static_cast<Bell*>(memory)) {}

  /// Who waits sleeps.
  bool sleeps() const { return sleeps_; }
  /// Sleeps until `messages` have come, or one that its sender must not wait with, or, if
  /// `for_reads`, somebody has read something; for a short time at most. Not at all if `is_ready`
  /// after having told that it is about to.
  template <class IsReady>
  void sleep(int messages, bool for_reads, IsReady&& is_ready) {
    Bell& mine = bells_[rank_];
    const std::uint32_t before = mine.rings.load(std::memory_order_acquire);
    mine.missing.store(messages, std::memory_order_relaxed);
    mine.asleep.store(for_reads ? asleep_for_reads : asleep, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!is_ready()) wait(mine, before);
    mine.asleep.store(awake, std::memory_order_relaxed);
  }

  void tell_sent(int to, bool is_urgent) const {
    if (!sleeps_) return;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    Bell& bell = bells_[to];
    if (bell.asleep.load(std::memory_order_relaxed) == awake) return;
    if (bell.missing.fetch_sub(1, std::memory_order_relaxed) <= 1 || is_urgent) ring(bell);
  }
  void tell_read(int from) const {
    if (!sleeps_) return;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (bells_[from].asleep.load(std::memory_order_relaxed) == asleep_for_reads) ring(bells_[from]);
  }

 private:
  enum Sleep : std::uint32_t { awake, asleep, asleep_for_reads };
  struct alignas(64) Bell {
    std::atomic<std::uint32_t> rings, asleep;
    std::atomic<std::int32_t> missing;  // messages
  };
  static void wait(Bell& bell, std::uint32_t before);
  static void ring(Bell& bell);

  const int rank_;
  const bool sleeps_;
  Bell* const bells_;
};

}  // namespace tutti::core
