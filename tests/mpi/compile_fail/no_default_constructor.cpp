// Expected: tutti: a result by value needs a default constructor
#include <tutti/tutti.hpp>

struct Point {
  explicit Point(double both) : x(both), y(both) {}
  double x, y;
};
TUTTI_REGISTER(Point, &Point::x, &Point::y);

void share(const tutti::Communicator& world, const Point& point) {
  auto all = world.allgather(point);
}
