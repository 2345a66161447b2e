// Messages between ranks of one node, as what they wait for lets them go.

#include "execute/mpi/near.hpp"

namespace tutti::core {

bool Near::send(Queue& queue) {
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
  if (!channels_->has_line(state.place)) {
    blocked_ = Blocked::line;
    return false;
  }
  return send_part(queue, count);
}

/// One write for all who get the same.
void Near::send_to_others(const Program::Vertex& sent, Queue& queue) {
  for (int i = 2; i < channels_->size() && queue.next != Program::none; ++i) {
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
bool Near::send_part(Queue& queue, std::size_t count) {
  const Program::Vertex& vertex = vertices_.vertex(queue.next);
  VertexState& state = vertices_.state(queue.next);
  const std::uint32_t call = bound_.binding.call;
  const bool is_offered =
      channels_->attaches() && state.round.stays(static_cast<double>(bound_.bytes(vertex.count)),
                                                 static_cast<double>(bound_.element),
                                                 channels_->sleeps(), channels_->reading());
  if (is_offered) {
    count = std::min(count, state.piece);
    if (vertex.staged && state.posted == 0)
      bound_.gather(vertex, 0, vertex.count, bound_.staging(vertex));
    const char* const memory = bound_.memory(vertex) + bound_.bytes(state.posted);
    const bool is_last = state.posted + count == vertex.count;
    offers_.push_back(
        {queue.next,
         channels_->send_address(state.place, call, memory, bound_.bytes(count), is_last), count});
  } else {
    count = std::min(count, std::max<std::size_t>(1, Channels::most_on_board / bound_.element));
    char* const memory = channels_->board(bound_.bytes(count));
    if (memory == nullptr) {
      blocked_ = Blocked::board;
      return false;
    }
    bound_.gather(vertex, state.posted, count, memory);
    channels_->send_board(state.place, call, memory, bound_.bytes(count),
                          state.posted + count == vertex.count);
  }
  state.posted += count;
  if (state.posted == vertex.count) end_send(queue, is_offered);
  return true;
}

/// All of a queue's first message is on its way; its memory may be used again, unless a neighbour
/// has yet to read it.
void Near::end_send(Queue& queue, bool is_offered) {
  const std::uint32_t number = queue.next;
  vertices_.state(number).posted = vertices_.vertex(number).count;
  vertices_.leave(queue);
  if (is_offered) return;
  notes_.end(number);
  vertices_.complete(number);
}

/// Takes the next message of a rank, if it has come and there is a place for it.
int Near::take_next(Queue& queue, bool& moved) {
  const std::uint32_t number = queue.next;
  if (number == Program::none) return MPI_SUCCESS;
  VertexState& state = vertices_.state(number);
  if (state.before_post > 0 || state.before_work > 0) return MPI_SUCCESS;
  Channels::Message message;
  bool is_there = false;
  if (const int error = look(state.place, message, is_there, moved)) return error;
  if (!is_there) return MPI_SUCCESS;
  const Program::Vertex& vertex = vertices_.vertex(number);
  const std::size_t count = bound_.element > 0 ? message.bytes / bound_.element : vertex.count;
  const bool fits = state.posted + count == vertex.count ||
                    (state.posted + count < vertex.count && !message.is_last);
  const int error = !fits || bound_.bytes(count) != message.bytes
                        ? MPI_ERR_TRUNCATE
                        : deliver_noted(vertex, state.place, state.posted, count, message);
  channels_->consume(state.place);
  if (error) return error;
  state.posted += count;
  state.arrived += count;
  if (state.arrived == vertex.count) {
    notes_.end(number);
    vertices_.leave(queue);
    vertices_.complete(number);
  } else if (vertex.is_streamed) {
    state.usable = state.arrived;
    vertices_.wake_streams(vertex);
  }
  return MPI_SUCCESS;
}

bool Near::discard_due(bool and_this_call) {
  if (channels_ == nullptr) return false;
  Channels::Message message;
  bool any = false;
  for (int place = 0; place < channels_->size(); ++place)
    while (channels_->peek(place, message) && is_due(message.call) &&
           (and_this_call || message.call != bound_.binding.call)) {
      channels_->consume(place);
      any = true;
    }
  return any;
}

int Near::take(const std::vector<std::uint32_t>& queues, bool& moved) {
  for (const std::uint32_t queue : queues)
    if (const int error = take_next(vertices_.queue(queue), moved)) return error;
  for (std::size_t i = 0; i < offers_.size();) {
    const Offer offer = offers_[i];
    VertexState& state = vertices_.state(offer.vertex);
    if (!channels_->is_read(state.place, offer.number)) {
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
  return MPI_SUCCESS;
}

/// Something has come that was not there when a look was taken last.
bool Near::has_anything(const std::vector<std::uint32_t>& queues, std::uint32_t sends) const {
  Channels::Message message;
  for (const std::uint32_t queue : queues) {
    const std::uint32_t number = vertices_.queue(queue).next;
    if (number == Program::none) continue;
    const VertexState& state = vertices_.state(number);
    if (state.before_post == 0 && state.before_work == 0 && channels_->peek(state.place, message))
      return true;
  }
  for (const Offer& offer : offers_)
    if (channels_->is_read(vertices_.state(offer.vertex).place, offer.number)) return true;
  if (vertices_.unsent() == 0 || blocked_ == Blocked::no) return false;
  const int place = vertices_.state(vertices_.queue(sends).next).place;
  if (place < 0) return false;  // meanwhile the next one goes to another node
  return may_send(place);
}

void Near::wait(const std::vector<std::uint32_t>& queues, std::uint32_t sends, bool asks_mpi) {
  const auto messages = [&] {
    if (vertices_.unsent() > 0) return 1;
    // Nobody waits for more from here: a look is worth it when all have sent.
    int missing = 0;
    Channels::Message message;
    for (const std::uint32_t queue : queues) {
      const std::uint32_t next = vertices_.queue(queue).next;
      missing += next != Program::none && !channels_->peek(vertices_.state(next).place, message);
    }
    return missing;
  };
  patience_.wait(*channels_, asks_mpi, !offers_.empty() || vertices_.unsent() > 0, messages,
                 [&] { return has_anything(queues, sends); });
}

}  // namespace tutti::core
