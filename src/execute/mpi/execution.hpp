#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>

#include "algorithms/registry.hpp"
#include "execute/node/channels.hpp"
#include "execute/program.hpp"
#include "execute/recorder.hpp"
#include "reduce/mpi_reduction.hpp"
#include "topology/transport.hpp"

namespace tutti::core {

/// How messages are cut, and how many pieces are under way at a time: of all that is sent, and of
/// what comes from each rank. Decision 8 tells why.
struct Pieces {
  std::size_t bytes = 32 * 1024;         // below an MPI's eager size
  std::size_t near_bytes = 1024 * 1024;  // within a node, where one copy does
  std::size_t in_flight = 2;
};

/// Memory that plans work in; those that never run at the same time may share it. Not initialised:
/// what nobody touches costs nothing.
class Workspace {
 public:
  enum Use { scratch, staging, bounce };
  char* at(Use use) const { return rooms_[use].memory.get(); }
  /// At least so many bytes; the first `kept` stay as they are.
  void need(Use use, std::size_t bytes, std::size_t kept = 0) {
    Room& room = rooms_[use];
    if (bytes <= room.bytes) return;
    auto memory = std::make_unique_for_overwrite<char[]>(bytes);
    if (kept > 0) std::memcpy(memory.get(), room.memory.get(), kept);
    room = {std::move(memory), bytes};
  }
  std::size_t bytes() const { return rooms_[0].bytes + rooms_[1].bytes + rooms_[2].bytes; }

 private:
  struct Room {
    std::unique_ptr<char[]> memory;
    std::size_t bytes = 0;
  } rooms_[3];
};

/// What a plan is bound to when it starts. Nothing of it is kept: handles may be freed afterwards.
struct Binding {
  const void* input = nullptr;
  void* output = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int tag = 0;
  const Reduction* reduction = nullptr;
  Channels* channels = nullptr;  // to the ranks of this node; null: the MPI takes theirs, too
  std::uint32_t call = 0;        // its number on the communicator, the same on all ranks
  Recorder* recorder = nullptr;  // where what is done is noted; null: nobody asks
  std::uint32_t recorded = 0;    // the call's number there
  bool blocks = false;           // nothing else is to go on meanwhile: start may wait
};

/// One rank's schedule on MPI point-to-point messages of bytes, and on channels through memory to
/// the ranks of its node. Resumable: start, progress, done. When a call is repeated it allocates
/// nothing.
class MpiExecution {
 public:
  /// `places` tells by rank its place on this one's node; -1: it is on another. `has_channels`:
  /// bindings have channels to those of this node.
  MpiExecution(const Algorithm& algorithm, const Call& call, const Parameters& parameters,
               const Pieces& pieces, const std::vector<int>& places, bool has_channels,
               std::shared_ptr<Workspace> workspace);

  /// All return an MPI error code. After an error nothing is under way any more.
  int start(const Binding& binding);
  int progress();
  int wait();
  bool done() const { return done_; }
  /// Bytes that it alone keeps beside the schedule.
  std::size_t memory() const { return workspace_.use_count() > 1 ? 0 : workspace_->bytes(); }

 private:
  struct Piece {
    std::uint32_t vertex;
    std::size_t from, count;  // elements
  };
  struct State {
    std::uint32_t before_post, before_work;
    std::size_t posted, arrived;  // elements
    std::size_t usable;           // elements, from the first on, of what was received
    std::uint64_t ahead;          // bits: the pieces behind `usable` that came before their turn
    std::size_t piece;            // elements
    int place;                    // of its peer, on this node; -1: elsewhere
    bool combines_early, is_paced;
    NeighbourRound round;  // that it belongs to
  };
  /// What a neighbour is to read in this rank's memory.
  struct Offer {
    std::uint32_t vertex;
    std::uint64_t number;  // of the message
    std::size_t count;     // elements
  };
  /// Messages in their order: which comes next, and how much is under way.
  struct Queue {
    std::uint32_t next;
    Rank peer;              // of the last piece
    std::size_t under_way;  // elements
  };
  /// What a rank does next, where all it sends and receives is small and stays on its node.
  struct Step {
    std::uint32_t vertex;    // of the program
    int place;               // of its peer
    bool repeats;            // sends what the step before has sent
    std::uint32_t last = 0;  // a receive: behind the last one of its round
  };
  /// What is run before the schedule learns more, or ends. Kept, since a repeated call mostly
  /// learns the same.
  struct Stage {
    Program program;
    std::vector<Step> steps;              // none: the program is run as its messages come
    std::vector<State> states;            // of the vertices, when the stage begins
    std::vector<Queue> queues;            // likewise
    std::vector<std::uint32_t> near;      // queues of what comes from this node's ranks
    std::uint32_t sends = Program::none;  // the queue of what goes out
    std::size_t messages = 0, sent = 0;
    std::size_t actions = 0;  // of the stages before
    std::size_t paced = 0;    // elements
    bool combines = false;
    std::size_t rounds = 0;           // of the schedule, those of the stages before included
    std::size_t scratch = 0;          // elements, likewise
    std::vector<Constant> constants;  // all so far, written when the stage begins
    bool is_last = true;
    bool is_one_message = false;       // and nothing else, which MPI takes as it is
    Slice learns{};                    // where what it learns stands
    std::vector<std::size_t> learned;  // on which the next stage is built
  };
  void make_stage(const Generator& generator);
  void note_neighbours(Stage& stage, const Schedule& schedule, std::size_t first_round) const;
  void make_steps(Stage& stage, const Schedule& schedule) const;
  int begin_stage(std::size_t number);
  int pass_message();
  int end_stage();
  int run_ready();
  int post(std::uint32_t vertex);
  bool has_room(const Queue& queue, const Program::Vertex& vertex, const State& state,
                std::size_t count) const;
  int advance(std::uint32_t queue);
  int post_piece(std::uint32_t vertex, std::size_t count);
  /// How long the piece from `from` on is. The first of several is a half one: pieces that share a
  /// line would else end together, and leave it idle together. A small rest stays with the last.
  static std::size_t next_piece(const Program::Vertex& vertex, const State& state,
                                std::size_t from) {
    const std::size_t rest = vertex.count - from, half = state.piece / 2;
    if (rest <= state.piece + half) return rest;
    return from == 0 && half > 0 ? half : state.piece;
  }
  std::size_t ready(const Program::Vertex& vertex) const;
  /// Whether what came may be sent on piece by piece. Then no piece runs further ahead of the first
  /// that is missing than there are bits to note it.
  static bool notes_pieces(const Program::Vertex& vertex, const State& state) {
    return vertex.is_streamed && (state.combines_early || !vertex.staged);
  }
  void note_piece(const Piece& piece);
  void wake_streams(const Program::Vertex& vertex);
  /// A message of this call, or of an earlier one.
  bool is_due(std::uint32_t call) const {
    return static_cast<std::int32_t>(binding_.call - call) >= 0;
  }
  bool discard_due(bool and_this_call);
  int work(std::uint32_t vertex);
  int work_local(std::uint32_t vertex);
  int combine(const Program::Vertex& vertex, std::size_t from, std::size_t count);
  int apply(Side side, const char* incoming, const char* other, char* result,
            std::size_t count) const {
    return side == Side::left ? binding_.reduction->apply(incoming, other, result, count)
                              : binding_.reduction->apply(other, incoming, result, count);
  }
  /// Combines what a message brought for `mine`, a place in its target.
  int apply(const Program::Vertex& vertex, const char* incoming, char* mine,
            std::size_t count) const {
    const char* other = mine;
    if (vertex.from_first != vertex.from_last)
      other = address(program_->slices[vertex.from_first]) +
              (mine - address(program_->slices[vertex.first]));
    return apply(vertex.side, incoming, other, mine, count);
  }
  /// Where elements [from, from + count) of a message stand here, piece by piece, until one fails:
  /// `work` gets the address and the number of elements, and returns an MPI error code.
  template <class Work>
  int walk(const Program::Vertex& vertex, std::size_t from, std::size_t count, Work&& work) const {
    for (std::uint32_t i = vertex.first; i < vertex.last && count > 0; ++i) {
      const Slice& slice = program_->slices[i];
      if (from >= slice.count) {
        from -= slice.count;
        continue;
      }
      const std::size_t part = std::min(count, slice.count - from);
      if (const int error = work(address(slice) + bytes(from), part)) return error;
      count -= part;
      from = 0;
    }
    return MPI_SUCCESS;
  }
  void complete(std::uint32_t vertex);
  int arrived(std::size_t index);
  int drive(bool blocking);
  int drive_near(bool blocking);
  /// `noted`: what is done is recorded. Two functions, since small messages feel every branch.
  template <bool noted>
  int drive_steps(bool blocking);
  template <bool noted>
  int take_step(const Step& step, bool& taken);
  int drive_noted(bool blocking);
  void wait_step(const Step& step);
  bool send_small(const Program::Vertex& vertex, int place, bool repeats);
  bool send_near(Queue& queue);
  void end_near_send(Queue& queue, bool is_offered);
  static bool sends_same(const Program& program, const Program::Vertex& one,
                         const Program::Vertex& other);
  void gather(const Program::Vertex& vertex, std::size_t from, std::size_t count, char* to) const;
  int take_near(Queue& queue, bool& moved);
  int look(int place, Channels::Message& message, bool& is_there, bool& moved);
  int deliver(const Program::Vertex& vertex, int place, std::size_t from, std::size_t count,
              const Channels::Message& message);
  int deliver_noted(const Program::Vertex& vertex, int place, std::size_t from, std::size_t count,
                    const Channels::Message& message);
  int poll_near(bool& moved);
  bool anything_near() const;
  /// What is combined at a time from a neighbour's memory: so much stays in a core's own caches,
  /// and the kernel is not asked too often.
  std::size_t bounce_elements() const {
    return std::max<std::size_t>(1, 128 * 1024 / std::max<std::size_t>(1, element_));
  }
  void let_mpi_go_on() const;
  template <class Messages, class IsReady>
  void wait_for(bool for_reads, Messages&& messages, IsReady&& is_ready);
  void wait_near();
  int take_some(bool blocking);

  bool is_noted() const { return binding_.recorder != nullptr; }
  void note_begin(std::uint32_t vertex) {
    if (is_noted()) [[unlikely]]
      begins_[vertex] = binding_.recorder->now();
  }
  /// What began when note_begin said so. `end`: 0: now.
  void note_end(std::uint32_t vertex, std::int64_t end = 0) {
    if (is_noted()) [[unlikely]]
      note_message(vertex, end);
  }
  void note_message(std::uint32_t vertex, std::int64_t end);
  void note_work(std::uint32_t vertex, std::size_t count, std::int64_t begin) const;
  void note_wait(bool moved);
  /// Does work of a vertex, and notes it if that is asked for.
  template <class Work>
  int noting(std::uint32_t vertex, std::size_t count, Work&& work) {
    if (!is_noted()) [[likely]]
      return work();
    const std::int64_t begin = binding_.recorder->now();
    const int error = work();
    note_work(vertex, count, begin);
    return error;
  }
  std::uint32_t number_of(const Program::Vertex& vertex) const {
    return static_cast<std::uint32_t>(&vertex - program_->vertices.data());
  }
  void drain();
  int abandon(int error);

  std::size_t bytes(std::size_t elements) const { return elements * element_; }
  char* address(const Slice& slice) const {
    return bases_[static_cast<int>(slice.buffer)] + bytes(slice.offset);
  }
  char* staging(const Program::Vertex& vertex) const { return bases_[3] + bytes(vertex.staging); }

  const Algorithm& algorithm_;
  const Call call_;
  const Parameters parameters_;
  const std::size_t element_;             // bytes
  const std::size_t piece_, near_piece_;  // elements
  const std::size_t in_flight_;
  const bool relays_, has_channels_;
  const std::vector<int>& places_;
  const bool has_other_nodes_;
  std::deque<Stage> stages_;

  std::size_t stage_ = 0;
  const Program* program_ = nullptr;
  bool done_ = true;
  Binding binding_;
  char* bases_[4] = {};
  const std::shared_ptr<Workspace> workspace_;
  std::vector<std::size_t> learned_;
  std::vector<State> states_;
  std::vector<Queue> queues_;
  std::vector<std::uint32_t> to_post_, to_work_;
  std::size_t open_vertices_ = 0, unposted_ = 0;
  std::size_t to_pace_ = 0;  // elements that are still to be sent with an answer
  std::vector<MPI_Request> requests_;
  std::vector<Piece> pieces_;
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;

  Channels* channels_ = nullptr;
  std::vector<Offer> offers_;
  std::size_t unsent_ = 0;  // messages
  /// What the next send waits for: nothing of the channels', a line to its peer, or the board.
  enum class Blocked : std::uint8_t { no, line, board } blocked_ = Blocked::no;
  unsigned idle_ = 0;  // looks in vain since something came

  std::size_t step_ = 0;
  const char* on_board_ = nullptr;  // what was sent last

  // Where what is done is noted.
  std::vector<std::int64_t> begins_;               // of the vertices
  std::int64_t came_ = 0;                          // when the last look found something
  std::int64_t waits_since_ = 0, step_since_ = 0;  // 0: does not
};

}  // namespace tutti::core
