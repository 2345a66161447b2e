// Expected: tutti: this operator cannot combine two elements of this type
#include <tutti/tutti.hpp>

struct Point {
  double x, y;
};
TUTTI_REGISTER(Point, &Point::x, &Point::y);

Point sum(const tutti::Communicator& world, Point point) {
  return world.allreduce(point, tutti::sum);
}
