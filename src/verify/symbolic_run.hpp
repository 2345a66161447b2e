#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "verify/symbolic.hpp"
#include "verify/verify.hpp"

namespace tutti::core {

/// Runs all ranks symbolically. Every send is synchronous: a round ends when all its messages have
/// met.
class SymbolicRun {
 public:
  /// Of complete schedules, or of generators that are driven stage by stage: the other is null.
  SymbolicRun(const Problem& problem, const std::vector<Schedule>* schedules,
              std::vector<Generator>* generators, std::string name)
      : problem_(problem), schedules_(schedules), generators_(generators), name_(std::move(name)) {}

  std::vector<Finding> run();

  /// Called with rank and round whenever a round has ended (round -1: before the first).
  std::function<void(Rank, int)> on_round;

  const Expressions& expressions() const { return expressions_; }
  /// What a rank's buffer holds by now.
  const Contents& contents(Rank r, Buffer buffer) const {
    return states_[r].buffers[static_cast<int>(buffer)];
  }

 private:
  /// What a message carries: symbolic data and, for a barrier, who is known to have entered.
  struct Payload {
    std::vector<Piece> pieces;
    std::size_t count = 0;
    std::vector<bool> entered;
  };

  /// One end of a message that waits for the other.
  struct Posted {
    Rank rank;
    int action;
    std::size_t payload;
  };

  struct State {
    int round = -1;
    int open = 0;  // messages of the round that have not met their other end
    bool done = false;
    Contents buffers[3];
    std::vector<bool> entered;
    std::vector<std::pair<int, std::size_t>> arrived;  // action, payload

    Contents& contents(Buffer buffer) { return buffers[static_cast<int>(buffer)]; }
  };

  const Schedule& schedule(Rank r) const {
    return generators_ ? (*generators_)[r].schedule() : (*schedules_)[r];
  }
  void find(Rank rank, int action, long index, std::string message);

  void prepare(Rank r);
  /// Scratch and its constants, as far as the stages so far declare them.
  void grow_scratch(Rank r, std::size_t first_constant);

  /// Runs rank r until a message of its round has to wait.
  void advance(Rank r);
  void begin_round(Rank r);
  /// Applies what the round receives, copies and combines, in the order listed.
  void finish_round(Rank r);
  void store(Rank r, int a, const std::vector<Piece>& incoming);

  std::size_t pack(Rank r, const Action& action);
  bool meet(const Posted& send, const Posted& recv);

  /// Hands what the stage learned to the generator, which appends the next one.
  bool go_on_to_next_stage(Rank r);
  /// A complete schedule was made for what its stages learned then: they must learn the same now.
  void check_learned(Rank r);
  /// The numbers that stand in a slice; nothing, and a finding, if anything else does.
  std::optional<std::vector<std::size_t>> numbers_in(Rank r, const Slice& slice);

  void look_for_deadlock();
  void compare();

  const Problem& problem_;
  const std::vector<Schedule>* schedules_;
  std::vector<Generator>* generators_;
  std::string name_;
  Expressions expressions_;
  std::deque<State> states_;
  std::vector<Contents> initial_outputs_;
  std::deque<Rank> ready_;
  std::unordered_map<std::uint64_t, std::deque<Posted>> waiting_;
  std::vector<Payload> payloads_;
  std::vector<std::size_t> free_payloads_;
  std::vector<Finding> findings_;
};

}  // namespace tutti::core
