#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace tutti::core {

/// Messages between the ranks of one node, through memory that they share.
///
/// From each rank to each there is a ring of lines, two cache lines each. A message of a few bytes
/// travels in its line, in the first cache line if it fits; a larger one stands on its sender's
/// board, a ring of bytes that all may read, written once for as many receivers as it has; a large
/// one may stay where it is, and its receiver reads it there with the kernel's help (cross-memory
/// attach): one copy. Messages of a pair come in the order they were sent; there is no matching.
/// Memory is touched when it is used first.
///
/// Knows no MPI: who shares the memory, and which process is who, is told by those who do.
class Channels {
 public:
  /// Bytes of memory that `ranks` share, zero before the first use.
  static std::size_t memory_for(int ranks);

  /// `processes`: the ranks' process ids. `attaches`: the kernel lets them read each other's
  /// memory; `reading`: what that takes for a byte, in copies. `sleeps`: there are more of them
  /// than cores, so that who waits must not spin.
  Channels(void* memory, int rank, std::vector<pid_t> processes, bool attaches, double reading,
           bool sleeps);

  /// A message that has come, until it is consumed.
  struct Message {
    std::uint32_t call = 0;
    bool is_last = true;  // nothing more of the same belongs to it
    std::size_t bytes = 0;
    /// Where it stands, readable here; null: in its sender's memory, see read.
    const char* memory = nullptr;
    std::uint64_t address = 0;  // there
  };

  /// So many that a sender seldom has to look whether its readers have read.
  static constexpr std::uint32_t lines_of_pair = 32;
  static constexpr std::size_t line_bytes = 112;          // that travel in a line
  static constexpr std::size_t board_bytes = 256 << 10;   // of a rank
  static constexpr std::size_t most_on_board = 32 << 10;  // of a message

  bool attaches() const { return attaches_; }
  double reading() const { return reading_; }
  int size() const { return ranks_; }

  /// There is a line for another message to that rank.
  bool has_line(int to) {
    // What the other has read is looked up in its cache line only when it matters.
    if (sent_[to] - acked_[to] < lines_of_pair) return true;
    acked_[to] = acks_to_me(to).load(std::memory_order_acquire);
    return sent_[to] - acked_[to] < lines_of_pair;
  }
  /// Where a message of at most line_bytes is to be written, before send_line.
  char* line(int to) { return next_line(to).payload; }
  void send_line(int to, std::uint32_t call, std::size_t bytes);
  /// Room for a message on the board; null if others must read theirs first.
  char* board(std::size_t bytes);
  /// Sends what stands on the board, written there last; once for each receiver.
  void send_board(int to, std::uint32_t call, const char* memory, std::size_t bytes, bool is_last);
  /// Sends what stands in this rank's memory; it must stay until is_read.
  std::uint64_t send_address(int to, std::uint32_t call, const char* memory, std::size_t bytes,
                             bool is_last);
  bool is_read(int by, std::uint64_t number) const {
    return acks_to_me(by).load(std::memory_order_acquire) >= number;
  }
  /// Room on the board has been given back, or may have been.
  bool board_moves() const {
    return use_count_ == 0 || is_read(uses_[first_use_].by, uses_[first_use_].number);
  }

  /// The next message of a rank, if it has come.
  bool peek(int from, Message& message) const;
  /// Copies a part of a message that stands in its sender's memory. Returns false if the kernel
  /// refuses.
  bool read(int from, const Message& message, std::size_t offset, char* to, std::size_t bytes);
  /// What the kernel said when it refused since this was asked last; 0: it did not.
  int take_refusal() { return std::exchange(refusal_, 0); }
  /// Its sender may use the line, and the memory, again.
  void consume(int from);

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
  bool sleeps() const { return sleeps_; }

  /// After a call that failed, messages of it may still come that nobody asks for.
  void note_failure() { has_failed_ = true; }
  bool has_failed() const { return has_failed_; }

 private:
  enum Kind : std::uint8_t { in_line, on_board, by_address };
  struct alignas(128) Line {
    std::atomic<std::uint32_t> number;  // of the message, from 1: as much as fits
    std::uint32_t bytes;
    std::uint32_t call;
    Kind kind;
    bool is_last;
    alignas(16) char payload[line_bytes];  // or where it stands
  };
  static_assert(sizeof(Line) == 128);
  struct alignas(64) Ack {
    std::atomic<std::uint64_t> number;  // of the last message read
  };
  enum Sleep : std::uint32_t { awake, asleep, asleep_for_reads };
  struct alignas(64) Bell {
    std::atomic<std::uint32_t> rings, asleep;
    std::atomic<std::int32_t> missing;  // messages
  };
  struct Use {  // of the board, in the order written
    std::uint64_t begin;
    int by;
    std::uint64_t number;
  };

  Line* pair(int from, int to) const {
    return memory_ + (static_cast<std::size_t>(to) * ranks_ + from) * lines_of_pair;
  }
  std::atomic<std::uint64_t>& acks_to_me(int by) const {
    return acks_[static_cast<std::size_t>(by) * ranks_ + rank_].number;
  }
  /// Where a message of a pair stands. Pairs begin at different lines: a cache would keep those
  /// that are as far from the beginning of their rings in the same few places.
  Line& line_of(int from, int to, std::uint64_t number) const {
    return pair(from, to)[(number + static_cast<std::uint64_t>(from)) % lines_of_pair];
  }
  Line& next_line(int to) const { return line_of(rank_, to, sent_[to] + 1); }
  char* board_of(int rank) const { return boards_ + static_cast<std::size_t>(rank) * board_bytes; }
  std::uint64_t publish(int to, std::uint32_t call, Kind kind, std::size_t bytes, bool is_last);
  static void wait(Bell& bell, std::uint32_t before);
  static void ring(Bell& bell);
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

  const int rank_, ranks_;
  const std::vector<pid_t> processes_;
  const bool attaches_, sleeps_;
  const double reading_;
  Bell* bells_;
  Line* memory_;
  Ack* acks_;
  char* boards_;
  std::vector<std::uint64_t> sent_, received_;     // by rank: messages so far
  std::vector<std::uint64_t> acked_;               // of those sent, known to be read
  std::uint64_t board_head_ = 0, board_last_ = 0;  // where the next begins, and the last did
  std::vector<Use> uses_;                          // a ring
  std::size_t first_use_ = 0, use_count_ = 0;
  bool has_failed_ = false;
  int refusal_ = 0;
};

}  // namespace tutti::core
