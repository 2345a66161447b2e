// Small messages within a node, one round after the other.

#include "execute/mpi/rounds.hpp"

#include <map>
#include <utility>

namespace tutti::core {

std::vector<SmallStep> small_steps_of(const Schedule& schedule, const Program& program,
                                      const std::vector<VertexState>& states,
                                      std::size_t element_bytes) {
  std::vector<SmallStep> steps;
  std::uint32_t vertex = 0;
  for (std::size_t t = 0; t < schedule.round_count(); ++t) {
    const auto begin = vertex;
    const auto end = static_cast<std::uint32_t>(begin + schedule.round(t).size());
    std::size_t on_board = 0;
    std::map<std::pair<int, bool>, std::size_t> lines;  // of a place, out or in
    for (; vertex < end; ++vertex) {
      const Program::Vertex& each = program.vertices[vertex];
      const std::size_t length = each.count * element_bytes;
      if (each.peer < 0) continue;
      const int place = states[vertex].place;
      if (place < 0 || length > most_sent_bytes) return {};
      if (++lines[{place, each.kind == Kind::send}] > PairLines::of_pair) return {};
      if (each.kind != Kind::send) continue;
      const bool repeats = !steps.empty() && steps.back().vertex >= begin &&
                           program.sends_same(program.vertices[steps.back().vertex], each);
      steps.push_back({vertex, place, repeats});
      on_board += length + 64;
      if (on_board > Board::size / 2) return {};
    }
    const std::size_t first = steps.size();
    for (vertex = begin; vertex < end; ++vertex)
      if (program.vertices[vertex].kind != Kind::send)
        steps.push_back({vertex, states[vertex].place, false});
    for (std::size_t i = first; i < steps.size(); ++i)
      steps[i].last = static_cast<std::uint32_t>(steps.size());
  }
  return steps;
}

template <bool noted>
int Rounds::take(const SmallStep& step, bool& taken) {
  Channels::Message message;
  bool moved = false;
  if (const int error = near_.look(step.place, message, taken, moved)) return error;
  if (!taken) return MPI_SUCCESS;
  const Program::Vertex& vertex = bound_.program->vertices[step.vertex];
  int error = MPI_ERR_TRUNCATE;
  if (message.bytes == bound_.bytes(vertex.count))
    error = noted ? near_.deliver_noted(vertex, step.place, 0, vertex.count, message)
                  : near_.deliver(vertex, step.place, 0, vertex.count, message);
  near_.channels()->consume(step.place);
  return error;
}

void Rounds::wait(const SmallStep& step) {
  Channels& channels = *near_.channels();
  if (bound_.program->vertices[step.vertex].kind == Kind::send) {
    patience_.wait(
        channels, false, true, [] { return 1; },
        [&] { return near_.sender().may_send(step.place); });
    return;
  }
  const auto missing = [&] {
    Channels::Message message;
    int messages = 0;
    for (std::size_t i = next_; i < step.last; ++i)
      messages += (*steps_)[i].place >= 0 && !channels.peek((*steps_)[i].place, message);
    return messages;
  };
  int before = 0;
  patience_.wait(
      channels, false, false, [&] { return before = missing(); },
      [&] { return missing() < std::max(1, before); });
}

template <bool noted>
int Rounds::drive(bool blocking) {
  const std::vector<SmallStep>& steps = *steps_;
  for (; next_ < steps.size(); ++next_) {
    const SmallStep& step = steps[next_];
    const Program::Vertex& vertex = bound_.program->vertices[step.vertex];
    const Kind kind = vertex.kind;
    if (kind == Kind::copy || kind == Kind::reduce) {
      const int error =
          noted ? notes_.during(step.vertex, vertex.count, [&] { return work_.local(step.vertex); })
                : work_.local(step.vertex);
      if (error) return error;
      continue;
    }
    if constexpr (noted) notes_.begin_step();
    for (;;) {
      bool is_done = false;
      if (kind == Kind::send)
        is_done = near_.sender().send_small(vertex, step.place, step.repeats);
      else if (const int error = take<noted>(step, is_done))
        return error;
      if constexpr (noted) notes_.wait(is_done);
      if (is_done) break;
      if (!blocking) return MPI_SUCCESS;
      wait(step);
    }
    if constexpr (noted) notes_.end_step(step.vertex);
    patience_.moved();
  }
  return MPI_SUCCESS;
}

template int Rounds::drive<false>(bool blocking);
template int Rounds::drive<true>(bool blocking);

}  // namespace tutti::core
