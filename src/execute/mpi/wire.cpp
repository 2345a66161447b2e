// Pieces of messages: posted while there is room, and taken as they come.

#include "execute/mpi/wire.hpp"

#include <algorithm>
#include <limits>

namespace tutti::core {

namespace {

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

/// If all went out at once all would come in late, and the first of it is what others wait for:
/// only so much is under way to one rank, and the next one has to wait till almost all of it has
/// come.
bool Wire::has_room(const Queue& queue, const Program::Vertex& vertex, const VertexState& state,
                    std::size_t count) const {
  if (state.posted == 0 && vertex.kind == Kind::send && !state.is_paced) return true;
  if (queue.peer != vertex.peer) return queue.under_way <= state.piece / 2;
  // A last piece with its rest counts as one: it must not wait until the line is idle.
  return queue.under_way + std::min(count, state.piece) <= in_flight_ * state.piece;
}

int Wire::advance(std::uint32_t number) {
  Queue& queue = vertices_.queue(number);
  while (queue.next != Program::none) {
    const Program::Vertex& vertex = vertices_.vertex(queue.next);
    VertexState& state = vertices_.state(queue.next);
    if (near_.channels() != nullptr && state.place >= 0) {
      if (vertex.kind != Kind::send || !near_.sender().send(queue)) break;
      continue;
    }
    const std::size_t count = state.next_piece(vertex, state.posted);
    const std::size_t window = in_flight_ * state.piece;
    if (state.before_post > 0 || (queue.under_way > 0 && !has_room(queue, vertex, state, count)))
      break;
    if (state.notes_pieces(vertex) && state.posted - state.usable + state.piece / 2 >= window)
      break;
    if (vertex.first_source != vertex.last_source && vertices_.ready(vertex) < state.posted + count)
      break;
    if (state.posted == 0) {
      notes_.begin(queue.next);
      state.combines_early = vertex.kind == Kind::recv_reduce && state.before_work == 0;
      if (vertex.staged && vertex.kind == Kind::send)
        bound_.gather(vertex, 0, vertex.count, bound_.staging(vertex));
    }
    if (const int error = post_piece(queue.next, count)) return error;
    queue.under_way += count;
    queue.peer = vertex.peer;
    if (state.posted == vertex.count) vertices_.leave(queue);
  }
  return MPI_SUCCESS;
}

int Wire::post_piece(std::uint32_t number, std::size_t count) {
  const Program::Vertex& vertex = vertices_.vertex(number);
  VertexState& state = vertices_.state(number);
  const std::size_t from = state.posted;
  char* const memory = vertex.count == 0 ? nullptr : bound_.memory(vertex) + bound_.bytes(from);
  const int length = static_cast<int>(bound_.bytes(count));
  const Binding& binding = bound_.binding;
  requests_.push_back(MPI_REQUEST_NULL);
  pieces_.push_back({number, from, count});
  state.posted += count;
  // The end of a paced piece tells that it was received, not just that it left. The last one need
  // not tell: nobody waits behind it.
  const bool tells = state.is_paced && to_pace_ > 0 && (to_pace_ -= count) > 0;
  return vertex.kind == Kind::send
             ? (tells ? PMPI_Issend : PMPI_Isend)(memory, length, MPI_BYTE, vertex.peer,
                                                  binding.tag, binding.comm, &requests_.back())
             : PMPI_Irecv(memory, length, MPI_BYTE, vertex.peer, binding.tag, binding.comm,
                          &requests_.back());
}

int Wire::arrived(std::size_t index) {
  // Their order stays: MPI_Waitany takes the first that has come, and none may wait for ever.
  const MessagePiece piece = pieces_[index];
  requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(index));
  pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(index));
  const Program::Vertex& vertex = vertices_.vertex(piece.vertex);
  VertexState& state = vertices_.state(piece.vertex);
  state.arrived += piece.count;
  vertices_.queue(vertex.queue).under_way -= piece.count;
  if (state.arrived == vertex.count) notes_.end_as_it_came(piece.vertex);
  if (state.combines_early)
    if (const int error = work_.combine(vertex, piece.from, piece.count)) return error;
  if (state.notes_pieces(vertex) && state.arrived < vertex.count) vertices_.note_piece(piece);
  if (const int error = advance(vertex.queue)) return error;
  if (state.arrived < vertex.count || state.before_work > 0) return MPI_SUCCESS;
  vertices_.end_message(piece.vertex,
                        !state.combines_early && vertex.staged && vertex.kind != Kind::send);
  return MPI_SUCCESS;
}

[[gnu::flatten]] int Wire::take(bool blocking, bool in_turn) {
  const std::size_t number = requests_.size();
  if (blocking && vertices_.unposted() == 0 && (number <= 2 || in_turn)) {
    // Once all is posted nobody waits for more from here: one after the other will do. (Open MPI
    // hangs in MPI_Waitall after an error, and MPICH loses its class.)
    for (std::size_t i = number; i-- > 0;) {
      if (const int error = PMPI_Wait(&requests_[i], MPI_STATUS_IGNORE)) return error;
      if (const int error = arrived(i)) return error;
    }
    return MPI_SUCCESS;
  }
  if (!blocking || number > few) return take_some(blocking);
  int index = 0;
  if (const int error =
          PMPI_Waitany(static_cast<int>(number), requests_.data(), &index, MPI_STATUS_IGNORE))
    return error;
  return arrived(static_cast<std::size_t>(index));
}

int Wire::take_some(bool blocking) {
  if (indices_.size() < requests_.size()) {
    indices_.resize(requests_.capacity());
    statuses_.resize(requests_.capacity());
  }
  int finished = 0;
  if (notes_.are_wanted() && blocking) notes_.wait(false);
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
  notes_.came();
  if (notes_.are_wanted() && blocking) notes_.wait(true);
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

int Wire::pass(const Program::Vertex& vertex) const {
  char* const memory = vertex.count == 0 ? nullptr : bound_.memory(vertex);
  const int length = static_cast<int>(bound_.bytes(vertex.count));
  const Binding& binding = bound_.binding;
  return vertex.kind == Kind::send
             ? PMPI_Send(memory, length, MPI_BYTE, vertex.peer, binding.tag, binding.comm)
             : PMPI_Recv(memory, length, MPI_BYTE, vertex.peer, binding.tag, binding.comm,
                         MPI_STATUS_IGNORE);
}

void Wire::cancel() {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    if (vertices_.vertex(pieces_[i].vertex).kind == Kind::send) {
      PMPI_Request_free(&requests_[i]);
    } else {
      PMPI_Cancel(&requests_[i]);
      PMPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
    }
  }
  requests_.clear();
  pieces_.clear();
}

void Wire::drain() {
  const Binding& binding = bound_.binding;
  std::vector<char> memory;
  double last = PMPI_Wtime();
  while (PMPI_Wtime() - last < patience) {
    if (near_.discard_due(true)) last = PMPI_Wtime();
    int there = 0, length = 0;
    MPI_Status status;
    if (PMPI_Iprobe(MPI_ANY_SOURCE, binding.tag, binding.comm, &there, &status) != MPI_SUCCESS)
      return;
    if (!there) continue;
    PMPI_Get_count(&status, MPI_BYTE, &length);
    memory.resize(static_cast<std::size_t>(length));
    PMPI_Recv(memory.data(), length, MPI_BYTE, status.MPI_SOURCE, binding.tag, binding.comm,
              MPI_STATUS_IGNORE);
    last = PMPI_Wtime();
  }
}

}  // namespace tutti::core
