// Expected: tutti: std::vector<bool> has no bools in memory
#include <tutti/tutti.hpp>

bool somebody(const tutti::Communicator& world, bool flag) { return world.allgather(flag)[0]; }
