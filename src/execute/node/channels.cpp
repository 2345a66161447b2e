// Messages between the ranks of a node, through memory that they share.

#include "execute/node/channels.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

namespace tutti::core {

namespace {

constexpr std::size_t page = 4096;

constexpr std::size_t rounded(std::size_t bytes) { return (bytes + page - 1) / page * page; }

/// Uses of the board that are remembered; more make a sender wait.
constexpr std::size_t most_uses = 4096;

/// The MPI, too, must go on while a rank waits here.
constexpr long longest_sleep_ns = 100'000;

}  // namespace

std::size_t Channels::memory_for(int ranks) {
  const auto k = static_cast<std::size_t>(ranks);
  return rounded(k * sizeof(Bell)) + rounded(k * k * lines_of_pair * sizeof(Line)) +
         rounded(k * k * sizeof(Ack)) + k * board_bytes;
}

Channels::Channels(void* memory, int rank, std::vector<pid_t> processes, bool attaches,
                   double reading, bool sleeps)
    : rank_(rank),
      ranks_(static_cast<int>(processes.size())),
      processes_(std::move(processes)),
      attaches_(attaches),
      sleeps_(sleeps),
      reading_(reading),
      sent_(processes_.size()),
      received_(processes_.size()),
      acked_(processes_.size()),
      uses_(most_uses) {
  const auto k = static_cast<std::size_t>(ranks_);
  char* at = static_cast<char*>(memory);
  bells_ = reinterpret_cast<Bell*>(at);
  at += rounded(k * sizeof(Bell));
  memory_ = reinterpret_cast<Line*>(at);
  at += rounded(k * k * lines_of_pair * sizeof(Line));
  acks_ = reinterpret_cast<Ack*>(at);
  at += rounded(k * k * sizeof(Ack));
  boards_ = at;
}

std::uint64_t Channels::publish(int to, std::uint32_t call, Kind kind, std::size_t bytes,
                                bool is_last) {
  Line& line = next_line(to);
  line.bytes = static_cast<std::uint32_t>(bytes);
  line.call = call;
  line.kind = kind;
  line.is_last = is_last;
  line.number.store(static_cast<std::uint32_t>(++sent_[to]), std::memory_order_release);
  tell_sent(to, kind == by_address);
  return sent_[to];
}

void Channels::send_line(int to, std::uint32_t call, std::size_t bytes) {
  publish(to, call, in_line, bytes, true);
}

char* Channels::board(std::size_t bytes) {
  while (use_count_ > 0 && is_read(uses_[first_use_].by, uses_[first_use_].number)) {
    first_use_ = (first_use_ + 1) % most_uses;
    --use_count_;
  }
  // Each receiver is a use, of all ranks at most.
  if (use_count_ + static_cast<std::size_t>(ranks_) > most_uses) return nullptr;
  const std::uint64_t size = (bytes + 63) / 64 * 64;
  std::uint64_t from = board_head_;
  // A board that nobody reads is begun anew: its first bytes are the warmest.
  if (use_count_ == 0 && from % board_bytes != 0) from += board_bytes - from % board_bytes;
  if (from % board_bytes + size > board_bytes) from += board_bytes - from % board_bytes;
  const std::uint64_t in_use = use_count_ > 0 ? uses_[first_use_].begin : from;
  if (from + size - in_use > board_bytes) return nullptr;
  board_last_ = from;
  board_head_ = from + size;
  return board_of(rank_) + from % board_bytes;
}

void Channels::send_board(int to, std::uint32_t call, const char* memory, std::size_t bytes,
                          bool is_last) {
  const std::uint64_t offset = static_cast<std::uint64_t>(memory - board_of(rank_));
  std::memcpy(next_line(to).payload, &offset, sizeof offset);
  const std::uint64_t number = publish(to, call, on_board, bytes, is_last);
  uses_[(first_use_ + use_count_++) % most_uses] = {board_last_, to, number};
}

std::uint64_t Channels::send_address(int to, std::uint32_t call, const char* memory,
                                     std::size_t bytes, bool is_last) {
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  std::memcpy(next_line(to).payload, &address, sizeof address);
  return publish(to, call, by_address, bytes, is_last);
}

bool Channels::peek(int from, Message& message) const {
  const auto number = static_cast<std::uint32_t>(received_[from] + 1);
  const Line& line = line_of(from, rank_, received_[from] + 1);
  if (line.number.load(std::memory_order_acquire) != number) return false;
  message.call = line.call;
  message.is_last = line.is_last;
  message.bytes = line.bytes;
  message.memory = line.payload;
  if (line.kind != in_line) {
    std::memcpy(&message.address, line.payload, sizeof message.address);
    message.memory = line.kind == on_board ? board_of(from) + message.address : nullptr;
  }
  return true;
}

bool Channels::read(int from, const Message& message, std::size_t offset, char* to,
                    std::size_t bytes) {
  while (bytes > 0) {
    const iovec mine{to, bytes};
    const iovec theirs{reinterpret_cast<void*>(message.address + offset), bytes};
    const ssize_t done = process_vm_readv(processes_[from], &mine, 1, &theirs, 1, 0);
    if (done <= 0) {
      refusal_ = done < 0 ? errno : EFAULT;
      return false;
    }
    to += done;
    offset += static_cast<std::size_t>(done);
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

void Channels::consume(int from) {
  acks_[static_cast<std::size_t>(rank_) * ranks_ + from].number.store(++received_[from],
                                                                      std::memory_order_release);
  tell_read(from);
}

void Channels::wait(Bell& bell, std::uint32_t before) {
  const timespec most{0, longest_sleep_ns};
  syscall(SYS_futex, &bell.rings, FUTEX_WAIT, before, &most, nullptr, 0);
}

void Channels::ring(Bell& bell) {
  bell.rings.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &bell.rings, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace tutti::core
