// Messages between the ranks of a node, through memory that they share.

#include "execute/node/channels.hpp"

#include <cstring>
#include <utility>

namespace tutti::core {

namespace {

constexpr std::size_t page = 4096;

constexpr std::size_t rounded(std::size_t bytes) { return (bytes + page - 1) / page * page; }

/// Where the lines begin behind the bells, and the boards behind the lines.
constexpr std::size_t lines_from(std::size_t ranks) { return rounded(Bells::memory_for(ranks)); }
constexpr std::size_t boards_from(std::size_t ranks) {
  return lines_from(ranks) + rounded(PairLines::memory_for(ranks));
}

}  // namespace

std::size_t Channels::memory_for(int ranks) {
  const auto k = static_cast<std::size_t>(ranks);
  return boards_from(k) + k * Board::size;
}

Channels::Channels(void* memory, int rank, std::vector<pid_t> processes, bool attaches,
                   double reading, bool sleeps)
    : rank_(rank),
      ranks_(static_cast<int>(processes.size())),
      lines_(static_cast<char*>(memory) + lines_from(processes.size()), ranks_),
      bells_(memory, rank, sleeps),
      sent_(processes.size()),
      received_(processes.size()),
      acked_(processes.size()),
      board_(static_cast<char*>(memory) + boards_from(processes.size()), rank, ranks_),
      neighbours_(std::move(processes), attaches, reading) {}

std::uint64_t Channels::publish(int to, std::uint32_t call, PairLines::Kind kind, std::size_t bytes,
                                bool is_last) {
  PairLines::Line& line = next_line(to);
  line.bytes = static_cast<std::uint32_t>(bytes);
  line.call = call;
  line.kind = kind;
  line.is_last = is_last;
  line.number.store(static_cast<std::uint32_t>(++sent_[to]), std::memory_order_release);
  bells_.tell_sent(to, kind == PairLines::by_address);
  return sent_[to];
}

void Channels::send_line(int to, std::uint32_t call, std::size_t bytes) {
  publish(to, call, PairLines::in_line, bytes, true);
}

char* Channels::board(std::size_t bytes) {
  return board_.room(bytes, [this](int by, std::uint64_t number) { return is_read(by, number); });
}

void Channels::send_board(int to, std::uint32_t call, const char* memory, std::size_t bytes,
                          bool is_last) {
  const std::uint64_t offset = board_.offset_of(memory);
  std::memcpy(next_line(to).payload, &offset, sizeof offset);
  board_.use(to, publish(to, call, PairLines::on_board, bytes, is_last));
}

std::uint64_t Channels::send_address(int to, std::uint32_t call, const char* memory,
                                     std::size_t bytes, bool is_last) {
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  std::memcpy(next_line(to).payload, &address, sizeof address);
  return publish(to, call, PairLines::by_address, bytes, is_last);
}

bool Channels::peek(int from, Message& message) const {
  const auto number = static_cast<std::uint32_t>(received_[from] + 1);
  const PairLines::Line& line = lines_.line(from, rank_, received_[from] + 1);
  if (line.number.load(std::memory_order_acquire) != number) return false;
  message.call = line.call;
  message.is_last = line.is_last;
  message.bytes = line.bytes;
  message.memory = line.payload;
  if (line.kind != PairLines::in_line) {
    std::memcpy(&message.address, line.payload, sizeof message.address);
    message.memory = line.kind == PairLines::on_board ? board_.at(from, message.address) : nullptr;
  }
  return true;
}

void Channels::consume(int from) {
  lines_.ack(from, rank_).store(++received_[from], std::memory_order_release);
  bells_.tell_read(from);
}

}  // namespace tutti::core
