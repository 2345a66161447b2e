// What the ranks of the world say, at its first.

#include "api/process/gather.hpp"

namespace tutti::core {

std::vector<std::string> gather_texts(const std::string& mine) {
  return gather_texts(mine, MPI_COMM_WORLD, native());
}

}  // namespace tutti::core
