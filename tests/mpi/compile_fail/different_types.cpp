// Expected: tutti: in and out hold elements of different types
#include <tutti/tutti.hpp>

void add(const tutti::Communicator& world, const std::vector<int>& in, std::vector<double>& out) {
  world.iallreduce(in, out, tutti::sum).wait();
}
