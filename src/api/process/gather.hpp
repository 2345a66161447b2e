#pragma once

#include <string>
#include <vector>

namespace tutti::core {

/// What each rank of the world says, at rank 0; nothing elsewhere.
std::vector<std::string> gather_texts(const std::string& mine);

}  // namespace tutti::core
