// Expected: tutti: only trivially copyable types can be registered
#include <tutti/tutti.hpp>

struct Named {
  std::string name;
  int number;
};
TUTTI_REGISTER(Named, &Named::number);

void share(const tutti::Communicator& world, Named one) { world.bcast(one, 0); }
