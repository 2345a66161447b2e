// A schedule whose messages are all small and stay on the node: round by round, without a book.
#pragma once

#include <vector>

#include "execute/mpi/local_work.hpp"
#include "execute/mpi/near.hpp"

namespace tutti::core {

/// What a rank does next, where all it sends and receives is small and stays on its node.
struct SmallStep {
  std::uint32_t vertex;    // of the program
  int place;               // of its peer
  bool repeats;            // sends what the step before has sent
  std::uint32_t last = 0;  // a receive: behind the last one of its round
};

/// A stage of small messages between ranks of this node needs no book of who waits for whom: a rank
/// does its rounds one after the other, sends first. All that it sends in a round fits into lines
/// and board, and so does all that comes in one: nobody waits for room while others wait for it.
/// None: some message is large, or goes elsewhere. `states`: of the program's vertices.
std::vector<SmallStep> small_steps_of(const Schedule& schedule, const Program& program,
                                      const std::vector<VertexState>& states,
                                      std::size_t element_bytes);

class Rounds {
 public:
  Rounds(const Bound& bound, Notes& notes, Near& near, const LocalWork& work, Patience& patience)
      : bound_(bound), notes_(notes), near_(near), work_(work), patience_(patience) {}

  void begin(const std::vector<SmallStep>& steps) {
    steps_ = &steps;
    next_ = 0;
  }
  bool are_done() const { return next_ == steps_->size(); }
  /// Goes on as far as it may, if `blocking` to the end. `noted`: what is done is recorded. Two
  /// functions, since small messages feel every branch.
  template <bool noted>
  int drive(bool blocking);

 private:
  template <bool noted>
  int take(const SmallStep& step, bool& taken);
  void wait(const SmallStep& step);

  const Bound& bound_;
  Notes& notes_;
  Near& near_;
  const LocalWork& work_;
  Patience& patience_;
  const std::vector<SmallStep>* steps_ = nullptr;
  std::size_t next_ = 0;
};

}  // namespace tutti::core
