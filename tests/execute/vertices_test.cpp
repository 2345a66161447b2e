// Which vertices are ready, in which order, and what those wait for that are not.

#include "execute/vertices.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "schedule/builder.hpp"

namespace tutti::core {
namespace {

constexpr std::uint32_t none = Program::none;

/// A program's vertices at their beginning; messages travel in pieces of so many elements.
class Begun {
 public:
  explicit Begun(const Builder& b, std::size_t piece = 1 << 20)
      : program_(compile(b.schedule(), 0, 1 << 20)) {
    std::vector<VertexState> states;
    std::size_t messages = 0, sends = 0;
    for (const Program::Vertex& vertex : program_.vertices) {
      VertexState& state = states.emplace_back();
      state.before_post = vertex.before_post;
      state.before_work = vertex.before_work;
      state.piece = piece;
      state.place = -1;
      messages += vertex.queue != none;
      sends += vertex.kind == Kind::send;
    }
    std::vector<Queue> queues;
    for (const std::uint32_t first : program_.queues) queues.push_back({first, -1, 0});
    vertices.make_room(states.size(), queues.size());
    vertices.begin(program_, states, queues, messages, sends);
  }

  /// The next one to post, or to work with if `has_come`; nothing if all wait.
  std::optional<std::uint32_t> next(bool has_come = false) {
    std::uint32_t number = none;
    bool come = false;
    if (!vertices.take_ready(number, come)) return std::nullopt;
    EXPECT_EQ(come, has_come);
    return number;
  }
  /// All of a message has come.
  void arrives(std::uint32_t number) {
    VertexState& state = vertices.state(number);
    state.posted = state.arrived = vertices.vertex(number).count;
  }

  Vertices vertices;

 private:
  const Program program_;
};

const Slice first{Buffer::output, 0, 4}, second{Buffer::output, 4, 4};

TEST(Vertices, WhatWaitsForNobodyIsReadyInItsOrder) {
  Builder b;
  b.round();
  b.send(Slice{Buffer::input, 0, 4}, 1);
  b.recv(first, 2);
  b.recv(second, 3);
  Begun run(b);
  EXPECT_EQ(run.next(), 0u);
  EXPECT_EQ(run.next(), 1u);
  EXPECT_EQ(run.next(), 2u);
  EXPECT_EQ(run.next(), std::nullopt);
  EXPECT_FALSE(run.vertices.are_complete());
  for (const std::uint32_t number : {2u, 0u, 1u}) run.vertices.complete(number);
  EXPECT_TRUE(run.vertices.are_complete());
}

TEST(Vertices, ACopyWaitsForAllThatItReads) {
  Builder b;
  b.round();
  b.recv(first, 1);
  b.recv(second, 2);
  b.round();
  b.copy(Slice{Buffer::output, 0, 8}, Slice{Buffer::output, 8, 8});
  Begun run(b);
  EXPECT_EQ(run.next(), 0u);
  EXPECT_EQ(run.next(), 1u);
  run.vertices.complete(1);
  EXPECT_EQ(run.next(), std::nullopt);
  run.vertices.complete(0);
  EXPECT_EQ(run.next(), 2u);
}

TEST(Vertices, WhatHasComeGoesFirst) {
  Builder b;
  b.round();
  b.recv(first, 1);
  b.recv(second, 2);
  Begun run(b);
  EXPECT_EQ(run.next(), 0u);
  run.arrives(0);
  run.vertices.end_message(0, true);  // it is still to be put in its place
  EXPECT_EQ(run.next(true), 0u);
  EXPECT_EQ(run.next(), 1u);
}

TEST(Vertices, AQueueKeepsTheOrderOfItsMessages) {
  Builder b;
  for (int t = 0; t < 2; ++t) {
    b.round();
    b.send(Slice{Buffer::input, 0, 4}, 1);
  }
  Begun run(b);
  Queue& queue = run.vertices.queue(run.vertices.vertex(0).queue);
  EXPECT_EQ(queue.next, 0u);
  EXPECT_EQ(run.vertices.unsent(), 2u);
  run.vertices.leave(queue);
  EXPECT_EQ(queue.next, 1u);
  run.vertices.leave(queue);
  EXPECT_EQ(queue.next, none);
  EXPECT_EQ(run.vertices.unsent(), 0u);
  EXPECT_EQ(run.vertices.unposted(), 0u);
}

TEST(Vertices, ASendStreamsWhatCameWithoutAGap) {
  Builder b;
  b.round();
  b.recv(Slice{Buffer::output, 0, 16}, 1);
  b.round();
  b.send(Slice{Buffer::output, 0, 16}, 2);
  Begun run(b, 4);
  const Program::Vertex& sender = run.vertices.vertex(1);
  // Who streams may be posted from the beginning, but has nothing to send.
  EXPECT_EQ(run.next(), 1u);
  EXPECT_EQ(run.next(), 0u);
  EXPECT_EQ(run.vertices.ready(sender), 0u);
  run.vertices.note_piece({0, 2, 4});  // the second, before the first, which is a half one
  EXPECT_EQ(run.vertices.ready(sender), 0u);
  EXPECT_EQ(run.next(), std::nullopt);
  run.vertices.note_piece({0, 0, 2});
  EXPECT_EQ(run.vertices.ready(sender), 6u);
  EXPECT_EQ(run.next(), 1u);
  run.vertices.complete(0);
  EXPECT_EQ(run.vertices.ready(sender), 16u);
}

}  // namespace
}  // namespace tutti::core
