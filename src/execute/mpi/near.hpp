// What goes between ranks of one node, through its channels.
#pragma once

#include <vector>

#include "execute/mpi/near_sender.hpp"
#include "execute/mpi/patience.hpp"
#include "execute/mpi/workspace.hpp"

namespace tutti::core {

/// Takes messages of a call from channels: whole ones from lines and boards, large ones part by
/// part, or where they stand. Holds their sender.
class Near {
 public:
  Near(const Bound& bound, Notes& notes, Vertices& vertices, Patience& patience,
       const Workspace& workspace)
      : bound_(bound),
        notes_(notes),
        vertices_(vertices),
        patience_(patience),
        workspace_(workspace),
        sender_(bound, notes, vertices) {}

  /// The call begins.
  void begin() {
    if (channels() != nullptr && channels()->has_failed()) discard_due(false);
  }
  /// Messages of the call may still come.
  void fail() {
    if (channels() != nullptr) channels()->note_failure();
  }
  /// Throws away what earlier calls have left, and what comes for this one. True if there was any.
  bool discard_due(bool and_this_call);

  /// Null: the MPI takes all.
  Channels* channels() const { return bound_.binding.channels; }
  NearSender& sender() { return sender_; }
  /// What is combined at a time from a neighbour's memory: so much stays in a core's own caches,
  /// and the kernel is not asked too often.
  std::size_t bounce_elements() const {
    return std::max<std::size_t>(1, 128 * 1024 / std::max<std::size_t>(1, bound_.element));
  }

  /// The next message of a rank, if one of this call is there. `moved`: there was any.
  int look(int place, Channels::Message& message, bool& is_there, bool& moved) {
    is_there = channels()->peek(place, message);
    if (!is_there) return MPI_SUCCESS;
    moved = true;
    if (message.call == bound_.binding.call) return MPI_SUCCESS;
    is_there = false;
    // What a call that failed has left; or the sender is further than this call says.
    if (!is_due(message.call)) return MPI_ERR_TRUNCATE;
    channels()->consume(place);
    return MPI_SUCCESS;
  }

  /// Puts what came where it belongs, or combines it with what is there.
  int deliver(const Program::Vertex& vertex, int place, std::size_t from, std::size_t count,
              const Channels::Message& message) const {
    std::size_t taken = 0;  // bytes of the message
    const auto read = [&](char* to, std::size_t part) {
      return channels()->neighbours().read(place, message.address + taken, to, bound_.bytes(part));
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

  /// Takes what has come in these queues, and notes what neighbours have read.
  int take(const std::vector<std::uint32_t>& queues, bool& moved);
  /// `sends`: the queue of what goes out.
  void wait(const std::vector<std::uint32_t>& queues, std::uint32_t sends, bool asks_mpi);

 private:
  /// A message of this call, or of an earlier one.
  bool is_due(std::uint32_t call) const {
    return static_cast<std::int32_t>(bound_.binding.call - call) >= 0;
  }
  int take_next(Queue& queue, bool& moved);
  bool has_anything(const std::vector<std::uint32_t>& queues, std::uint32_t sends) const;

  const Bound& bound_;
  Notes& notes_;
  Vertices& vertices_;
  Patience& patience_;
  const Workspace& workspace_;
  NearSender sender_;
};

}  // namespace tutti::core
