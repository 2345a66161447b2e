#pragma once

#include <filesystem>
#include <string_view>

namespace tutti::core {

/// A file that is there is whole: the new one takes its place when all of it is written. What is no
/// file, such as a device, is written to. False if it cannot be; then the old one stays.
bool write_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace tutti::core
