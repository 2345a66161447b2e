// A described call: MPI's arguments as a plan understands them.

#pragma once

#include "api/call/arguments.hpp"
#include "api/call/packed_buffer.hpp"
#include "reduce/mpi/reduction.hpp"
#include "schedule/problem.hpp"

namespace tutti::core {

class CommunicatorState;

/// What a call asks for, to be filled by describe.hpp. If it lasts, it serves all calls with the
/// same arguments.
class Description {
 public:
  explicit Description(CommunicatorState& state) : state_(state) {}

  /// Forgets what was described.
  void clear(Collective collective);
  /// The description is complete: if it lasts, it serves all calls with these arguments, as long as
  /// lists among them hold the same.
  void remember(const Arguments& arguments) {
    if (lasts) arguments_ = arguments;
  }
  /// Takes over the memory in which data are packed.
  void take_rooms(Description& other) {
    in.take_room(other.in);
    out.take_room(other.out);
  }
  void drop_rooms() {
    in.drop_room();
    out.drop_room();
  }
  bool is_remembered() const { return arguments_.is_call(); }
  bool is_for(const Arguments& arguments) const {
    return is_for_before(arguments) && lists.hold_the_same();
  }
  /// The same, but lists may hold something else by now.
  bool is_for_before(const Arguments& arguments) const {
    return is_remembered() && arguments_ == arguments;
  }
  bool combines() const { return op != MPI_OP_NULL; }
  CommunicatorState& state() const { return state_; }

  Call call;
  /// What this rank gives and gets; `filled`: what stands in `out` counts, being in place.
  PackedBuffer in, out;
  bool filled = false;
  std::size_t out_bytes = 0;  // of `out`, from its beginning: the result
  /// Combined data.
  MPI_Op op = MPI_OP_NULL;
  Reduction reduction;

  /// An error of the arguments that the MPI itself would crash on.
  int wrong = MPI_SUCCESS;
  /// The same arguments mean the same again: no handle among them that the program may free.
  bool lasts = true;
  /// What counts, places and types the description was made of.
  ListsRead lists;

 private:
  CommunicatorState& state_;
  Arguments arguments_;
};

}  // namespace tutti::core
