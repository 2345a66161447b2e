// The operations of a communicator's blocking calls.

#pragma once

#include <array>
#include <memory>

#include "api/call/operation.hpp"

namespace tutti::core {

/// A call that is made again finds its description, and the plan for it. Before there are plans
/// only the last one does: a communicator may not live long.
class BlockingCalls {
 public:
  explicit BlockingCalls(CommunicatorState& state)
      : state_(state), passing_(std::make_unique<Operation>(state)) {}

  /// The operation that describes it, or one to be cleared and described.
  /// There is one call at a time; those that a program makes in turns are remembered.
  Operation& find(const Arguments& arguments, bool& described) {
    described = true;
    for (const auto& each : blocking_[arguments.place(blocking_.size())])
      if (each != nullptr && each->is_for(arguments)) return *each;
    described = passing_->is_for(arguments);
    return *passing_;
  }
  /// It is none of those that are remembered.
  bool is_passing(const Operation& operation) const { return &operation == passing_.get(); }
  /// The one that was described last, of these arguments, serves the next calls with them, if it
  /// lasts.
  void remember(const Arguments& arguments);
  /// Gives back the memory in which data are packed.
  void drop_rooms();

 private:
  CommunicatorState& state_;
  /// Calls that come again, each at one of four places, the last one first; and the one that is
  /// new, or does not last.
  std::array<std::array<std::unique_ptr<Operation>, 4>, 16> blocking_;
  std::unique_ptr<Operation> passing_;
};

}  // namespace tutti::core
