// Algorithms that were asked for by name, as numbers that a call can carry.

#pragma once

#include "request/request.hpp"

namespace tutti::core {

/// Algorithms that somebody asked for by name, each with a number, so that a call can say which in
/// no time. Number 0: nothing was asked.
///
/// Reads `allreduce/ring` or `bcast/chain:segment=32K`, and `native`: no algorithm of ours. Throws
/// std::invalid_argument.
int request_number(std::string_view text);
/// The request of a number that was given out.
const Request& request_of(int number);
bool is_request(int number);
/// The same for a call; null: nothing was asked for, or what cannot run in it, which is told once.
/// Throws std::runtime_error with a line that says so if the settings are strict.
const Request* asked_for(int number, const Call& call);
/// The MPI's own was asked for.
bool is_native(int number);

/// What the next collective of this thread was asked to run with; asking takes it away.
int take_next_request();
void set_next_request(int number);

}  // namespace tutti::core
