#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tutti::core::cli {

/// Does `work(i)` for every i below `count`, on `jobs` threads. Meanwhile a line on standard error
/// tells how far it is, with the `name(i)` of what is done; it is silent unless somebody watches.
/// The first exception ends it and is thrown again.
void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                 const std::function<std::string(std::size_t)>& name);

}  // namespace tutti::core::cli
