// Where a rank writes what several neighbours may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "topology/transport.hpp"

namespace tutti::core {

/// A rank's board: a ring of bytes in memory that the ranks of its node share. Each message that
/// refers to it is a use; its room is given back when all before it, and it, were read.
class Board {
 public:
  static constexpr std::size_t size = 256 << 10;  // of each rank's
  static constexpr auto most_of_message = static_cast<std::size_t>(Transport::piece);  // bytes

  /// `boards`: of all ranks.
  Board(char* boards, int rank, int ranks)
      : boards_(boards), mine_(board_of(rank)), ranks_(ranks), uses_(most_uses) {}

  /// Room for a message; null if others must read theirs first. `is_read(by, number)`: that rank
  /// has read that message.
  template <class IsRead>
  char* room(std::size_t bytes, IsRead&& is_read) {
    while (use_count_ > 0 && is_read(uses_[first_use_].by, uses_[first_use_].number)) {
      first_use_ = (first_use_ + 1) % most_uses;
      --use_count_;
    }
    // Each receiver is a use, of all ranks at most.
    if (use_count_ + static_cast<std::size_t>(ranks_) > most_uses) return nullptr;
    const std::uint64_t needed = (bytes + 63) / 64 * 64;
    std::uint64_t from = head_;
    // A board that nobody reads is begun anew: its first bytes are the warmest.
    if (use_count_ == 0 && from % size != 0) from += size - from % size;
    if (from % size + needed > size) from += size - from % size;
    const std::uint64_t in_use = use_count_ > 0 ? uses_[first_use_].begin : from;
    if (from + needed - in_use > size) return nullptr;
    last_ = from;
    head_ = from + needed;
    return mine_ + from % size;
  }
  /// What stands there since room was found last is read by that rank, as that message.
  void use(int by, std::uint64_t number) {
    uses_[(first_use_ + use_count_++) % most_uses] = {last_, by, number};
  }
  /// Room has been given back, or may have been.
  template <class IsRead>
  bool moves(IsRead&& is_read) const {
    return use_count_ == 0 || is_read(uses_[first_use_].by, uses_[first_use_].number);
  }

  std::uint64_t offset_of(const char* memory) const {
    return static_cast<std::uint64_t>(memory - mine_);
  }
  /// On another's board.
  const char* at(int rank, std::uint64_t offset) const { return board_of(rank) + offset; }

 private:
  /// Uses that are remembered; more make a sender wait.
  static constexpr std::size_t most_uses = 4096;
  struct Use {  // in the order written
    std::uint64_t begin;
    int by;
    std::uint64_t number;
  };

  char* board_of(int rank) const { return boards_ + static_cast<std::size_t>(rank) * size; }

  char* const boards_;
  char* const mine_;
  const int ranks_;
  std::uint64_t head_ = 0, last_ = 0;  // where the next begins, and the last did
  std::vector<Use> uses_;              // a ring
  std::size_t first_use_ = 0, use_count_ = 0;
};

}  // namespace tutti::core
