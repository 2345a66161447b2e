// Expected: tutti: lambdas with captures cannot be operators
#include <tutti/tutti.hpp>

double scaled_sum(const tutti::Communicator& world, double x, double factor) {
  return world.allreduce(
      x, tutti::commutative([factor](double a, double b) { return factor * (a + b); }));
}
