#include "execute/mpi/execution.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "execute/elide_copies.hpp"
#include "execute/relays.hpp"

namespace tutti::core {

namespace {

/// Staging beyond this much makes messages wait for each other.
constexpr std::size_t most_staging_bytes = 16u << 20;

/// Elements of a piece: one, or an even number.
std::size_t piece_of(std::size_t bytes, std::size_t element) {
  const std::size_t elements = bytes / std::max<std::size_t>(1, element);
  return elements < 2 ? 1 : elements & ~std::size_t{1};
}

/// Smaller messages are not worth an answer each.
constexpr std::size_t least_paced_bytes = 1024;

/// So many requests are looked at one by one. SimGrid never forgets a message that ended while it
/// was tested, as MPI_Waitsome does, and is slower with every one.
#ifdef TUTTI_SIMULATED
constexpr std::size_t few = std::numeric_limits<std::size_t>::max();
#else
constexpr std::size_t few = 16;
#endif

/// After an error a rank ends when nothing came for so many seconds.
constexpr double patience = 0.2;

}  // namespace

MpiExecution::MpiExecution(const Algorithm& algorithm, const Call& call,
                           const Parameters& parameters, const Pieces& pieces,
                           const std::vector<int>& places, bool has_channels,
                           std::shared_ptr<Workspace> workspace)
    : algorithm_(algorithm),
      call_(call),
      parameters_(parameters),
      element_(call.element_bytes),
      piece_(piece_of(pieces.bytes, element_)),
      near_piece_(piece_of(pieces.near_bytes, element_)),
      in_flight_(pieces.in_flight),
      relays_(relays(algorithm)),
      has_channels_(has_channels),
      places_(places),
      has_other_nodes_(std::find(places.begin(), places.end(), -1) != places.end()),
      workspace_(std::move(workspace)) {
  make_stage(Generator(algorithm_, call_, parameters_));
}

/// Compiles what the generator has appended since the last stage.
void MpiExecution::make_stage(const Generator& generator) {
  const Schedule schedule = elide_copies(generator.schedule(), !generator.finished());
  const std::size_t first = stages_.empty() ? 0 : stages_.back().rounds;
  const std::size_t actions =
      stages_.empty() ? 0 : stages_.back().actions + stages_.back().program.vertices.size();
  Stage& stage = stages_.emplace_back();
  stage.actions = actions;
  // Who runs rounds ahead would share a receiver's line with what is due. A sender that waits for
  // its receiver cannot, if that expects one round at a time. Small messages share no line.
  const bool in_step =
      relays_ && has_other_nodes_ &&
      std::any_of(schedule.actions.begin(), schedule.actions.end(), [&](const Action& action) {
        return action.receives() && bytes(schedule.count_of(action)) >= least_paced_bytes;
      });
  stage.program = compile(schedule, first, most_staging_bytes / std::max<std::size_t>(1, element_),
                          in_step, has_channels_ ? places_ : std::vector<int>{});
  stage.rounds = schedule.round_count();
  stage.scratch = schedule.scratch;
  stage.constants = schedule.constants;
  for (const Program::Vertex& vertex : stage.program.vertices) {
    const int place = vertex.peer >= 0 && !places_.empty() ? places_[vertex.peer] : -1;
    const bool is_near = place >= 0;
    State& state = stage.states.emplace_back(State{vertex.before_post,
                                                   vertex.before_work,
                                                   0,
                                                   0,
                                                   0,
                                                   0,
                                                   is_near ? near_piece_ : piece_,
                                                   place,
                                                   false,
                                                   false,
                                                   {}});
    state.is_paced = vertex.kind == Kind::send && !is_near &&
                     bytes(vertex.count) >= least_paced_bytes &&
                     (relays_ || next_piece(vertex, state, 0) < vertex.count);
    stage.messages += vertex.peer >= 0;
    stage.sent += vertex.kind == Kind::send;
    if (vertex.kind == Kind::send)
      stage.sends = vertex.queue;
    else if (is_near && stage.program.queues[vertex.queue] == stage.states.size() - 1)
      stage.near.push_back(vertex.queue);
    stage.paced += state.is_paced ? vertex.count : 0;
    stage.combines = stage.combines || vertex.kind == Kind::recv_reduce;
  }
  for (const std::uint32_t vertex : stage.program.queues) stage.queues.push_back({vertex, -1, 0});
  stage.is_last = generator.finished();
  if (!stage.is_last) stage.learns = schedule.stages.back().slice;
  if (stage.program.vertices.size() == 1 && stage.is_last) {
    const Program::Vertex& vertex = stage.program.vertices[0];
    stage.is_one_message = (vertex.kind == Kind::send || vertex.kind == Kind::recv) &&
                           !vertex.staged &&
                           next_piece(vertex, stage.states[0], 0) == vertex.count &&
                           !(has_channels_ && stage.states[0].place >= 0);
  }
  note_neighbours(stage, schedule, first);
  make_steps(stage, schedule);

  const auto grow = [](auto& memory, std::size_t size) {
    if (memory.size() < size) memory.resize(size);
  };
  offers_.reserve(4 * stage.sent);
  grow(states_, stage.program.vertices.size());
  grow(queues_, stage.queues.size());
  to_post_.reserve(states_.size());
  to_work_.reserve(states_.size());
}

int MpiExecution::start(const Binding& binding) {
  binding_ = binding;
  done_ = false;
  bases_[0] = const_cast<char*>(static_cast<const char*>(binding.input));
  bases_[1] = static_cast<char*>(binding.output);
  channels_ = has_channels_ ? binding.channels : nullptr;
  if (channels_ != nullptr && channels_->has_failed()) discard_due(false);
  const int error = begin_stage(0);
  return error ? abandon(error) : MPI_SUCCESS;
}

int MpiExecution::begin_stage(std::size_t number) {
  stage_ = number;
  const Stage& stage = stages_[number];
  program_ = &stage.program;
  if (is_noted()) [[unlikely]] {
    begins_.resize(std::max(begins_.size(), program_->vertices.size()));
    waits_since_ = step_since_ = 0;
  }
  if (stage.combines && !stage.near.empty())
    workspace_->need(Workspace::bounce, bounce_elements() * element_);
  workspace_->need(Workspace::scratch, bytes(stage.scratch),
                   number == 0 ? 0 : bytes(stages_[number - 1].scratch));
  workspace_->need(Workspace::staging, bytes(stage.program.staging));
  bases_[2] = workspace_->at(Workspace::scratch);
  bases_[3] = workspace_->at(Workspace::staging);
  for (const Constant& constant : stage.constants)
    std::memcpy(bases_[2] + constant.offset, &constant.value, sizeof constant.value);
  if (stage.is_one_message && binding_.blocks && !is_noted()) return pass_message();
  if (channels_ != nullptr && !stage.steps.empty()) {
    step_ = 0;
    return MPI_SUCCESS;
  }
  open_vertices_ = program_->vertices.size();
  unposted_ = stage.messages;
  unsent_ = stage.sent;
  to_pace_ = stage.paced > in_flight_ * piece_ ? stage.paced : 0;
  std::copy(stage.states.begin(), stage.states.end(), states_.begin());
  std::copy(stage.queues.begin(), stage.queues.end(), queues_.begin());
  to_post_.assign(program_->start.rbegin(), program_->start.rend());
  if (const int error = run_ready()) return error;
  return open_vertices_ == 0 ? end_stage() : MPI_SUCCESS;
}

/// All that a leaf of a tree does, or a rank that is not the root: no request, no state.
int MpiExecution::pass_message() {
  const Program::Vertex& vertex = program_->vertices[0];
  char* const memory = vertex.count == 0 ? nullptr : address(program_->slices[vertex.first]);
  const int length = static_cast<int>(bytes(vertex.count));
  done_ = true;
  return vertex.kind == Kind::send
             ? PMPI_Send(memory, length, MPI_BYTE, vertex.peer, binding_.tag, binding_.comm)
             : PMPI_Recv(memory, length, MPI_BYTE, vertex.peer, binding_.tag, binding_.comm,
                         MPI_STATUS_IGNORE);
}

int MpiExecution::end_stage() {
  Stage& stage = stages_[stage_];
  if (stage.is_last) {
    done_ = true;
    return MPI_SUCCESS;
  }
  learned_.resize(stage.learns.count / sizeof(std::uint64_t));
  std::memcpy(learned_.data(), address(stage.learns), stage.learns.count);
  if (stages_.size() == stage_ + 1 || stage.learned != learned_) {
    stage.learned = learned_;
    stages_.resize(stage_ + 1);
    Generator generator(algorithm_, call_, parameters_);
    for (const Stage& each : stages_) generator.resume(each.learned);
    make_stage(generator);
  }
  return begin_stage(stage_ + 1);
}

[[gnu::flatten]] int MpiExecution::run_ready() {
  while (!to_post_.empty() || !to_work_.empty()) {
    auto& ready = to_work_.empty() ? to_post_ : to_work_;
    const bool works = &ready == &to_work_;
    const std::uint32_t vertex = ready.back();
    ready.pop_back();
    if (const int error = works ? work(vertex) : post(vertex)) return error;
  }
  return MPI_SUCCESS;
}

/// The vertex waits for nobody any more; a message for its turn.
int MpiExecution::post(std::uint32_t number) {
  const Program::Vertex& vertex = program_->vertices[number];
  if (vertex.queue == Program::none) return work(number);
  if (states_[number].posted == 0) note_begin(number);  // a stream comes here again and again
  return queues_[vertex.queue].next == number ? advance(vertex.queue) : MPI_SUCCESS;
}

/// If all went out at once all would come in late, and the first of it is what others wait for:
/// only so much is under way to one rank, and the next one has to wait till almost all of it has
/// come.
bool MpiExecution::has_room(const Queue& queue, const Program::Vertex& vertex, const State& state,
                            std::size_t count) const {
  if (state.posted == 0 && vertex.kind == Kind::send && !state.is_paced) return true;
  if (queue.peer != vertex.peer) return queue.under_way <= state.piece / 2;
  // A last piece with its rest counts as one: it must not wait until the line is idle.
  return queue.under_way + std::min(count, state.piece) <= in_flight_ * state.piece;
}

/// Posts what may be posted of a queue, piece by piece.
int MpiExecution::advance(std::uint32_t number) {
  Queue& queue = queues_[number];
  while (queue.next != Program::none) {
    const Program::Vertex& vertex = program_->vertices[queue.next];
    State& state = states_[queue.next];
    if (channels_ != nullptr && state.place >= 0) {
      if (vertex.kind != Kind::send || !send_near(queue)) break;
      continue;
    }
    const std::size_t count = next_piece(vertex, state, state.posted);
    const std::size_t window = in_flight_ * state.piece;
    if (state.before_post > 0 || (queue.under_way > 0 && !has_room(queue, vertex, state, count)))
      break;
    if (notes_pieces(vertex, state) && state.posted - state.usable + state.piece / 2 >= window)
      break;
    if (vertex.first_source != vertex.last_source && ready(vertex) < state.posted + count) break;
    if (state.posted == 0) {
      note_begin(queue.next);
      state.combines_early = vertex.kind == Kind::recv_reduce && state.before_work == 0;
      if (vertex.staged && vertex.kind == Kind::send)
        gather(vertex, 0, vertex.count, staging(vertex));
    }
    if (const int error = post_piece(queue.next, count)) return error;
    queue.under_way += count;
    queue.peer = vertex.peer;
    if (state.posted == vertex.count) {
      --unposted_;
      unsent_ -= vertex.kind == Kind::send;
      queue.next = vertex.next_in_queue;
    }
  }
  return MPI_SUCCESS;
}

int MpiExecution::post_piece(std::uint32_t number, std::size_t count) {
  const Program::Vertex& vertex = program_->vertices[number];
  State& state = states_[number];
  const std::size_t from = state.posted;
  char* memory = vertex.count == 0 ? nullptr
                 : vertex.staged   ? staging(vertex)
                                   : address(program_->slices[vertex.first]);
  memory += bytes(from);
  const int length = static_cast<int>(bytes(count));
  requests_.push_back(MPI_REQUEST_NULL);
  pieces_.push_back({number, from, count});
  state.posted += count;
  // The end of a paced piece tells that it was received, not just that it left. The last one need
  // not tell: nobody waits behind it.
  const bool tells = state.is_paced && to_pace_ > 0 && (to_pace_ -= count) > 0;
  return vertex.kind == Kind::send
             ? (tells ? PMPI_Issend : PMPI_Isend)(memory, length, MPI_BYTE, vertex.peer,
                                                  binding_.tag, binding_.comm, &requests_.back())
             : PMPI_Irecv(memory, length, MPI_BYTE, vertex.peer, binding_.tag, binding_.comm,
                          &requests_.back());
}

/// How many elements of a send that streams are there to be sent.
std::size_t MpiExecution::ready(const Program::Vertex& vertex) const {
  const Slice& mine = program_->slices[vertex.first];
  std::size_t until = mine.end();
  for (std::uint32_t i = vertex.first_source; i < vertex.last_source; ++i) {
    const std::uint32_t source = program_->sources[i];
    const Slice& theirs = program_->slices[program_->vertices[source].first];
    const std::size_t there = theirs.offset + states_[source].usable;
    if (there < theirs.end()) until = std::min(until, std::max(there, mine.offset));
  }
  return until - mine.offset;
}

/// Pieces may come before their turn: what may be sent on is what came without a gap.
void MpiExecution::note_piece(const Piece& piece) {
  const Program::Vertex& vertex = program_->vertices[piece.vertex];
  State& state = states_[piece.vertex];
  // In pieces; the first is a half one.
  const std::size_t distance = (piece.from - state.usable + state.piece / 2) / state.piece;
  state.ahead |= std::uint64_t{1} << distance;
  if ((state.ahead & 1) == 0) return;
  for (; (state.ahead & 1) != 0; state.ahead >>= 1)
    state.usable += next_piece(vertex, state, state.usable);
  wake_streams(vertex);
}

void MpiExecution::wake_streams(const Program::Vertex& vertex) {
  for (std::uint32_t i = vertex.first_after; i < vertex.last_after; ++i) {
    const Program::After& after = program_->after[i];
    if (after.wait == Program::Wait::to_stream && states_[after.vertex].before_post == 0)
      to_post_.push_back(after.vertex);
  }
}

/// The target may be several slices; the incoming elements stand one after the other.
int MpiExecution::combine(const Program::Vertex& vertex, std::size_t from, std::size_t count) {
  const char* incoming = staging(vertex) + bytes(from);
  return noting(number_of(vertex), count, [&] {
    return walk(vertex, from, count, [&](char* mine, std::size_t part) {
      const int error = apply(vertex, incoming, mine, part);
      incoming += bytes(part);
      return error;
    });
  });
}

/// Copies, or combines what is here.
int MpiExecution::work_local(std::uint32_t number) {
  const Program::Vertex& vertex = program_->vertices[number];
  std::uint32_t f = vertex.from_first, t = vertex.first;
  std::size_t used_f = 0, used_t = 0;
  while (t < vertex.last) {
    const Slice &from = program_->slices[f], &to = program_->slices[t];
    const std::size_t count = std::min(from.count - used_f, to.count - used_t);
    const char* source = address(from) + bytes(used_f);
    char* target = address(to) + bytes(used_t);
    if (vertex.kind == Kind::copy) {
      std::memcpy(target, source, bytes(count));
    } else if (const int error = apply(vertex.side, source, target, target, count)) {
      return error;
    }
    if ((used_f += count) == from.count) ++f, used_f = 0;
    if ((used_t += count) == to.count) ++t, used_t = 0;
  }
  return MPI_SUCCESS;
}

/// Does what remains when all has come: local actions, and what staged messages leave to do.
int MpiExecution::work(std::uint32_t number) {
  const Program::Vertex& vertex = program_->vertices[number];
  if (vertex.kind == Kind::copy || vertex.kind == Kind::reduce) {
    if (const int error = noting(number, vertex.count, [&] { return work_local(number); }))
      return error;
  } else if (vertex.kind == Kind::recv_reduce && !states_[number].combines_early) {
    if (const int error = combine(vertex, 0, vertex.count)) return error;
  } else if (vertex.kind == Kind::recv && vertex.staged) {
    const char* from = staging(vertex);
    noting(number, vertex.count, [&] {
      return walk(vertex, 0, vertex.count, [&](char* mine, std::size_t part) {
        std::memcpy(mine, from, bytes(part));
        from += bytes(part);
        return MPI_SUCCESS;
      });
    });
  }
  complete(number);
  return MPI_SUCCESS;
}

void MpiExecution::complete(std::uint32_t number) {
  --open_vertices_;
  const Program::Vertex& vertex = program_->vertices[number];
  states_[number].usable = vertex.count;
  for (std::uint32_t i = vertex.first_after; i < vertex.last_after; ++i) {
    const Program::After& after = program_->after[i];
    State& other = states_[after.vertex];
    if (after.wait == Program::Wait::to_work) {
      if (--other.before_work == 0 && other.posted > 0 &&
          other.arrived == program_->vertices[after.vertex].count)
        to_work_.push_back(after.vertex);
    } else if (after.wait == Program::Wait::to_stream ? other.before_post == 0
                                                      : --other.before_post == 0) {
      to_post_.push_back(after.vertex);
    }
  }
}

int MpiExecution::arrived(std::size_t index) {
  // Their order stays: MPI_Waitany takes the first that has come, and none may wait for ever.
  const Piece piece = pieces_[index];
  requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(index));
  pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(index));
  const Program::Vertex& vertex = program_->vertices[piece.vertex];
  State& state = states_[piece.vertex];
  state.arrived += piece.count;
  queues_[vertex.queue].under_way -= piece.count;
  if (state.arrived == vertex.count) note_end(piece.vertex, came_);
  if (state.combines_early)
    if (const int error = combine(vertex, piece.from, piece.count)) return error;
  if (notes_pieces(vertex, state) && state.arrived < vertex.count) note_piece(piece);
  if (const int error = advance(vertex.queue)) return error;
  if (state.arrived < vertex.count || state.before_work > 0) return MPI_SUCCESS;
  const bool leaves_work = !state.combines_early && vertex.staged && vertex.kind != Kind::send;
  if (leaves_work)
    to_work_.push_back(piece.vertex);
  else
    complete(piece.vertex);
  return MPI_SUCCESS;
}

[[gnu::flatten]] int MpiExecution::drive(bool blocking) {
  if (is_noted()) [[unlikely]]
    return drive_noted(blocking);
  if (channels_ != nullptr)
    return stages_[stage_].steps.empty() ? drive_near(blocking) : drive_steps<false>(blocking);
  const std::size_t number = requests_.size();
  if (blocking && unposted_ == 0 && (number <= 2 || !stages_[stage_].combines)) {
    // Once all is posted nobody waits for more from here: one after the other will do. (Open MPI
    // hangs in MPI_Waitall after an error, and MPICH loses its class.)
    for (std::size_t i = number; i-- > 0;) {
      if (const int error = PMPI_Wait(&requests_[i], MPI_STATUS_IGNORE)) return error;
      if (const int error = arrived(i)) return error;
    }
  } else if (blocking && number <= few) {
    int index = 0;
    if (const int error =
            PMPI_Waitany(static_cast<int>(number), requests_.data(), &index, MPI_STATUS_IGNORE))
      return error;
    if (const int error = arrived(static_cast<std::size_t>(index))) return error;
  } else if (const int error = take_some(blocking)) {
    return error;
  }
  if (const int error = run_ready()) return error;
  return open_vertices_ == 0 ? end_stage() : MPI_SUCCESS;
}

/// The same, but each message is looked for, not one after the other: its time counts.
[[gnu::noinline, gnu::cold]] int MpiExecution::drive_noted(bool blocking) {
  if (channels_ != nullptr)
    return stages_[stage_].steps.empty() ? drive_near(blocking) : drive_steps<true>(blocking);
  if (const int error = take_some(blocking)) return error;
  if (const int error = run_ready()) return error;
  return open_vertices_ == 0 ? end_stage() : MPI_SUCCESS;
}

void MpiExecution::note_message(std::uint32_t number, std::int64_t end) {
  const Program::Vertex& vertex = program_->vertices[number];
  binding_.recorder->note(
      TraceEvent{vertex.kind == Kind::send ? TraceEvent::Kind::send : TraceEvent::Kind::recv,
                 vertex.peer, binding_.recorded, program_->rounds[number],
                 static_cast<std::uint32_t>(stages_[stage_].actions + number), bytes(vertex.count),
                 begins_[number], end != 0 ? end : binding_.recorder->now()});
}

void MpiExecution::note_work(std::uint32_t number, std::size_t count, std::int64_t begin) const {
  const Kind kind = program_->vertices[number].kind;
  const bool combines = kind == Kind::recv_reduce || kind == Kind::reduce;
  binding_.recorder->note(TraceEvent{combines ? TraceEvent::Kind::reduce : TraceEvent::Kind::copy,
                                     -1, binding_.recorded, program_->rounds[number],
                                     static_cast<std::uint32_t>(stages_[stage_].actions + number),
                                     bytes(count), begin, binding_.recorder->now()});
}

/// From the first look in vain to the one that is not.
void MpiExecution::note_wait(bool moved) {
  if (!moved && waits_since_ == 0) waits_since_ = binding_.recorder->now();
  if (!moved || waits_since_ == 0) return;
  TraceEvent event{.call = binding_.recorded, .begin = waits_since_};
  event.end = binding_.recorder->now();
  binding_.recorder->note(event);
  waits_since_ = 0;
}

int MpiExecution::take_some(bool blocking) {
  if (indices_.size() < requests_.size()) {
    indices_.resize(requests_.capacity());
    statuses_.resize(requests_.capacity());
  }
  int finished = 0;
  if (is_noted() && blocking) note_wait(false);
  const auto number = static_cast<int>(requests_.size());
#ifdef TUTTI_SIMULATED  // see `few`
  finished = 1;
  const int error =
      blocking
          ? PMPI_Waitany(number, requests_.data(), indices_.data(), statuses_.data())
          : PMPI_Testsome(number, requests_.data(), &finished, indices_.data(), statuses_.data());
#else
  const int error = (blocking ? PMPI_Waitsome : PMPI_Testsome)(number, requests_.data(), &finished,
                                                               indices_.data(), statuses_.data());
#endif
  if (is_noted()) {
    came_ = binding_.recorder->now();
    if (blocking) note_wait(true);
  }
  if (error == MPI_ERR_IN_STATUS)
    for (int i = 0; i < finished; ++i)
      if (statuses_[i].MPI_ERROR != MPI_SUCCESS) return statuses_[i].MPI_ERROR;
  if (error || finished == MPI_UNDEFINED) return error;
  // From the last index down: taking one out moves those behind it. New pieces are appended.
  std::sort(indices_.begin(), indices_.begin() + finished);
  for (int i = finished; i-- > 0;)
    if (const int failed = arrived(static_cast<std::size_t>(indices_[i]))) return failed;
  return MPI_SUCCESS;
}

int MpiExecution::progress() {
  if (done_) return MPI_SUCCESS;
  const int error = drive(false);
  return error ? abandon(error) : MPI_SUCCESS;
}

int MpiExecution::wait() {
  while (!done_)
    if (const int error = drive(true)) return abandon(error);
  return MPI_SUCCESS;
}

/// Takes what still comes for this call, so that those who send it can end, too.
void MpiExecution::drain() {
  std::vector<char> memory;
  double last = PMPI_Wtime();
  while (PMPI_Wtime() - last < patience) {
    if (channels_ != nullptr && discard_due(true)) last = PMPI_Wtime();
    int there = 0, length = 0;
    MPI_Status status;
    if (PMPI_Iprobe(MPI_ANY_SOURCE, binding_.tag, binding_.comm, &there, &status) != MPI_SUCCESS)
      return;
    if (!there) continue;
    PMPI_Get_count(&status, MPI_BYTE, &length);
    memory.resize(static_cast<std::size_t>(length));
    PMPI_Recv(memory.data(), length, MPI_BYTE, status.MPI_SOURCE, binding_.tag, binding_.comm,
              MPI_STATUS_IGNORE);
    last = PMPI_Wtime();
  }
}

/// Gives back the caller's buffers: nothing may write into them later.
int MpiExecution::abandon(int error) {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    if (program_->vertices[pieces_[i].vertex].kind == Kind::send) {
      PMPI_Request_free(&requests_[i]);
    } else {
      PMPI_Cancel(&requests_[i]);
      PMPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
    }
  }
  requests_.clear();
  pieces_.clear();
  to_post_.clear();
  to_work_.clear();
  if (channels_ != nullptr) channels_->note_failure();
  // What neighbours still read is given back only when they have, or do not.
  if (binding_.comm != MPI_COMM_NULL) drain();
  offers_.clear();
  done_ = true;
  return error;
}

}  // namespace tutti::core
