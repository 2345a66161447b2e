// What goes between ranks of one node: MpiExecution's part that knows channels.

#include <sched.h>

#include <cstring>
#include <map>
#include <utility>

#include "execute/mpi/execution.hpp"
#include "topology/transport.hpp"

namespace tutti::core {

namespace {

/// Messages up to here are written at once.
constexpr auto most_sent_bytes = static_cast<std::size_t>(Transport::most_sent);

/// The MPI goes on after so many looks in vain.
constexpr unsigned looks = 64;

/// Where ranks outnumber cores: so many looks, others in between, before a rank sleeps. More if
/// there are other nodes: for what comes from there a neighbour waits longer.
constexpr unsigned yields = 10, yields_for_nodes = 40;

/// Tells the core that it waits in a loop.
void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

/// Elements [from, from + count) of what a vertex sends.
void MpiExecution::gather(const Program::Vertex& vertex, std::size_t from, std::size_t count,
                          char* to) const {
  walk(vertex, from, count, [&](const char* mine, std::size_t part) {
    std::memcpy(to, mine, bytes(part));
    to += bytes(part);
    return MPI_SUCCESS;
  });
}

/// Sends a message that travels in a line, or stands on the board: there already if it `repeats`
/// what was sent last. False if it must wait.
bool MpiExecution::send_small(const Program::Vertex& vertex, int place, bool repeats) {
  blocked_ = Blocked::line;
  if (!channels_->has_line(place)) return false;
  const std::size_t length = bytes(vertex.count);
  if (length <= Channels::line_bytes) {
    gather(vertex, 0, vertex.count, channels_->line(place));
    channels_->send_line(place, binding_.call, length);
    return true;
  }
  if (!repeats) {
    blocked_ = Blocked::board;
    char* const memory = channels_->board(length);
    if (memory == nullptr) return false;
    gather(vertex, 0, vertex.count, memory);
    on_board_ = memory;
  }
  channels_->send_board(place, binding_.call, on_board_, length, true);
  return true;
}

/// Sends the next part of a queue's first message; false if it must wait.
bool MpiExecution::send_near(Queue& queue) {
  const std::uint32_t number = queue.next;
  const Program::Vertex& vertex = program_->vertices[number];
  State& state = states_[number];
  blocked_ = Blocked::no;
  if (state.before_post > 0) return false;
  if (state.posted == 0) note_begin(number);
  const bool streams = vertex.first_source != vertex.last_source;
  std::size_t count = (streams ? ready(vertex) : vertex.count) - state.posted;
  if (streams && count == 0) return false;
  const std::size_t length = bytes(vertex.count);
  if (length <= most_sent_bytes) {
    if (count < vertex.count || !send_small(vertex, state.place, false)) return false;
    end_near_send(queue, false);
    // One write for all who get the same.
    for (int i = 2; i < channels_->size() && queue.next != Program::none; ++i) {
      const State& other = states_[queue.next];
      const Program::Vertex& next = program_->vertices[queue.next];
      note_begin(queue.next);
      if (!sends_same(*program_, vertex, next) || next.first_source != next.last_source ||
          other.place < 0 || other.before_post > 0 || !send_small(next, other.place, true))
        break;
      end_near_send(queue, false);
    }
    return true;
  }
  if (!channels_->has_line(state.place)) {
    blocked_ = Blocked::line;
    return false;
  }
  const bool is_offered =
      channels_->attaches() &&
      state.round.stays(static_cast<double>(length), static_cast<double>(element_),
                        channels_->sleeps(), channels_->reading());
  if (is_offered) {
    count = std::min(count, state.piece);
    if (vertex.staged && state.posted == 0) gather(vertex, 0, vertex.count, staging(vertex));
    const char* const memory =
        (vertex.staged ? staging(vertex) : address(program_->slices[vertex.first])) +
        bytes(state.posted);
    const bool is_last = state.posted + count == vertex.count;
    offers_.push_back(
        {number, channels_->send_address(state.place, binding_.call, memory, bytes(count), is_last),
         count});
  } else {
    count = std::min(count, std::max<std::size_t>(1, Channels::most_on_board / element_));
    char* const memory = channels_->board(bytes(count));
    if (memory == nullptr) {
      blocked_ = Blocked::board;
      return false;
    }
    gather(vertex, state.posted, count, memory);
    channels_->send_board(state.place, binding_.call, memory, bytes(count),
                          state.posted + count == vertex.count);
  }
  state.posted += count;
  if (state.posted == vertex.count) end_near_send(queue, is_offered);
  return true;
}

/// All of a queue's first message is on its way; its memory may be used again, unless a neighbour
/// has yet to read it.
void MpiExecution::end_near_send(Queue& queue, bool is_offered) {
  const std::uint32_t number = queue.next;
  --unposted_;
  --unsent_;
  states_[number].posted = program_->vertices[number].count;
  queue.next = program_->vertices[number].next_in_queue;
  if (is_offered) return;
  note_end(number);
  complete(number);
}

bool MpiExecution::sends_same(const Program& program, const Program::Vertex& one,
                              const Program::Vertex& other) {
  const auto slices = program.slices.begin();
  return one.count == other.count && std::equal(slices + one.first, slices + one.last,
                                                slices + other.first, slices + other.last);
}

/// Puts what came where it belongs, or combines it with what is there.
int MpiExecution::deliver(const Program::Vertex& vertex, int place, std::size_t from,
                          std::size_t count, const Channels::Message& message) {
  std::size_t taken = 0;  // bytes of the message
  const auto read = [&](char* to, std::size_t part) {
    return channels_->read(place, message, taken, to, bytes(part));
  };
  const bool is_here = message.memory != nullptr, combines = vertex.kind == Kind::recv_reduce;
  char* const bounce = workspace_->at(Workspace::bounce);
  return walk(vertex, from, count, [&](char* mine, std::size_t part) -> int {
    for (std::size_t now = 0; part > 0; part -= now) {
      now = combines && !is_here ? std::min(part, bounce_elements()) : part;
      if (combines) {
        if (!is_here && !read(bounce, now)) return MPI_ERR_OTHER;
        const char* const incoming = is_here ? message.memory + taken : bounce;
        if (const int error = apply(vertex, incoming, mine, now)) return error;
      } else if (is_here) {
        std::memcpy(mine, message.memory + taken, bytes(now));
      } else if (!read(mine, now)) {
        return MPI_ERR_OTHER;
      }
      mine += bytes(now);
      taken += bytes(now);
    }
    return MPI_SUCCESS;
  });
}

/// The same; what is combined meanwhile is noted.
int MpiExecution::deliver_noted(const Program::Vertex& vertex, int place, std::size_t from,
                                std::size_t count, const Channels::Message& message) {
  const auto work = [&] { return deliver(vertex, place, from, count, message); };
  return vertex.kind == Kind::recv_reduce ? noting(number_of(vertex), count, work) : work();
}

/// The next message of a rank, if one of this call is there. `moved`: there was any.
int MpiExecution::look(int place, Channels::Message& message, bool& is_there, bool& moved) {
  is_there = channels_->peek(place, message);
  if (!is_there) return MPI_SUCCESS;
  moved = true;
  if (message.call == binding_.call) return MPI_SUCCESS;
  is_there = false;
  // What a call that failed has left; or the sender is further than this call says.
  if (!is_due(message.call)) return MPI_ERR_TRUNCATE;
  channels_->consume(place);
  return MPI_SUCCESS;
}

/// Takes the next message of a rank, if it has come and there is a place for it.
int MpiExecution::take_near(Queue& queue, bool& moved) {
  const std::uint32_t number = queue.next;
  if (number == Program::none) return MPI_SUCCESS;
  State& state = states_[number];
  if (state.before_post > 0 || state.before_work > 0) return MPI_SUCCESS;
  Channels::Message message;
  bool is_there = false;
  if (const int error = look(state.place, message, is_there, moved)) return error;
  if (!is_there) return MPI_SUCCESS;
  const Program::Vertex& vertex = program_->vertices[number];
  const std::size_t count = element_ > 0 ? message.bytes / element_ : vertex.count;
  const bool fits = state.posted + count == vertex.count ||
                    (state.posted + count < vertex.count && !message.is_last);
  const int error = !fits || bytes(count) != message.bytes
                        ? MPI_ERR_TRUNCATE
                        : deliver_noted(vertex, state.place, state.posted, count, message);
  channels_->consume(state.place);
  if (error) return error;
  state.posted += count;
  state.arrived += count;
  if (state.arrived == vertex.count) {
    note_end(number);
    --unposted_;
    queue.next = vertex.next_in_queue;
    complete(number);
  } else if (vertex.is_streamed) {
    state.usable = state.arrived;
    wake_streams(vertex);
  }
  return MPI_SUCCESS;
}

/// Throws away what earlier calls have left, and what comes for this one. True if there was any.
bool MpiExecution::discard_due(bool and_this_call) {
  Channels::Message message;
  bool any = false;
  for (int place = 0; place < channels_->size(); ++place)
    while (channels_->peek(place, message) && is_due(message.call) &&
           (and_this_call || message.call != binding_.call)) {
      channels_->consume(place);
      any = true;
    }
  return any;
}

int MpiExecution::poll_near(bool& moved) {
  const Stage& stage = stages_[stage_];
  for (const std::uint32_t queue : stage.near)
    if (const int error = take_near(queues_[queue], moved)) return error;
  for (std::size_t i = 0; i < offers_.size();) {
    const Offer offer = offers_[i];
    State& state = states_[offer.vertex];
    if (!channels_->is_read(state.place, offer.number)) {
      ++i;
      continue;
    }
    moved = true;
    offers_[i] = offers_.back();
    offers_.pop_back();
    state.arrived += offer.count;
    if (state.arrived == program_->vertices[offer.vertex].count) {
      note_end(offer.vertex);
      complete(offer.vertex);
    }
  }
  if (const int error = run_ready()) return error;
  if (unsent_ == 0) return MPI_SUCCESS;
  const std::size_t before = unsent_;
  const int error = advance(stage.sends);
  moved = moved || unsent_ != before;
  return error ? error : run_ready();
}

/// Something has come that was not there when a look was taken last.
bool MpiExecution::anything_near() const {
  Channels::Message message;
  for (const std::uint32_t queue : stages_[stage_].near) {
    const std::uint32_t number = queues_[queue].next;
    if (number == Program::none) continue;
    const State& state = states_[number];
    if (state.before_post == 0 && state.before_work == 0 && channels_->peek(state.place, message))
      return true;
  }
  for (const Offer& offer : offers_)
    if (channels_->is_read(states_[offer.vertex].place, offer.number)) return true;
  if (unsent_ == 0 || blocked_ == Blocked::no) return false;
  const int place = states_[queues_[stages_[stage_].sends].next].place;
  if (place < 0) return false;  // meanwhile the next one goes to another node
  return blocked_ == Blocked::board ? channels_->board_moves() : channels_->has_line(place);
}

/// A rank may wait for what this one has sent before.
void MpiExecution::let_mpi_go_on() const {
  int there = 0;
  if (requests_.empty())  // those are looked at anyway
    PMPI_Iprobe(MPI_ANY_SOURCE, binding_.tag, binding_.comm, &there, MPI_STATUS_IGNORE);
}

/// Nothing has come: another look later. The MPI must go on meanwhile. Where ranks outnumber cores
/// this one sleeps, until so many `messages` have come that a look is worth it.
template <class Messages, class IsReady>
void MpiExecution::wait_for(bool for_reads, Messages&& messages, IsReady&& is_ready) {
  ++idle_;
  if (!channels_->sleeps()) {
    relax();
    if (idle_ % looks == 0) let_mpi_go_on();
    if (idle_ % (16 * looks) == 0) sched_yield();
    return;
  }
  if (idle_ < (has_other_nodes_ ? yields_for_nodes : yields) || !requests_.empty()) {
    if (idle_ % yields == 0) let_mpi_go_on();
    sched_yield();
    return;
  }
  let_mpi_go_on();
  channels_->sleep(messages(), for_reads, is_ready);
}

void MpiExecution::wait_near() {
  const auto messages = [&] {
    if (unsent_ > 0) return 1;
    // Nobody waits for more from here: a look is worth it when all have sent.
    int missing = 0;
    Channels::Message message;
    for (const std::uint32_t queue : stages_[stage_].near) {
      const std::uint32_t next = queues_[queue].next;
      missing += next != Program::none && !channels_->peek(states_[next].place, message);
    }
    return missing;
  };
  wait_for(!offers_.empty() || unsent_ > 0, messages, [&] { return anything_near(); });
}

int MpiExecution::drive_near(bool blocking) {
  bool moved = false;
  if (const int error = poll_near(moved)) return error;
  if (open_vertices_ > 0 && !requests_.empty()) {
    const std::size_t before = requests_.size();
    if (const int error = take_some(false)) return error;
    moved = moved || requests_.size() != before;
    if (const int error = run_ready()) return error;
  }
  if (is_noted() && blocking) [[unlikely]]
    note_wait(moved || open_vertices_ == 0);
  if (open_vertices_ == 0) {
    idle_ = 0;
    return end_stage();
  }
  if (moved)
    idle_ = 0;
  else if (blocking)
    wait_near();
  return MPI_SUCCESS;
}

/// What a rank does beside its large messages to neighbours.
void MpiExecution::note_neighbours(Stage& stage, const Schedule& schedule,
                                   std::size_t first_round) const {
  std::uint32_t vertex = 0;
  for (std::size_t t = first_round; t < schedule.round_count(); ++t) {
    const std::uint32_t begin = vertex;
    vertex += static_cast<std::uint32_t>(schedule.round(t).size());
    NeighbourRound round;
    for (std::uint32_t i = begin; i < vertex; ++i)
      if (stage.states[i].place >= 0)
        round.add(stage.program.vertices[i].kind, stage.states[i].place,
                  static_cast<double>(bytes(stage.program.vertices[i].count)));
    for (std::uint32_t i = begin; i < vertex; ++i) stage.states[i].round = round;
  }
}

/// A stage of small messages between ranks of this node needs no book of who waits for whom: a rank
/// does its rounds one after the other, sends first. All that it sends in a round fits into lines
/// and board, and so does all that comes in one: nobody waits for room while others wait for it.
void MpiExecution::make_steps(Stage& stage, const Schedule& schedule) const {
  const Program& program = stage.program;
  if (!stages_.front().is_last || element_ == 0 || stage.messages == 0) return;
  std::vector<Step> steps;
  std::uint32_t vertex = 0;
  for (std::size_t t = 0; t < schedule.round_count(); ++t) {
    const auto begin = vertex;
    const auto end = static_cast<std::uint32_t>(begin + schedule.round(t).size());
    std::size_t on_board = 0;
    std::map<std::pair<int, bool>, std::size_t> lines;  // of a place, out or in
    for (; vertex < end; ++vertex) {
      const Program::Vertex& each = program.vertices[vertex];
      const std::size_t length = bytes(each.count);
      if (each.peer < 0) continue;
      const int place = stage.states[vertex].place;
      if (place < 0 || length > most_sent_bytes) return;
      if (++lines[{place, each.kind == Kind::send}] > Channels::lines_of_pair) return;
      if (each.kind != Kind::send) continue;
      const bool repeats = !steps.empty() && steps.back().vertex >= begin &&
                           sends_same(program, program.vertices[steps.back().vertex], each);
      steps.push_back({vertex, place, repeats});
      on_board += length + 64;
      if (on_board > Channels::board_bytes / 2) return;
    }
    const std::size_t first = steps.size();
    for (vertex = begin; vertex < end; ++vertex)
      if (program.vertices[vertex].kind != Kind::send)
        steps.push_back({vertex, stage.states[vertex].place, false});
    for (std::size_t i = first; i < steps.size(); ++i)
      steps[i].last = static_cast<std::uint32_t>(steps.size());
  }
  stage.steps = std::move(steps);
}

template <bool noted>
int MpiExecution::take_step(const Step& step, bool& taken) {
  Channels::Message message;
  bool moved = false;
  if (const int error = look(step.place, message, taken, moved)) return error;
  if (!taken) return MPI_SUCCESS;
  const Program::Vertex& vertex = program_->vertices[step.vertex];
  int error = MPI_ERR_TRUNCATE;
  if (message.bytes == bytes(vertex.count))
    error = noted ? deliver_noted(vertex, step.place, 0, vertex.count, message)
                  : deliver(vertex, step.place, 0, vertex.count, message);
  channels_->consume(step.place);
  return error;
}

void MpiExecution::wait_step(const Step& step) {
  const Stage& stage = stages_[stage_];
  const Kind kind = program_->vertices[step.vertex].kind;
  Channels::Message message;
  if (kind == Kind::send) {
    wait_for(
        true, [] { return 1; },
        [&] {
          return blocked_ == Blocked::line ? channels_->has_line(step.place)
                                           : channels_->board_moves();
        });
    return;
  }
  const auto missing = [&] {
    int messages = 0;
    for (std::size_t i = step_; i < step.last; ++i)
      messages += stage.steps[i].place >= 0 && !channels_->peek(stage.steps[i].place, message);
    return messages;
  };
  int before = 0;
  wait_for(
      false, [&] { return before = missing(); }, [&] { return missing() < std::max(1, before); });
}

template <bool noted>
int MpiExecution::drive_steps(bool blocking) {
  const std::vector<Step>& steps = stages_[stage_].steps;
  for (; step_ < steps.size(); ++step_) {
    const Step& step = steps[step_];
    const Kind kind = program_->vertices[step.vertex].kind;
    if (kind == Kind::copy || kind == Kind::reduce) {
      const int error = noted ? noting(step.vertex, program_->vertices[step.vertex].count,
                                       [&] { return work_local(step.vertex); })
                              : work_local(step.vertex);
      if (error) return error;
      continue;
    }
    if constexpr (noted)
      if (step_since_ == 0) step_since_ = binding_.recorder->now();
    for (;;) {
      bool is_done = false;
      if (kind == Kind::send)
        is_done = send_small(program_->vertices[step.vertex], step.place, step.repeats);
      else if (const int error = take_step<noted>(step, is_done))
        return error;
      if constexpr (noted) note_wait(is_done);
      if (is_done) break;
      if (!blocking) return MPI_SUCCESS;
      wait_step(step);
    }
    if constexpr (noted) {
      begins_[step.vertex] = std::exchange(step_since_, 0);
      note_end(step.vertex);
    }
    idle_ = 0;
  }
  done_ = true;
  return MPI_SUCCESS;
}

template int MpiExecution::drive_steps<false>(bool blocking);
template int MpiExecution::drive_steps<true>(bool blocking);

}  // namespace tutti::core
