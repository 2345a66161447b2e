// Where what an execution does is noted, if somebody asks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "execute/mpi/bound.hpp"

namespace tutti::core {

/// What a call's vertices did, and when, for its recorder. Without one it costs a look.
class Notes {
 public:
  explicit Notes(const Bound& bound) : bound_(bound) {}

  bool are_wanted() const { return bound_.binding.recorder != nullptr; }
  /// `actions`: of the stages before.
  void begin_stage(std::size_t actions);

  void begin(std::uint32_t vertex) {
    if (are_wanted()) [[unlikely]]
      begins_[vertex] = bound_.binding.recorder->now();
  }
  /// What began when `begin` said so.
  void end(std::uint32_t vertex) {
    if (are_wanted()) [[unlikely]]
      note_message(vertex, bound_.binding.recorder->now());
  }
  /// A look has found something, or nothing; what it found ends now.
  void came() {
    if (are_wanted()) [[unlikely]]
      came_ = bound_.binding.recorder->now();
  }
  void end_as_it_came(std::uint32_t vertex) {
    if (are_wanted()) [[unlikely]]
      note_message(vertex, came_);
  }
  /// From the first look in vain to the one that is not.
  void wait(bool moved);
  /// A message of a small round: it begins where the one before has ended.
  void begin_step() {
    if (step_since_ == 0) step_since_ = bound_.binding.recorder->now();
  }
  void end_step(std::uint32_t vertex) {
    begins_[vertex] = std::exchange(step_since_, 0);
    end(vertex);
  }
  /// Does work of a vertex, and notes it if that is asked for.
  template <class Work>
  int during(std::uint32_t vertex, std::size_t count, Work&& work) const {
    if (!are_wanted()) [[likely]]
      return work();
    const std::int64_t begin = bound_.binding.recorder->now();
    const int error = work();
    note_work(vertex, count, begin);
    return error;
  }

 private:
  void note_message(std::uint32_t vertex, std::int64_t end) const;
  void note_work(std::uint32_t vertex, std::size_t count, std::int64_t begin) const;

  const Bound& bound_;
  std::size_t actions_ = 0;
  std::vector<std::int64_t> begins_;               // of the vertices
  std::int64_t came_ = 0;                          // when the last look found something
  std::int64_t waits_since_ = 0, step_since_ = 0;  // 0: does not
};

}  // namespace tutti::core
