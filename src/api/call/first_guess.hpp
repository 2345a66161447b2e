#pragma once

#include "api/call/communicator.hpp"

namespace tutti::core {

/// Where nobody gave a profile: rates from a few messages on a communicator that is being made,
/// some microseconds to a few milliseconds. Between nodes by the MPI, from its first rank to one
/// elsewhere; within a node, if there is but one, by small calls of Tutti's own. What was found out
/// before stands. All ranks call it and get the same.
std::shared_ptr<const Knowledge> first_guess(CommunicatorState& state,
                                             std::shared_ptr<const Knowledge> known);

}  // namespace tutti::core
