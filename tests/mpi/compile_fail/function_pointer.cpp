// Expected: tutti: lambdas with captures cannot be operators, nor can pointers to functions
#include <tutti/tutti.hpp>

double larger(double a, double b) { return a > b ? a : b; }

double largest(const tutti::Communicator& world, double x) { return world.allreduce(x, &larger); }
