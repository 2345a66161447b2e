// Expected: tutti: this type cannot travel: register it with tutti::Type<T>
#include <tutti/tutti.hpp>

struct Point {
  double x, y;
};

void share(const tutti::Communicator& world, Point point) { world.bcast(point, 0); }
