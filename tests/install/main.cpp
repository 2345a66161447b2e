// The C++ interface from outside.

#include <cstdio>
#include <tutti/tutti.hpp>

int main(int argc, char** argv) {
  if (tutti::version() != TUTTI_VERSION_STRING) return 1;
  MPI_Init(&argc, &argv);
  const auto world = tutti::Communicator::world();
  const int sum = world.allreduce(world.rank() + 1, tutti::sum, tutti::Algorithm("linear"));
  if (world.rank() == 0) std::printf("the sum is %d\n", sum);
  MPI_Finalize();
}
