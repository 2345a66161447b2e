#pragma once

#include "schedule/schedule.hpp"

namespace tutti::core {

/// The same schedule without the copies it can do without: what is copied from the input and only
/// sent from there, or combined with what comes, is taken from the input, which nobody changes. A
/// schedule that goes on later keeps what it has not overwritten.
Schedule elide_copies(const Schedule& schedule, bool goes_on = false);

}  // namespace tutti::core
