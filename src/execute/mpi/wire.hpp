// Messages that the MPI carries, piece by piece.
#pragma once

#include <mpi.h>

#include <vector>

#include "execute/mpi/local_work.hpp"
#include "execute/mpi/near.hpp"

namespace tutti::core {

class Wire {
 public:
  /// `in_flight`: pieces under way at a time, each of so many elements.
  Wire(const Bound& bound, Notes& notes, Vertices& vertices, const LocalWork& work, Near& near,
       std::size_t piece, std::size_t in_flight)
      : bound_(bound),
        notes_(notes),
        vertices_(vertices),
        work_(work),
        near_(near),
        piece_(piece),
        in_flight_(in_flight) {}

  /// `paced`: elements that are sent with an answer.
  void begin(std::size_t paced) { to_pace_ = paced > in_flight_ * piece_ ? paced : 0; }
  /// Posts what may be posted of a queue, piece by piece; what goes to neighbours takes its turn.
  int advance(std::uint32_t queue);
  std::size_t under_way() const { return requests_.size(); }  // pieces
  /// Takes what has come, if `blocking` something at least. `in_turn`: one after the other will do
  /// once all is posted.
  int take(bool blocking, bool in_turn);
  /// The same, but each message is looked for: its time counts.
  int take_some(bool blocking);
  /// All that a leaf of a tree does, or a rank that is not the root: no request, no state.
  int pass(const Program::Vertex& vertex) const;
  /// Gives back the caller's buffers: nothing may write into them later.
  void cancel();
  /// Takes what still comes for this call, so that those who send it can end, too.
  void drain();

 private:
  bool has_room(const Queue& queue, const Program::Vertex& vertex, const VertexState& state,
                std::size_t count) const;
  int post_piece(std::uint32_t vertex, std::size_t count);
  int arrived(std::size_t index);

  const Bound& bound_;
  Notes& notes_;
  Vertices& vertices_;
  const LocalWork& work_;
  Near& near_;
  const std::size_t piece_, in_flight_;
  std::size_t to_pace_ = 0;  // elements that are still to be sent with an answer
  std::vector<MPI_Request> requests_;
  std::vector<MessagePiece> pieces_;
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace tutti::core
