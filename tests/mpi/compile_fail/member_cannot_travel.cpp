// Expected: tutti: a member of this type cannot travel
#include <tutti/tutti.hpp>

struct Node {
  int number;
  Node* next;
};
TUTTI_REGISTER(Node, &Node::number, &Node::next);

void share(const tutti::Communicator& world, Node node) { world.bcast(node, 0); }
