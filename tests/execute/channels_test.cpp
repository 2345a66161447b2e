// Channels between processes that share memory, as ranks of a node do.

#include "execute/node/channels.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <memory>

namespace tutti::core {
namespace {

using Message = Channels::Message;

/// Memory shared by this process and those it starts.
class Node {
 public:
  explicit Node(int ranks) : bytes_(Channels::memory_for(ranks)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  }
  ~Node() { munmap(memory_, bytes_); }
  void* memory() const { return memory_; }

 private:
  std::size_t bytes_;
  void* memory_;
};

/// Two ends in one process.
struct Both {
  explicit Both(int ranks = 2) : node(ranks) {
    for (int rank = 0; rank < ranks; ++rank)
      ends.push_back(std::make_unique<Channels>(
          node.memory(), rank, std::vector<pid_t>(ranks, getpid()), true, 1, false));
  }
  Channels& operator[](int rank) { return *ends[rank]; }
  Node node;
  std::vector<std::unique_ptr<Channels>> ends;
};

void send_text(Channels& from, int to, const std::string& text, std::uint32_t call = 0) {
  std::memcpy(from.line(to), text.data(), text.size());
  from.send_line(to, call, text.size());
}

TEST(Channels, MessagesComeInTheirOrder) {
  Both both;
  Message message;
  EXPECT_FALSE(both[1].peek(0, message));
  send_text(both[0], 1, "first", 7);
  send_text(both[0], 1, "second", 8);
  for (const auto& [text, call] : {std::pair{"first", 7u}, {"second", 8u}}) {
    ASSERT_TRUE(both[1].peek(0, message));
    EXPECT_EQ(std::string(message.memory, message.bytes), text);
    EXPECT_EQ(message.call, call);
    both[1].consume(0);
  }
  EXPECT_FALSE(both[1].peek(0, message));
  EXPECT_FALSE(both[0].peek(1, message)) << "the other way is another channel";
}

TEST(Channels, AnEmptyMessageIsOne) {
  Both both;
  both[0].send_line(1, 3, 0);
  Message message;
  ASSERT_TRUE(both[1].peek(0, message));
  EXPECT_EQ(message.bytes, 0u);
}

TEST(Channels, LinesAreBoundedAndUsedAgain) {
  Both both;
  Message message;
  int sent = 0, received = 0;
  for (; both[0].has_line(1); ++sent) send_text(both[0], 1, std::to_string(sent));
  EXPECT_EQ(sent, static_cast<int>(PairLines::of_pair));
  for (; received < 1000; ++received) {
    ASSERT_TRUE(both[1].peek(0, message));
    EXPECT_EQ(std::string(message.memory, message.bytes), std::to_string(received));
    both[1].consume(0);
    ASSERT_TRUE(both[0].has_line(1));
    send_text(both[0], 1, std::to_string(sent++));
    EXPECT_FALSE(both[0].has_line(1));
  }
}

// What is written once is read by two; its place is free only when the slower one has read it.
TEST(Channels, TheBoardWaitsForTheLastReader) {
  Both both(3);
  constexpr std::size_t bytes = Board::size / 4;
  char* const first = both[0].board(bytes);
  ASSERT_NE(first, nullptr);
  std::memset(first, 'a', bytes);
  both[0].send_board(1, 0, first, bytes, true);
  both[0].send_board(2, 0, first, bytes, true);
  for (int i = 0; i < 3; ++i) {
    char* const more = both[0].board(bytes);
    ASSERT_NE(more, nullptr) << i;
    both[0].send_board(1, 0, more, bytes, true);
  }
  EXPECT_EQ(both[0].board(bytes), nullptr);
  for (int i = 0; i < 4; ++i) both[1].consume(0);
  EXPECT_EQ(both[0].board(bytes), nullptr) << "rank 2 has not read the first";
  Message message;
  ASSERT_TRUE(both[2].peek(0, message));
  EXPECT_EQ(message.bytes, bytes);
  EXPECT_EQ(message.memory[bytes - 1], 'a');
  both[2].consume(0);
  EXPECT_EQ(both[0].board(bytes), first);
}

TEST(Channels, WhatIsOfferedStaysUntilItIsRead) {
  Both both;
  std::vector<char> data(100'000, 'x'), copy(data.size());
  const std::uint64_t number = both[0].send_address(1, 0, data.data(), data.size(), true);
  EXPECT_FALSE(both[0].is_read(1, number));
  Message message;
  ASSERT_TRUE(both[1].peek(0, message));
  ASSERT_EQ(message.memory, nullptr);
  ASSERT_TRUE(both[1].neighbours().read(0, message.address, copy.data(), 60'000));
  ASSERT_TRUE(both[1].neighbours().read(0, message.address + 60'000, copy.data() + 60'000, 40'000));
  EXPECT_EQ(copy, data);
  EXPECT_FALSE(both[0].is_read(1, number));
  both[1].consume(0);
  EXPECT_TRUE(both[0].is_read(1, number));
}

TEST(Channels, AWrongAddressIsNoCrash) {
  Both both;
  both[0].send_address(1, 0, nullptr, 64, true);
  Message message;
  ASSERT_TRUE(both[1].peek(0, message));
  char byte;
  EXPECT_FALSE(both[1].neighbours().read(0, message.address, &byte, 1));
}

/// Runs each rank in a process of its own; all must end with success.
void in_processes(int ranks, bool sleeps, const std::function<bool(Channels&, int)>& work) {
  const Node node(ranks);
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);  // who hangs must not hang the test
      Channels mine(node.memory(), rank, std::vector<pid_t>(ranks, getpid()), false, 1, sleeps);
      _exit(work(mine, rank) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

void wait_for(Channels& mine, int from, Message& message) {
  while (!mine.peek(from, message)) {
    if (mine.bells().sleeps())
      mine.bells().sleep(1, false, [&] { return mine.peek(from, message); });
    else
      sched_yield();
  }
}

// A number goes round; each adds one. With and without sleep, and with more ranks than cores.
TEST(Channels, ANumberGoesRound) {
  for (const bool sleeps : {false, true})
    for (const int ranks : {2, 5}) {
      constexpr int turns = 500;
      in_processes(ranks, sleeps, [ranks](Channels& mine, int rank) {
        const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
        Message message;
        long number = 0;
        for (int turn = 0; turn < turns; ++turn) {
          if (rank > 0 || turn > 0) {
            wait_for(mine, before, message);
            std::memcpy(&number, message.memory, sizeof number);
            mine.consume(before);
          }
          ++number;
          std::memcpy(mine.line(next), &number, sizeof number);
          mine.send_line(next, 0, sizeof number);
        }
        return number == static_cast<long>(turns - 1) * ranks + rank + 1;
      });
    }
}

// Everyone writes on its board, everyone reads all of it: no byte of an earlier turn is seen.
TEST(Channels, BoardsOfAll) {
  constexpr int ranks = 4, turns = 300;
  for (const bool sleeps : {false, true})
    in_processes(ranks, sleeps, [](Channels& mine, int rank) {
      Message message;
      for (int turn = 0; turn < turns; ++turn) {
        const std::size_t bytes = 64 + static_cast<std::size_t>(turn * 97 % 9000);
        char* memory = nullptr;
        while ((memory = mine.board(bytes)) == nullptr) sched_yield();
        std::memset(memory, (turn * ranks + rank) % 251, bytes);
        for (int to = 0; to < ranks; ++to) {
          if (to == rank) continue;
          while (!mine.has_line(to)) sched_yield();
          mine.send_board(to, 0, memory, bytes, true);
        }
        for (int from = 0; from < ranks; ++from) {
          if (from == rank) continue;
          wait_for(mine, from, message);
          if (message.bytes != bytes) return false;
          for (std::size_t i = 0; i < bytes; ++i)
            if (static_cast<unsigned char>(message.memory[i]) != (turn * ranks + from) % 251)
              return false;
          mine.consume(from);
        }
      }
      return true;
    });
}

}  // namespace
}  // namespace tutti::core
