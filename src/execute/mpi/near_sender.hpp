// What goes out to ranks of the same node, through its channels.
#pragma once

#include <vector>

#include "execute/mpi/notes.hpp"
#include "execute/vertices.hpp"

namespace tutti::core {

/// Messages up to here are written at once.
constexpr auto most_sent_bytes = static_cast<std::size_t>(Transport::most_sent);

/// Sends messages of a call: whole ones in lines and on the board, large ones part by part, or they
/// stay where they stand.
class NearSender {
 public:
  NearSender(const Bound& bound, Notes& notes, Vertices& vertices)
      : bound_(bound), notes_(notes), vertices_(vertices) {}

  void make_room(std::size_t offers) { offers_.reserve(offers); }
  /// What neighbours still read is given back only when they have, or do not.
  void abandon() { offers_.clear(); }

  /// Sends a message that travels in a line, or stands on the board: there already if it `repeats`
  /// what was sent last. False if it must wait.
  bool send_small(const Program::Vertex& vertex, int place, bool repeats) {
    blocked_ = Blocked::line;
    if (!channels().has_line(place)) return false;
    const std::size_t length = bound_.bytes(vertex.count);
    if (length <= PairLines::line_bytes) {
      bound_.gather(vertex, 0, vertex.count, channels().line(place));
      channels().send_line(place, bound_.binding.call, length);
      return true;
    }
    if (!repeats) {
      blocked_ = Blocked::board;
      char* const memory = channels().board(length);
      if (memory == nullptr) return false;
      bound_.gather(vertex, 0, vertex.count, memory);
      on_board_ = memory;
    }
    channels().send_board(place, bound_.binding.call, on_board_, length, true);
    return true;
  }
  /// What a small message that could not be sent waits for is there.
  bool may_send(int place) const {
    return blocked_ == Blocked::board ? channels().board_moves() : channels().has_line(place);
  }

  /// Sends the next part of a queue's first message; false if it must wait.
  bool send(Queue& queue);
  /// Something stays here that neighbours have not yet read.
  bool has_offers() const { return !offers_.empty(); }
  /// Notes what they have read.
  void take_reads(bool& moved) {
    for (std::size_t i = 0; i < offers_.size();) {
      const Offer offer = offers_[i];
      VertexState& state = vertices_.state(offer.vertex);
      if (!channels().is_read(state.place, offer.number)) {
        ++i;
        continue;
      }
      moved = true;
      offers_[i] = offers_.back();
      offers_.pop_back();
      state.arrived += offer.count;
      if (state.arrived == vertices_.vertex(offer.vertex).count) {
        notes_.end(offer.vertex);
        vertices_.complete(offer.vertex);
      }
    }
  }
  /// Something has been read, or what the next message waits for is there. `sends`: the queue of
  /// what goes out.
  bool may_go_on(std::uint32_t sends) const;

 private:
  /// What a neighbour is to read in this rank's memory.
  struct Offer {
    std::uint32_t vertex;
    std::uint64_t number;  // of the message
    std::size_t count;     // elements
  };
  Channels& channels() const { return *bound_.binding.channels; }
  void send_to_others(const Program::Vertex& sent, Queue& queue);
  bool send_part(Queue& queue, std::size_t count);
  void end_send(Queue& queue, bool is_offered);

  const Bound& bound_;
  Notes& notes_;
  Vertices& vertices_;
  std::vector<Offer> offers_;
  /// What the next send waits for: nothing of the channels', a line to its peer, or the board.
  enum class Blocked : std::uint8_t { no, line, board } blocked_ = Blocked::no;
  const char* on_board_ = nullptr;  // what was sent last
};

}  // namespace tutti::core
