// Expected: tutti: the result has nowhere to go: pass a variable or a std::span
#include <tutti/tutti.hpp>

void add(const tutti::Communicator& world, const std::vector<int>& in) {
  world.allreduce(in, std::vector<int>(in.size()), tutti::sum);
}
