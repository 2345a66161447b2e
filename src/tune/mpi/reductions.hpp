#pragma once

#include "model/profile.hpp"

namespace tutti::core {

/// What combining takes on this rank, by operator and type, as a profile's gammas.
void set_gammas(Profile& profile);

}  // namespace tutti::core
