// Expected: tutti: std::vector<bool> has no bools in memory
#include <tutti/tutti.hpp>

void share(const tutti::Communicator& world, std::vector<bool> flags) { world.bcast(flags, 0); }
