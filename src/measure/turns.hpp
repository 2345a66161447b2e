#pragma once

#include <cstddef>

namespace tutti::core {

/// Who is measured as the `k`-th of `number` candidates in a round. A call is slower after one that
/// ran other code, so over `number` rounds, twice as many if they are odd, everyone follows every
/// other equally often: the square of Williams (1949), every second round backwards.
std::size_t turn_of(std::size_t k, std::size_t round, std::size_t number);

/// What is cold takes some milliseconds at most: connections, pages. If every call takes so many
/// seconds the first counts; else it is to warm up.
inline constexpr double long_call_seconds = 0.1;

}  // namespace tutti::core
