// Expected: tutti: this type cannot travel: register it with tutti::Type<T>
#include <tutti/tutti.hpp>

void share(const tutti::Communicator& world, const std::vector<std::vector<int>>& lists) {
  auto all = world.allgather(lists);
}
