// The square of Williams.

#include "measure/turns.hpp"

namespace tutti::core {

std::size_t turn_of(std::size_t k, std::size_t round, std::size_t number) {
  // 0, 1, number - 1, 2, number - 2, ...: all differences occur once.
  const std::size_t place = round % 2 == 0 ? k : number - 1 - k;
  const std::size_t first = place % 2 == 1 ? (place + 1) / 2 : (number - place / 2) % number;
  return (first + round / 2) % number;
}

}  // namespace tutti::core
