#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "execute/node/bells.hpp"
#include "execute/node/board.hpp"
#include "execute/node/neighbour_memory.hpp"
#include "execute/node/pair_lines.hpp"

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
    /// Where it stands, readable here; null: in its sender's memory, see neighbours().
    const char* memory = nullptr;
    std::uint64_t address = 0;  // there
  };

  int size() const { return ranks_; }

  /// There is a line for another message to that rank.
  bool has_line(int to) {
    // What the other has read is looked up in its cache line only when it matters.
    if (sent_[to] - acked_[to] < PairLines::of_pair) return true;
    acked_[to] = lines_.ack(rank_, to).load(std::memory_order_acquire);
    return sent_[to] - acked_[to] < PairLines::of_pair;
  }
  /// Where a message of at most PairLines::line_bytes is to be written, before send_line.
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
    return lines_.ack(rank_, by).load(std::memory_order_acquire) >= number;
  }
  /// Room on the board has been given back, or may have been.
  bool board_moves() const {
    return board_.moves([this](int by, std::uint64_t number) { return is_read(by, number); });
  }

  /// The next message of a rank, if it has come.
  bool peek(int from, Message& message) const;
  /// Its sender may use the line, and the memory, again.
  void consume(int from);

  /// Who waits sleeps there, if it must not spin.
  Bells& bells() { return bells_; }
  /// Reads messages that stay where they are.
  NeighbourMemory& neighbours() { return neighbours_; }

  /// After a call that failed, messages of it may still come that nobody asks for.
  void note_failure() { has_failed_ = true; }
  bool has_failed() const { return has_failed_; }

 private:
  PairLines::Line& next_line(int to) const { return lines_.line(rank_, to, sent_[to] + 1); }
  std::uint64_t publish(int to, std::uint32_t call, PairLines::Kind kind, std::size_t bytes,
                        bool is_last);

  const int rank_, ranks_;
  bool has_failed_ = false;
  PairLines lines_;
  Bells bells_;
  std::vector<std::uint64_t> sent_, received_;  // by rank: messages so far
  std::vector<std::uint64_t> acked_;            // of those sent, known to be read
  Board board_;
  NeighbourMemory neighbours_;
};

}  // namespace tutti::core
