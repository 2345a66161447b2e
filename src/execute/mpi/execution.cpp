#include "execute/mpi/execution.hpp"

#include <algorithm>
#include <cstring>

namespace tutti {

namespace {

/// Staging beyond this much makes messages wait for each other.
constexpr std::size_t most_staging_bytes = 16u << 20;

}  // namespace

MpiExecution::MpiExecution(const Algorithm& algorithm, const Call& call,
                           const Parameters& parameters, const Elements& elements,
                           const Pieces& pieces)
    : generator_(std::make_unique<Generator>(algorithm, call, parameters)),
      elements_(elements),
      cut_(pieces),
      learns_(!generator_->finished()) {
  begin_stage(0);
}

void MpiExecution::begin_stage(std::size_t first_round) {
  const Schedule& schedule = generator_->schedule();
  program_ =
      compile(schedule, first_round, most_staging_bytes / std::max<std::size_t>(1, elements_.size));
  rounds_done_ = schedule.round_count();
  scratch_.resize(elements_.bytes(schedule.scratch));
  staging_.resize(std::max(staging_.size(), elements_.bytes(program_.staging)));
  states_.resize(program_.nodes.size());
  to_post_.reserve(program_.nodes.size());
  to_work_.reserve(program_.nodes.size());
}

int MpiExecution::start(const Binding& binding) {
  binding_ = binding;
  done_ = false;
  bases_[0] = const_cast<char*>(static_cast<const char*>(binding.input));
  bases_[1] = static_cast<char*>(binding.output);
  bind_room();
  for (const Constant& constant : generator_->schedule().constants)
    std::memcpy(scratch_.data() + constant.offset, &constant.value, sizeof constant.value);
  open_nodes_ = program_.nodes.size();
  for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
    const Program::Node& node = program_.nodes[i];
    states_[i] = {node.before_post, node.before_work, 0, 0, false};
  }
  to_post_.assign(program_.start.rbegin(), program_.start.rend());
  if (const int error = run_ready()) return error;
  return open_nodes_ == 0 ? next_stage() : MPI_SUCCESS;
}

void MpiExecution::bind_room() {
  bases_[2] = scratch_.data() + elements_.first(generator_->schedule().scratch);
  bases_[3] = staging_.data() + elements_.first(program_.staging);
}

/// Bytes that are not of the datatype's map are left alone.
int MpiExecution::copy(const char* from, char* to, std::size_t count) {
  if (elements_.contiguous) {
    std::memcpy(to, from, count * elements_.size);
    return MPI_SUCCESS;
  }
  const int number = static_cast<int>(count);
  return PMPI_Sendrecv(from, number, binding_.type, 0, 0, to, number, binding_.type, 0, 0,
                       MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int MpiExecution::run_ready() {
  while (!to_post_.empty() || !to_work_.empty()) {
    auto& ready = to_work_.empty() ? to_post_ : to_work_;
    const bool works = &ready == &to_work_;
    const std::uint32_t node = ready.back();
    ready.pop_back();
    if (const int error = works ? work(node) : post(node)) return error;
  }
  return MPI_SUCCESS;
}

int MpiExecution::post(std::uint32_t number) {
  const Program::Node& node = program_.nodes[number];
  if (node.kind == Kind::copy || node.kind == Kind::reduce) return work(number);
  State& state = states_[number];
  if (node.staged && node.kind == Kind::send) {
    char* to = staging(node);
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const Slice& slice = program_.slices[i];
      if (const int error = copy(address(slice), to, slice.count)) return error;
      to += offset(slice.count);
    }
  }
  state.combines_early = node.kind == Kind::recv_reduce && state.before_work == 0;
  for (std::size_t i = 0; i < cut_.in_flight && (i == 0 || state.posted < node.count); ++i)
    if (const int error = post_piece(number)) return error;
  return MPI_SUCCESS;
}

int MpiExecution::post_piece(std::uint32_t number) {
  const Program::Node& node = program_.nodes[number];
  State& state = states_[number];
  const std::size_t piece = std::max<std::size_t>(1, cut_.bytes / elements_.size);
  const std::size_t from = state.posted, count = std::min(piece, node.count - from);
  char* memory = node.count == 0 ? nullptr
                 : node.staged   ? staging(node)
                                 : address(program_.slices[node.first]);
  memory += offset(from);
  const int number_of = static_cast<int>(elements_.contiguous ? count * elements_.size : count);
  const MPI_Datatype type = elements_.contiguous ? MPI_BYTE : binding_.type;
  requests_.push_back(MPI_REQUEST_NULL);
  pieces_.push_back({number, from, count});
  state.posted += count;
  const int error = node.kind == Kind::send
                        ? PMPI_Isend(memory, number_of, type, node.peer, binding_.tag,
                                     binding_.comm, &requests_.back())
                        : PMPI_Irecv(memory, number_of, type, node.peer, binding_.tag,
                                     binding_.comm, &requests_.back());
  if (error) return error;
  if (state.posted == node.count && node.next_of_peer != Program::none &&
      --states_[node.next_of_peer].before_post == 0)
    to_post_.push_back(node.next_of_peer);
  return MPI_SUCCESS;
}

int MpiExecution::combine(const Program::Node& node, std::size_t from, std::size_t count) {
  // The target may be several slices; the incoming elements stand one after the other.
  const char* incoming = staging(node) + offset(from);
  for (std::uint32_t i = node.first; i < node.last && count > 0; ++i) {
    const Slice& slice = program_.slices[i];
    if (from >= slice.count) {
      from -= slice.count;
      continue;
    }
    const std::size_t part = std::min(count, slice.count - from);
    char* mine = address(slice) + offset(from);
    const int error = node.side == Side::left
                          ? binding_.reduction->apply(incoming, mine, mine, part)
                          : binding_.reduction->apply(mine, incoming, mine, part);
    if (error) return error;
    incoming += offset(part);
    count -= part;
    from = 0;
  }
  return MPI_SUCCESS;
}

/// Does what remains when all has come: local actions, and what staged messages leave to do.
int MpiExecution::work(std::uint32_t number) {
  const Program::Node& node = program_.nodes[number];
  if (node.kind == Kind::copy || node.kind == Kind::reduce) {
    std::uint32_t f = node.from_first, t = node.first;
    std::size_t used_f = 0, used_t = 0;
    while (t < node.last) {
      const Slice &from = program_.slices[f], &to = program_.slices[t];
      const std::size_t count = std::min(from.count - used_f, to.count - used_t);
      const char* source = address(from) + offset(used_f);
      char* target = address(to) + offset(used_t);
      if (node.kind == Kind::copy) {
        if (const int error = copy(source, target, count)) return error;
      } else if (const int error = node.side == Side::left
                                       ? binding_.reduction->apply(source, target, target, count)
                                       : binding_.reduction->apply(target, source, target, count)) {
        return error;
      }
      if ((used_f += count) == from.count) ++f, used_f = 0;
      if ((used_t += count) == to.count) ++t, used_t = 0;
    }
  } else if (node.kind == Kind::recv_reduce && !states_[number].combines_early) {
    if (const int error = combine(node, 0, node.count)) return error;
  } else if (node.kind == Kind::recv && node.staged) {
    const char* from = staging(node);
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const Slice& slice = program_.slices[i];
      if (const int error = copy(from, address(slice), slice.count)) return error;
      from += offset(slice.count);
    }
  }
  complete(number);
  return MPI_SUCCESS;
}

void MpiExecution::complete(std::uint32_t number) {
  --open_nodes_;
  const Program::Node& node = program_.nodes[number];
  for (std::uint32_t i = node.first_after; i < node.last_after; ++i) {
    const Program::After& after = program_.after[i];
    State& other = states_[after.node];
    if (after.to_post) {
      if (--other.before_post == 0) to_post_.push_back(after.node);
    } else if (--other.before_work == 0 && other.posted > 0 &&
               other.arrived == program_.nodes[after.node].count) {
      to_work_.push_back(after.node);
    }
  }
}

int MpiExecution::arrived(std::size_t index) {
  const Piece piece = pieces_[index];
  requests_[index] = requests_.back();
  pieces_[index] = pieces_.back();
  requests_.pop_back();
  pieces_.pop_back();
  const Program::Node& node = program_.nodes[piece.node];
  State& state = states_[piece.node];
  state.arrived += piece.count;
  if (state.combines_early)
    if (const int error = combine(node, piece.from, piece.count)) return error;
  if (state.posted < node.count)
    if (const int error = post_piece(piece.node)) return error;
  if (state.arrived == node.count && (node.kind == Kind::send || state.before_work == 0))
    to_work_.push_back(piece.node);
  return MPI_SUCCESS;
}

int MpiExecution::next_stage() {
  if (generator_->finished()) {
    done_ = true;
    return MPI_SUCCESS;
  }
  const Slice& slice = generator_->schedule().stages.back().slice;
  std::vector<std::size_t> learned(slice.count / sizeof(std::uint64_t));
  std::memcpy(learned.data(), address(slice), slice.count);
  const std::size_t constants = generator_->schedule().constants.size();
  generator_->resume(learned);
  const Schedule& schedule = generator_->schedule();
  begin_stage(rounds_done_);
  bind_room();
  for (std::size_t i = constants; i < schedule.constants.size(); ++i)
    std::memcpy(scratch_.data() + schedule.constants[i].offset, &schedule.constants[i].value,
                sizeof(std::uint64_t));
  open_nodes_ = program_.nodes.size();
  for (std::size_t i = 0; i < program_.nodes.size(); ++i)
    states_[i] = {program_.nodes[i].before_post, program_.nodes[i].before_work, 0, 0, false};
  to_post_.assign(program_.start.rbegin(), program_.start.rend());
  if (const int error = run_ready()) return error;
  return open_nodes_ == 0 ? next_stage() : MPI_SUCCESS;
}

int MpiExecution::drive(bool blocking) {
  if (requests_.size() == 1 && blocking) {
    if (const int error = PMPI_Wait(&requests_[0], MPI_STATUS_IGNORE)) return error;
    if (const int error = arrived(0)) return error;
  } else {
    const int number = static_cast<int>(requests_.size());
    indices_.resize(requests_.size());
    int finished = 0;
    const int error = blocking ? PMPI_Waitsome(number, requests_.data(), &finished, indices_.data(),
                                               MPI_STATUSES_IGNORE)
                               : PMPI_Testsome(number, requests_.data(), &finished, indices_.data(),
                                               MPI_STATUSES_IGNORE);
    if (error) return error;
    if (finished == MPI_UNDEFINED) return MPI_SUCCESS;
    // From the last index down: taking one out moves the last into its place. New pieces are
    // appended.
    std::sort(indices_.begin(), indices_.begin() + finished);
    for (int i = finished; i-- > 0;)
      if (const int failed = arrived(static_cast<std::size_t>(indices_[i]))) return failed;
  }
  if (const int error = run_ready()) return error;
  return open_nodes_ == 0 ? next_stage() : MPI_SUCCESS;
}

int MpiExecution::progress() { return done_ ? MPI_SUCCESS : drive(false); }

int MpiExecution::wait() {
  while (!done_)
    if (const int error = drive(true)) return error;
  return MPI_SUCCESS;
}

}  // namespace tutti
