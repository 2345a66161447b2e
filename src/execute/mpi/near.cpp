// Takes what comes from ranks of the same node, and waits for more.

#include "execute/mpi/near.hpp"

namespace tutti::core {

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
  channels()->consume(state.place);
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
  if (channels() == nullptr) return false;
  Channels::Message message;
  bool any = false;
  for (int place = 0; place < channels()->size(); ++place)
    while (channels()->peek(place, message) && is_due(message.call) &&
           (and_this_call || message.call != bound_.binding.call)) {
      channels()->consume(place);
      any = true;
    }
  return any;
}

int Near::take(const std::vector<std::uint32_t>& queues, bool& moved) {
  for (const std::uint32_t queue : queues)
    if (const int error = take_next(vertices_.queue(queue), moved)) return error;
  sender_.take_reads(moved);
  return MPI_SUCCESS;
}

/// Something has come that was not there when a look was taken last.
bool Near::has_anything(const std::vector<std::uint32_t>& queues, std::uint32_t sends) const {
  Channels::Message message;
  for (const std::uint32_t queue : queues) {
    const std::uint32_t number = vertices_.queue(queue).next;
    if (number == Program::none) continue;
    const VertexState& state = vertices_.state(number);
    if (state.before_post == 0 && state.before_work == 0 && channels()->peek(state.place, message))
      return true;
  }
  return sender_.may_go_on(sends);
}

void Near::wait(const std::vector<std::uint32_t>& queues, std::uint32_t sends, bool asks_mpi) {
  const auto messages = [&] {
    if (vertices_.unsent() > 0) return 1;
    // Nobody waits for more from here: a look is worth it when all have sent.
    int missing = 0;
    Channels::Message message;
    for (const std::uint32_t queue : queues) {
      const std::uint32_t next = vertices_.queue(queue).next;
      missing += next != Program::none && !channels()->peek(vertices_.state(next).place, message);
    }
    return missing;
  };
  patience_.wait(*channels(), asks_mpi, sender_.has_offers() || vertices_.unsent() > 0, messages,
                 [&] { return has_anything(queues, sends); });
}

}  // namespace tutti::core
