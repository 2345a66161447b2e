// Messages to ranks of the same node, as what they wait for lets them go.

#include "execute/mpi/near_sender.hpp"

namespace tutti::core {

bool NearSender::send(Queue& queue) {
  const std::uint32_t number = queue.next;
  const Program::Vertex& vertex = vertices_.vertex(number);
  const VertexState& state = vertices_.state(number);
  blocked_ = Blocked::no;
  if (state.before_post > 0) return false;
  if (state.posted == 0) notes_.begin(number);
  const bool streams = vertex.first_source != vertex.last_source;
  const std::size_t count = (streams ? vertices_.ready(vertex) : vertex.count) - state.posted;
  if (streams && count == 0) return false;
  if (bound_.bytes(vertex.count) <= most_sent_bytes) {
    if (count < vertex.count || !send_small(vertex, state.place, false)) return false;
    end_send(queue, false);
    send_to_others(vertex, queue);
    return true;
  }
  if (!channels().has_line(state.place)) {
    blocked_ = Blocked::line;
    return false;
  }
  return send_part(queue, count);
}

/// One write for all who get the same.
void NearSender::send_to_others(const Program::Vertex& sent, Queue& queue) {
  for (int i = 2; i < channels().size() && queue.next != Program::none; ++i) {
    const VertexState& other = vertices_.state(queue.next);
    const Program::Vertex& next = vertices_.vertex(queue.next);
    notes_.begin(queue.next);
    if (!bound_.program->sends_same(sent, next) || next.first_source != next.last_source ||
        other.place < 0 || other.before_post > 0 || !send_small(next, other.place, true))
      return;
    end_send(queue, false);
  }
}

/// At most `count` elements of a large message.
bool NearSender::send_part(Queue& queue, std::size_t count) {
  const Program::Vertex& vertex = vertices_.vertex(queue.next);
  VertexState& state = vertices_.state(queue.next);
  const std::uint32_t call = bound_.binding.call;
  const bool is_offered =
      channels().neighbours().attaches() &&
      state.round.stays(static_cast<double>(bound_.bytes(vertex.count)),
                        static_cast<double>(bound_.element), channels().bells().sleeps(),
                        channels().neighbours().reading());
  if (is_offered) {
    count = std::min(count, state.piece);
    if (vertex.staged && state.posted == 0)
      bound_.gather(vertex, 0, vertex.count, bound_.staging(vertex));
    const char* const memory = bound_.memory(vertex) + bound_.bytes(state.posted);
    const bool is_last = state.posted + count == vertex.count;
    offers_.push_back(
        {queue.next,
         channels().send_address(state.place, call, memory, bound_.bytes(count), is_last), count});
  } else {
    count = std::min(count, std::max<std::size_t>(1, Board::most_of_message / bound_.element));
    char* const memory = channels().board(bound_.bytes(count));
    if (memory == nullptr) {
      blocked_ = Blocked::board;
      return false;
    }
    bound_.gather(vertex, state.posted, count, memory);
    channels().send_board(state.place, call, memory, bound_.bytes(count),
                          state.posted + count == vertex.count);
  }
  state.posted += count;
  if (state.posted == vertex.count) end_send(queue, is_offered);
  return true;
}

/// All of a queue's first message is on its way; its memory may be used again, unless a neighbour
/// has yet to read it.
void NearSender::end_send(Queue& queue, bool is_offered) {
  const std::uint32_t number = queue.next;
  vertices_.state(number).posted = vertices_.vertex(number).count;
  vertices_.leave(queue);
  if (is_offered) return;
  notes_.end(number);
  vertices_.complete(number);
}

bool NearSender::may_go_on(std::uint32_t sends) const {
  for (const Offer& offer : offers_)
    if (channels().is_read(vertices_.state(offer.vertex).place, offer.number)) return true;
  if (vertices_.unsent() == 0 || blocked_ == Blocked::no) return false;
  const int place = vertices_.state(vertices_.queue(sends).next).place;
  if (place < 0) return false;  // meanwhile the next one goes to another node
  return may_send(place);
}

}  // namespace tutti::core
