// What one communicator has learned, for others whose ranks live alike.

#pragma once

#include <memory>

#include "api/call/equipment.hpp"

namespace tutti::core::learned_alike {

/// Notes what came out in calls of that kind. All ranks of a communicator know it.
void note(const Equipment& equipment, const LearningKey& key, const Learning& learning);

/// All ranks of a communicator ask, in the same call, whether one of them has noted something for
/// ranks that live as theirs do. Where they have not noted the same, all get what the first one has
/// that has anything. Null: nobody has.
std::unique_ptr<Learning> ask(const Equipment& equipment, const LearningKey& key);

}  // namespace tutti::core::learned_alike
