// States of communicators that were freed, at hand for the next ones of the same ranks.
//
// All ranks of a communicator must take the same, or none. Each knows whether any state is noted
// for its ranks: that is so on all of them or on none, since it is noted in a call that all make
// together. Only then do they ask each other, in the first call, by a small reduction: when a
// communicator is freed is each rank's own affair. Nothing is noted where several threads may make
// calls at a time, where it is not seen that communicators are freed, and where operations are
// started, which may outlive the communicator on some ranks.

#pragma once

#include <mpi.h>

#include <memory>

#include "schedule/problem.hpp"

namespace tutti::core {

class CommunicatorState;

namespace at_hand {

/// Whoever frees a communicator says so before, to let_go(). To be called when the MPI has begun.
void tell_of_frees();

/// There is room for a state of so many ranks: to be agreed on by all of them before it is noted.
bool has_room(int p);
/// When this communicator is freed its state is to be kept.
void note(MPI_Comm comm, CommunicatorState& state);
/// It is not to be kept any more; it need not be noted.
void forget(const CommunicatorState& state);
/// The program frees a communicator now.
void let_go(MPI_Comm comm);
/// For a communicator that has no state: one of the same ranks, now noted for this one; null: there
/// is none, on all of them. All ranks call it.
std::shared_ptr<CommunicatorState> take(MPI_Comm comm, int p, Rank rank);

}  // namespace at_hand

}  // namespace tutti::core
