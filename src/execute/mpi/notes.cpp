// What an execution did, as events of its recorder.

#include "execute/mpi/notes.hpp"

#include <algorithm>

namespace tutti::core {

void Notes::begin_stage(std::size_t actions) {
  actions_ = actions;
  begins_.resize(std::max(begins_.size(), bound_.program->vertices.size()));
  waits_since_ = step_since_ = 0;
}

void Notes::note_message(std::uint32_t number, std::int64_t end) const {
  const Program::Vertex& vertex = bound_.program->vertices[number];
  bound_.binding.recorder->note(
      TraceEvent{vertex.kind == Kind::send ? TraceEvent::Kind::send : TraceEvent::Kind::recv,
                 vertex.peer, bound_.binding.recorded, bound_.program->rounds[number],
                 static_cast<std::uint32_t>(actions_ + number), bound_.bytes(vertex.count),
                 begins_[number], end});
}

void Notes::note_work(std::uint32_t number, std::size_t count, std::int64_t begin) const {
  const Kind kind = bound_.program->vertices[number].kind;
  const bool combines = kind == Kind::recv_reduce || kind == Kind::reduce;
  bound_.binding.recorder->note(TraceEvent{
      combines ? TraceEvent::Kind::reduce : TraceEvent::Kind::copy, -1, bound_.binding.recorded,
      bound_.program->rounds[number], static_cast<std::uint32_t>(actions_ + number),
      bound_.bytes(count), begin, bound_.binding.recorder->now()});
}

void Notes::wait(bool moved) {
  Recorder& recorder = *bound_.binding.recorder;
  if (!moved && waits_since_ == 0) waits_since_ = recorder.now();
  if (!moved || waits_since_ == 0) return;
  TraceEvent event{.call = bound_.binding.recorded, .begin = waits_since_};
  event.end = recorder.now();
  recorder.note(event);
  waits_since_ = 0;
}

}  // namespace tutti::core
