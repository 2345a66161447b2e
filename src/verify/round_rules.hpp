#pragma once

#include <array>
#include <functional>

#include "schedule/schedule.hpp"

namespace tutti::core {

/// Told what is wrong: the action, numbered through all rounds, and the element, -1 where it has no
/// meaning.
using OnFault = std::function<void(int action, long index, std::string message)>;

/// Elements of a rank's buffers: input, output, scratch.
using Sizes = std::array<std::size_t, 3>;

/// Peers are other ranks, slices lie inside their buffers, nothing writes to the input, and as much
/// is read as is written. True if nothing is wrong.
bool check_slices(const Schedule& s, int round, Rank rank, int p, const Sizes& sizes,
                  const OnFault& on_fault);

/// Actions of one round may share a slice only if all read it, or if the first writes it and the
/// others combine into exactly the same slices, in the order listed. True if they do.
bool check_overlaps(const Schedule& s, int round, const OnFault& on_fault);

}  // namespace tutti::core
