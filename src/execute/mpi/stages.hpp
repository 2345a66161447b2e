// What is run before a schedule learns more, or ends.
#pragma once

#include <deque>
#include <vector>

#include "algorithms/registry.hpp"
#include "execute/mpi/rounds.hpp"
#include "execute/vertices.hpp"

namespace tutti::core {

/// How messages are cut, and how many pieces are under way at a time: of all that is sent, and of
/// what comes from each rank. Decision 8 tells why.
struct Cutting {
  std::size_t bytes = 32 * 1024;         // below an MPI's eager size
  std::size_t near_bytes = 1024 * 1024;  // within a node, where one copy does
  std::size_t in_flight = 2;
};

/// Elements of a piece: one, or an even number.
std::size_t piece_of(std::size_t bytes, std::size_t element);

/// Made once, and kept: a repeated call mostly learns the same.
struct Stage {
  Program program;
  std::vector<SmallStep> steps;         // none: the program is run as its messages come
  std::vector<VertexState> states;      // of the vertices, when the stage begins
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

class Stages {
 public:
  /// `here`: the ranks of this one's node.
  Stages(const Algorithm& algorithm, const Call& call, const Parameters& parameters,
         const Cutting& cutting, const NodeRanks& here, bool has_channels);

  const Stage& operator[](std::size_t number) const { return stages_[number]; }
  const Stage& last() const { return stages_.back(); }
  /// What the stage has learned stands there. True: the next one is new, or another than before.
  bool learn(std::size_t number, const char* memory);

 private:
  void make(const Generator& generator);
  void add_states(Stage& stage) const;
  void note_neighbours(Stage& stage, const Schedule& schedule, std::size_t first_round) const;
  std::size_t bytes(std::size_t elements) const { return elements * call_.element_bytes; }

  const Algorithm& algorithm_;
  const Call call_;
  const Parameters parameters_;
  const std::size_t piece_, near_piece_;  // elements
  const bool relays_, has_channels_;
  const NodeRanks& here_;
  std::vector<std::size_t> learned_;
  std::deque<Stage> stages_;
};

}  // namespace tutti::core
