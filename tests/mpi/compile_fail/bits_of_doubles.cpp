// Expected: tutti: this operator cannot combine two elements of this type
#include <tutti/tutti.hpp>

double all_bits(const tutti::Communicator& world, double x) {
  return world.allreduce(x, tutti::bit_or);
}
