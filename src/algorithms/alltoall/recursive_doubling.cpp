// Recursive-doubling all-to-all: all data go to all, each picks its own.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

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

}  // namespace

Rows alltoall_recursive_doubling_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::alltoall},
      .summary = "all data exchanged, each picks its own",
      .valid = any,
      .rounds = {"q (2^k); at most 2q", doubling_rounds},
      .cost = {"q alpha + (p-1) n beta (2^k); else correction steps more",
               [](S s, R r) { return doubling_allgather_cost(s.p, s.n, r); }},
      .scratch = {"p n",
                  [](const Problem& problem) {
                    return static_cast<std::size_t>(problem.p) * problem.total() +
                           vector_in_place(problem);
                  }},
      .source = "Thakur, Gropp 2002, 4.5",
      .generate = adapt::alltoall<alltoall_recursive_doubling>,
  }};
}

}  // namespace tutti::core
