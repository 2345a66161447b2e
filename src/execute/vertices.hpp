// Who waits for whom, and how far each message has come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "execute/program.hpp"
#include "topology/transport.hpp"

namespace tutti::core {

/// A part of a message that is under way.
struct MessagePiece {
  std::uint32_t vertex;
  std::size_t from, count;  // elements
};

/// How far a vertex has come.
struct VertexState {
  std::uint32_t before_post, before_work;
  std::size_t posted, arrived;  // elements
  std::size_t usable;           // elements, from the first on, of what was received
  std::uint64_t ahead;          // bits: the pieces behind `usable` that came before their turn
  std::size_t piece;            // elements
  int place;                    // of its peer, on this node; -1: elsewhere
  bool combines_early, is_paced;
  NeighbourRound round;  // that it belongs to

  /// How long the piece from `from` on is. The first of several is a half one: pieces that share a
  /// line would else end together, and leave it idle together. A small rest stays with the last.
  std::size_t next_piece(const Program::Vertex& vertex, std::size_t from) const {
    const std::size_t rest = vertex.count - from, half = piece / 2;
    if (rest <= piece + half) return rest;
    return from == 0 && half > 0 ? half : piece;
  }
  /// Whether what came may be sent on piece by piece. Then no piece runs further ahead of the first
  /// that is missing than there are bits to note it.
  bool notes_pieces(const Program::Vertex& vertex) const {
    return vertex.is_streamed && (combines_early || !vertex.staged);
  }
};

/// Messages in their order: which comes next, and how much is under way.
struct Queue {
  std::uint32_t next;
  Rank peer;              // of the last piece
  std::size_t under_way;  // elements
};

class Vertices {
 public:
  /// Memory for a program: beginning it allocates nothing.
  void make_room(std::size_t vertices, std::size_t queues) {
    if (states_.size() < vertices) states_.resize(vertices);
    if (queues_.size() < queues) queues_.resize(queues);
    to_post_.reserve(states_.size());
    to_work_.reserve(states_.size());
  }
  void begin(const Program& program, const std::vector<VertexState>& states,
             const std::vector<Queue>& queues, std::size_t messages, std::size_t sends) {
    program_ = &program;
    open_ = program.vertices.size();
    unposted_ = messages;
    unsent_ = sends;
    std::copy(states.begin(), states.end(), states_.begin());
    std::copy(queues.begin(), queues.end(), queues_.begin());
    to_post_.assign(program.start.rbegin(), program.start.rend());
  }
  void abandon() {
    to_post_.clear();
    to_work_.clear();
  }

  const Program::Vertex& vertex(std::uint32_t number) const { return program_->vertices[number]; }
  VertexState& state(std::uint32_t number) { return states_[number]; }
  const VertexState& state(std::uint32_t number) const { return states_[number]; }
  Queue& queue(std::uint32_t number) { return queues_[number]; }
  const Queue& queue(std::uint32_t number) const { return queues_[number]; }
  bool are_complete() const { return open_ == 0; }
  std::size_t unposted() const { return unposted_; }  // messages
  std::size_t unsent() const { return unsent_; }

  /// A vertex that waits for nobody any more; what has come goes first. False: there is none.
  bool take_ready(std::uint32_t& number, bool& has_come) {
    has_come = !to_work_.empty();
    std::vector<std::uint32_t>& ready = has_come ? to_work_ : to_post_;
    if (ready.empty()) return false;
    number = ready.back();
    ready.pop_back();
    return true;
  }

  /// All of a queue's first message is on its way, or has come.
  void leave(Queue& queue) {
    const Program::Vertex& first = vertex(queue.next);
    --unposted_;
    unsent_ -= first.kind == Kind::send;
    queue.next = first.next_in_queue;
  }

  void complete(std::uint32_t number) {
    --open_;
    const Program::Vertex& done = vertex(number);
    states_[number].usable = done.count;
    for (std::uint32_t i = done.first_after; i < done.last_after; ++i) {
      const Program::After& after = program_->after[i];
      VertexState& other = states_[after.vertex];
      if (after.wait == Program::Wait::to_work) {
        if (--other.before_work == 0 && other.posted > 0 &&
            other.arrived == vertex(after.vertex).count)
          to_work_.push_back(after.vertex);
      } else if (after.wait == Program::Wait::to_stream ? other.before_post == 0
                                                        : --other.before_post == 0) {
        to_post_.push_back(after.vertex);
      }
    }
  }
  /// All of a message has come. `leaves_work`: it is not yet where it belongs.
  void end_message(std::uint32_t number, bool leaves_work) {
    if (leaves_work)
      to_work_.push_back(number);
    else
      complete(number);
  }

  /// How many elements of a send that streams are there to be sent.
  std::size_t ready(const Program::Vertex& sender) const {
    const Slice& mine = program_->slices[sender.first];
    std::size_t until = mine.end();
    for (std::uint32_t i = sender.first_source; i < sender.last_source; ++i) {
      const std::uint32_t source = program_->sources[i];
      const Slice& theirs = program_->slices[vertex(source).first];
      const std::size_t there = theirs.offset + states_[source].usable;
      if (there < theirs.end()) until = std::min(until, std::max(there, mine.offset));
    }
    return until - mine.offset;
  }
  /// Pieces may come before their turn: what may be sent on is what came without a gap.
  void note_piece(const MessagePiece& piece) {
    const Program::Vertex& receiver = vertex(piece.vertex);
    VertexState& its = states_[piece.vertex];
    // In pieces; the first is a half one.
    const std::size_t distance = (piece.from - its.usable + its.piece / 2) / its.piece;
    its.ahead |= std::uint64_t{1} << distance;
    if ((its.ahead & 1) == 0) return;
    for (; (its.ahead & 1) != 0; its.ahead >>= 1)
      its.usable += its.next_piece(receiver, its.usable);
    wake_streams(receiver);
  }
  void wake_streams(const Program::Vertex& receiver) {
    for (std::uint32_t i = receiver.first_after; i < receiver.last_after; ++i) {
      const Program::After& after = program_->after[i];
      if (after.wait == Program::Wait::to_stream && states_[after.vertex].before_post == 0)
        to_post_.push_back(after.vertex);
    }
  }

 private:
  const Program* program_ = nullptr;
  std::vector<VertexState> states_;
  std::vector<Queue> queues_;
  std::vector<std::uint32_t> to_post_, to_work_;
  std::size_t open_ = 0, unposted_ = 0, unsent_ = 0;
};

}  // namespace tutti::core
