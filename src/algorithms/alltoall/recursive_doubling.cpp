// Recursive-doubling all-to-all: all data go to all, each picks its own.
//
//   valid    any p
//   rounds   q (2^k); at most 2q
//   cost     q alpha + (p-1) n beta (2^k); else correction steps more
//   scratch  p n
//   source   Thakur, Gropp 2002, 4.5

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void alltoall_recursive_doubling(Builder& b, const Group& g, const Blocks& from, const Blocks& to) {
  const int p = g.size(), r = g.rank();
  const std::size_t row = from.count(0, p);
  const Blocks rows = Blocks::equal(b.scratch(p * row), p, row);
  b.round();
  b.copy(from.range(0, p), rows.range(r, r + 1));
  allgather_recursive_doubling(b, g, rows);
  b.round();
  for (int i = 0; i < p; ++i)
    if (i != r) b.copy(rows[i].part(from.count(0, r), from.count(r)), to[i]);
}

}  // namespace tutti::core
