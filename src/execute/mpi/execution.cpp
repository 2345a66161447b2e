// Runs a schedule's stages: what may begin begins, what has come is used, until nothing is open.

#include "execute/mpi/execution.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::core {

MpiExecution::MpiExecution(const Algorithm& algorithm, const Call& call,
                           const Parameters& parameters, const Cutting& cutting,
                           const NodeRanks& here, bool has_channels,
                           std::shared_ptr<Workspace> workspace)
    : workspace_(std::move(workspace)),
      has_channels_(has_channels),
      bound_(call.element_bytes),
      notes_(bound_),
      work_(bound_, notes_),
      patience_(bound_, here.size() < call.p),
      near_(bound_, notes_, vertices_, patience_, *workspace_),
      rounds_(bound_, notes_, near_, work_, patience_),
      wire_(bound_, notes_, vertices_, work_, near_, piece_of(cutting.bytes, call.element_bytes),
            cutting.in_flight),
      stages_(algorithm, call, parameters, cutting, here, has_channels) {
  make_room(stages_.last());
}

void MpiExecution::make_room(const Stage& stage) {
  near_.sender().make_room(4 * stage.sent);
  vertices_.make_room(stage.program.vertices.size(), stage.queues.size());
}

int MpiExecution::start(const Binding& binding) {
  bound_.binding = binding;
  if (!has_channels_) bound_.binding.channels = nullptr;
  done_ = false;
  bound_.bases[0] = const_cast<char*>(static_cast<const char*>(binding.input));
  bound_.bases[1] = static_cast<char*>(binding.output);
  near_.begin();
  const int error = begin_stage(0);
  return error ? abandon(error) : MPI_SUCCESS;
}

/// `kept`: bytes of scratch that the stage before has left.
void MpiExecution::bind_memory(const Stage& stage, std::size_t kept) {
  if (stage.combines && !stage.near.empty())
    workspace_->need(Workspace::bounce, bound_.bytes(near_.bounce_elements()));
  workspace_->need(Workspace::scratch, bound_.bytes(stage.scratch), kept);
  workspace_->need(Workspace::staging, bound_.bytes(stage.program.staging));
  bound_.bases[2] = workspace_->at(Workspace::scratch);
  bound_.bases[3] = workspace_->at(Workspace::staging);
  for (const Constant& constant : stage.constants)
    std::memcpy(bound_.bases[2] + constant.offset, &constant.value, sizeof constant.value);
}

int MpiExecution::begin_stage(std::size_t number) {
  const Stage& stage = stages_[number];
  stage_number_ = number;
  stage_ = &stage;
  bound_.program = &stage.program;
  if (notes_.are_wanted()) [[unlikely]]
    notes_.begin_stage(stage.actions);
  bind_memory(stage, number == 0 ? 0 : bound_.bytes(stages_[number - 1].scratch));
  if (stage.is_one_message && bound_.binding.blocks && !notes_.are_wanted()) {
    done_ = true;
    return wire_.pass(stage.program.vertices[0]);
  }
  if (near_.channels() != nullptr && !stage.steps.empty()) {
    rounds_.begin(stage.steps);
    return MPI_SUCCESS;
  }
  vertices_.begin(stage.program, stage.states, stage.queues, stage.messages, stage.sent);
  wire_.begin(stage.paced);
  return go_on();
}

int MpiExecution::end_stage() {
  if (stage_->is_last) {
    done_ = true;
    return MPI_SUCCESS;
  }
  if (stages_.learn(stage_number_, bound_.address(stage_->learns))) make_room(stages_.last());
  return begin_stage(stage_number_ + 1);
}

int MpiExecution::go_on() {
  if (const int error = run_ready()) return error;
  return vertices_.are_complete() ? end_stage() : MPI_SUCCESS;
}

[[gnu::flatten]] int MpiExecution::run_ready() {
  std::uint32_t number = 0;
  bool has_come = false;
  while (vertices_.take_ready(number, has_come)) {
    const std::uint32_t queue = vertices_.vertex(number).queue;
    if (has_come || queue == Program::none) {
      if (const int error = work_.finish(number, vertices_.state(number).combines_early))
        return error;
      vertices_.complete(number);
      continue;
    }
    // It waits for nobody any more; a message for its turn.
    if (vertices_.state(number).posted == 0)
      notes_.begin(number);  // a stream comes here again and again
    if (vertices_.queue(queue).next == number)
      if (const int error = wire_.advance(queue)) return error;
  }
  return MPI_SUCCESS;
}

int MpiExecution::drive(bool blocking) {
  if (notes_.are_wanted()) [[unlikely]]
    return drive_noted(blocking);
  if (near_.channels() != nullptr)
    return stage_->steps.empty() ? drive_near(blocking) : drive_rounds<false>(blocking);
  if (const int error = wire_.take(blocking, !stage_->combines)) return error;
  return go_on();
}

/// The same, but each message is looked for, not one after the other: its time counts.
[[gnu::noinline, gnu::cold]] int MpiExecution::drive_noted(bool blocking) {
  if (near_.channels() != nullptr)
    return stage_->steps.empty() ? drive_near(blocking) : drive_rounds<true>(blocking);
  if (const int error = wire_.take_some(blocking)) return error;
  return go_on();
}

template <bool noted>
int MpiExecution::drive_rounds(bool blocking) {
  const int error = rounds_.drive<noted>(blocking);
  done_ = !error && rounds_.are_done();
  return error;
}

int MpiExecution::drive_near(bool blocking) {
  bool moved = false;
  if (const int error = near_.take(stage_->near, moved)) return error;
  if (const int error = run_ready()) return error;
  if (const std::size_t before = vertices_.unsent(); before > 0) {
    if (const int error = wire_.advance(stage_->sends)) return error;
    moved = moved || vertices_.unsent() != before;
    if (const int error = run_ready()) return error;
  }
  if (!vertices_.are_complete() && wire_.under_way() > 0) {
    const std::size_t before = wire_.under_way();
    if (const int error = wire_.take_some(false)) return error;
    moved = moved || wire_.under_way() != before;
    if (const int error = run_ready()) return error;
  }
  const bool is_complete = vertices_.are_complete();
  if (notes_.are_wanted() && blocking) [[unlikely]]
    notes_.wait(moved || is_complete);
  if (moved || is_complete)
    patience_.moved();
  else if (blocking)
    near_.wait(stage_->near, stage_->sends, wire_.under_way() > 0);
  return is_complete ? end_stage() : MPI_SUCCESS;
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

/// Gives back the caller's buffers.
int MpiExecution::abandon(int error) {
  wire_.cancel();
  vertices_.abandon();
  near_.fail();
  if (bound_.binding.comm != MPI_COMM_NULL) wire_.drain();
  near_.sender().abandon();
  done_ = true;
  return error;
}

}  // namespace tutti::core
