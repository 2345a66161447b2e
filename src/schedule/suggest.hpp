#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tutti::core {

/// The candidate that `name` is most likely a slip of; empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// `: did you mean 'ring'?`, or nothing.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace tutti::core
