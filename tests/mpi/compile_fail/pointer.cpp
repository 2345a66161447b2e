// Expected: tutti: this type cannot travel: register it with tutti::Type<T>
#include <tutti/tutti.hpp>

void share(const tutti::Communicator& world, std::vector<int*>& addresses) {
  world.bcast(addresses, 0);
}
