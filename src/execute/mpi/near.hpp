// What goes between ranks of one node, through its channels.
#pragma once

#include <vector>

#include "execute/mpi/notes.hpp"
#include "execute/mpi/patience.hpp"
#include "execute/mpi/vertices.hpp"
#include "execute/mpi/workspace.hpp"

namespace tutti::core {

/// Messages up to here are written at once.
constexpr auto most_sent_bytes = static_cast<std::size_t>(Transport::most_sent);

/// Takes and sends messages of a call through channels: whole ones in lines and on the board, large
/// ones part by part, or where they stand.
class Near {
 public:
  Near(const Bound& bound, Notes& notes, Vertices& vertices, Patience& patience,
       const Workspace& workspace)
      : bound_(bound),
        notes_(notes),
        vertices_(vertices),
        patience_(patience),
        workspace_(workspace) {}

  void make_room(std::size_t offers) { offers_.reserve(offers); }
  /// Channels for the call that begins; null: the MPI takes all.
  void begin(Channels* channels) {
    channels_ = channels;
    if (channels_ != nullptr && channels_->has_failed()) discard_due(false);
  }
  /// Messages of the call may still come.
  void fail() {
    if (channels_ != nullptr) channels_->note_failure();
  }
  /// What neighbours still read is given back only when they have, or do not.
  void abandon() { offers_.clear(); }
  /// Throws away what earlier calls have left, and what comes for this one. True if there was any.
  bool discard_due(bool and_this_call);

  Channels* channels() const { return channels_; }
  /// What is combined at a time from a neighbour's memory: so much stays in a core's own caches,
  /// and the kernel is not asked too often.
  std::size_t bounce_elements() const {
    return std::max<std::size_t>(1, 128 * 1024 / std::max<std::size_t>(1, bound_.element));
  }

  /// Sends a message that travels in a line, or stands on the board: there already if it `repeats`
  /// what was sent last. False if it must wait.
  bool send_small(const Program::Vertex& vertex, int place, bool repeats) {
    blocked_ = Blocked::line;
    if (!channels_->has_line(place)) return false;
    const std::size_t length = bound_.bytes(vertex.count);
    if (length <= Channels::line_bytes) {
      bound_.gather(vertex, 0, vertex.count, channels_->line(place));
      channels_->send_line(place, bound_.binding.call, length);
      return true;
    }
    if (!repeats) {
      blocked_ = Blocked::board;
      char* const memory = channels_->board(length);
      if (memory == nullptr) return false;
      bound_.gather(vertex, 0, vertex.count, memory);
      on_board_ = memory;
    }
    channels_->send_board(place, bound_.binding.call, on_board_, length, true);
    return true;
  }
  /// What a small message that could not be sent waits for is there.
  bool may_send(int place) const {
    return blocked_ == Blocked::board ? channels_->board_moves() : channels_->has_line(place);
  }

  /// The next message of a rank, if one of this call is there. `moved`: there was any.
  int look(int place, Channels::Message& message, bool& is_there, bool& moved) {
    is_there = channels_->peek(place, message);
    if (!is_there) return MPI_SUCCESS;
    moved = true;
    if (message.call == bound_.binding.call) return MPI_SUCCESS;
    is_there = false;
    // What a call that failed has left; or the sender is further than this call says.
    if (!is_due(message.call)) return MPI_ERR_TRUNCATE;
    channels_->consume(place);
    return MPI_SUCCESS;
  }

  /// Puts what came where it belongs, or combines it with what is there.
  int deliver(const Program::Vertex& vertex, int place, std::size_t from, std::size_t count,
              const Channels::Message& message) const {
    std::size_t taken = 0;  // bytes of the message
    const auto read = [&](char* to, std::size_t part) {
      return channels_->read(place, message, taken, to, bound_.bytes(part));
    };
    const bool is_here = message.memory != nullptr, combines = vertex.kind == Kind::recv_reduce;
    char* const bounce = workspace_.at(Workspace::bounce);
    return bound_.walk(vertex, from, count, [&](char* mine, std::size_t part) -> int {
      for (std::size_t now = 0; part > 0; part -= now) {
        now = combines && !is_here ? std::min(part, bounce_elements()) : part;
        if (combines) {
          if (!is_here && !read(bounce, now)) return MPI_ERR_OTHER;
          const char* const incoming = is_here ? message.memory + taken : bounce;
          if (const int error = bound_.apply(vertex, incoming, mine, now)) return error;
        } else if (is_here) {
          std::memcpy(mine, message.memory + taken, bound_.bytes(now));
        } else if (!read(mine, now)) {
          return MPI_ERR_OTHER;
        }
        mine += bound_.bytes(now);
        taken += bound_.bytes(now);
      }
      return MPI_SUCCESS;
    });
  }
  /// The same; what is combined meanwhile is noted.
  int deliver_noted(const Program::Vertex& vertex, int place, std::size_t from, std::size_t count,
                    const Channels::Message& message) const {
    const auto work = [&] { return deliver(vertex, place, from, count, message); };
    return vertex.kind == Kind::recv_reduce ? notes_.during(bound_.number_of(vertex), count, work)
                                            : work();
  }

  /// Sends the next part of a queue's first message; false if it must wait.
  bool send(Queue& queue);
  /// Takes what has come in these queues, and notes what neighbours have read.
  int take(const std::vector<std::uint32_t>& queues, bool& moved);
  /// `sends`: the queue of what goes out.
  void wait(const std::vector<std::uint32_t>& queues, std::uint32_t sends, bool asks_mpi);

 private:
  /// What a neighbour is to read in this rank's memory.
  struct Offer {
    std::uint32_t vertex;
    std::uint64_t number;  // of the message
    std::size_t count;     // elements
  };
  /// A message of this call, or of an earlier one.
  bool is_due(std::uint32_t call) const {
    return static_cast<std::int32_t>(bound_.binding.call - call) >= 0;
  }
  void send_to_others(const Program::Vertex& sent, Queue& queue);
  bool send_part(Queue& queue, std::size_t count);
  void end_send(Queue& queue, bool is_offered);
  int take_next(Queue& queue, bool& moved);
  bool has_anything(const std::vector<std::uint32_t>& queues, std::uint32_t sends) const;

  const Bound& bound_;
  Notes& notes_;
  Vertices& vertices_;
  Patience& patience_;
  const Workspace& workspace_;
  Channels* channels_ = nullptr;
  std::vector<Offer> offers_;
  /// What the next send waits for: nothing of the channels', a line to its peer, or the board.
  enum class Blocked : std::uint8_t { no, line, board } blocked_ = Blocked::no;
  const char* on_board_ = nullptr;  // what was sent last
};

}  // namespace tutti::core
