// A stage is compiled once: who waits for whom, which pieces, which way each message goes.

#include "execute/mpi/stages.hpp"

#include <algorithm>
#include <cstring>

#include "execute/elide_copies.hpp"
#include "execute/relays.hpp"

namespace tutti::core {

namespace {

/// Staging beyond this much makes messages wait for each other.
constexpr std::size_t most_staging_bytes = 16u << 20;

/// Smaller messages are not worth an answer each.
constexpr std::size_t least_paced_bytes = 1024;

}  // namespace

std::size_t piece_of(std::size_t bytes, std::size_t element) {
  const std::size_t elements = bytes / std::max<std::size_t>(1, element);
  return elements < 2 ? 1 : elements & ~std::size_t{1};
}

Stages::Stages(const Algorithm& algorithm, const Call& call, const Parameters& parameters,
               const Cutting& cutting, const NodeRanks& here, bool has_channels)
    : algorithm_(algorithm),
      call_(call),
      parameters_(parameters),
      piece_(piece_of(cutting.bytes, call.element_bytes)),
      near_piece_(piece_of(cutting.near_bytes, call.element_bytes)),
      relays_(relays(algorithm)),
      has_channels_(has_channels),
      here_(here) {
  make(Generator(algorithm_, call_, parameters_));
}

/// Compiles what the generator has appended since the last stage.
void Stages::make(const Generator& generator) {
  const Schedule schedule = elide_copies(generator.schedule(), !generator.finished());
  const std::size_t first = stages_.empty() ? 0 : stages_.back().rounds;
  const std::size_t actions =
      stages_.empty() ? 0 : stages_.back().actions + stages_.back().program.vertices.size();
  Stage& stage = stages_.emplace_back();
  stage.actions = actions;
  // Who runs rounds ahead would share a receiver's line with what is due. A sender that waits for
  // its receiver cannot, if that expects one round at a time. Small messages share no line.
  const bool has_other_nodes = here_.size() < call_.p;
  const bool in_step =
      relays_ && has_other_nodes &&
      std::any_of(schedule.actions.begin(), schedule.actions.end(), [&](const Action& action) {
        return action.receives() && bytes(schedule.count_of(action)) >= least_paced_bytes;
      });
  stage.program =
      compile(schedule, first, most_staging_bytes / std::max<std::size_t>(1, call_.element_bytes),
              in_step, has_channels_ ? here_ : NodeRanks{});
  stage.rounds = schedule.round_count();
  stage.scratch = schedule.scratch;
  stage.constants = schedule.constants;
  add_states(stage);
  stage.is_last = generator.finished();
  if (!stage.is_last) stage.learns = schedule.stages.back().slice;
  if (stage.program.vertices.size() == 1 && stage.is_last) {
    const Program::Vertex& vertex = stage.program.vertices[0];
    stage.is_one_message = (vertex.kind == Kind::send || vertex.kind == Kind::recv) &&
                           !vertex.staged &&
                           stage.states[0].next_piece(vertex, 0) == vertex.count &&
                           !(has_channels_ && stage.states[0].place >= 0);
  }
  note_neighbours(stage, schedule, first);
  if (stages_.front().is_last && call_.element_bytes > 0 && stage.messages > 0)
    stage.steps = small_steps_of(schedule, stage.program, stage.states, call_.element_bytes);
}

/// What vertices and queues begin with.
void Stages::add_states(Stage& stage) const {
  for (const Program::Vertex& vertex : stage.program.vertices) {
    const int place = vertex.peer >= 0 ? here_.place_of(vertex.peer) : -1;
    const bool is_near = place >= 0;
    VertexState& state = stage.states.emplace_back(VertexState{vertex.before_post,
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
                     (relays_ || state.next_piece(vertex, 0) < vertex.count);
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
}

/// What a rank does for its neighbours beside each message to them.
void Stages::note_neighbours(Stage& stage, const Schedule& schedule,
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

bool Stages::learn(std::size_t number, const char* memory) {
  Stage& stage = stages_[number];
  learned_.resize(stage.learns.count / sizeof(std::uint64_t));
  std::memcpy(learned_.data(), memory, stage.learns.count);
  if (stages_.size() > number + 1 && stage.learned == learned_) return false;
  stage.learned = learned_;
  stages_.resize(number + 1);
  Generator generator(algorithm_, call_, parameters_);
  for (const Stage& each : stages_) generator.resume(each.learned);
  make(generator);
  return true;
}

}  // namespace tutti::core
