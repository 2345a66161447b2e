// The lines that announce messages between ranks of a node.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tutti::core {

/// From each rank to each a ring of lines, two cache lines each, and how far it was read; in memory
/// that they share.
class PairLines {
 public:
  /// So many that a sender seldom has to look whether its readers have read.
  static constexpr std::uint32_t of_pair = 32;
  static constexpr std::size_t line_bytes = 112;  // that travel in a line

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

  static constexpr std::size_t memory_for(std::size_t ranks) {
    return ranks * ranks * (of_pair * sizeof(Line) + sizeof(Ack));
  }

  PairLines(char* memory, int ranks)
      : ranks_(ranks),
        lines_(reinterpret_cast<Line*>(memory)),
        acks_(reinterpret_cast<Ack*>(lines_ + pair(0, ranks) * of_pair)) {}

  /// Where a message of a pair stands. Pairs begin at different lines: a cache would keep those
  /// that are as far from the beginning of their rings in the same few places.
  Line& line(int from, int to, std::uint64_t number) const {
    return lines_[pair(from, to) * of_pair + (number + static_cast<std::uint64_t>(from)) % of_pair];
  }
  /// The last message that was read.
  std::atomic<std::uint64_t>& ack(int from, int by) const { return acks_[pair(from, by)].number; }

 private:
  struct alignas(64) Ack {
    std::atomic<std::uint64_t> number;
  };

  /// A pair's place: those to one rank stand together.
  std::size_t pair(int from, int to) const { return static_cast<std::size_t>(to) * ranks_ + from; }

  const int ranks_;
  Line* const lines_;
  Ack* const acks_;
};

}  // namespace tutti::core
