// Bruck all-to-all (index): store and forward by the digits of the distance.
//
//   valid    any p
//   rounds   q for radix 2; else up to (radix-1) per digit
//   cost     q alpha + n/2 lg p beta (2^k); else (n/p) (one-bits in 1..p-1) beta; of radix 2
//   scratch  2n
//   source   Thakur, Rabenseifner, Gropp 2005, 4.3, Figure 7; Bruck et al. 1997
//
// Slot j of rank r first holds what goes to rank r+j. In the step of digit value v at place w all
// slots with that digit move v w ranks on. A slot arrives in the other of two areas, so that a
// round never overwrites what it sends. In the end slot j holds what came from rank r-j.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void alltoall_bruck(Builder& b, const Group& g, const Blocks& from, const Blocks& to, int radix) {
  const int p = g.size(), r = g.rank();
  const std::size_t block = from.count(0);
  const Blocks areas[2] = {Blocks::equal(b.scratch(p * block), p, block),
                           Blocks::equal(b.scratch(p * block), p, block)};
  std::vector<int> area(p, 0);  // where each slot is

  b.round();
  b.copy(from.circular(r, p), areas[0].range(0, p));
  for (long weight = 1; weight < p; weight *= radix)
    for (long digit = 1; digit < radix && digit * weight < p; ++digit) {
      Slices out, in;
      for (int j = digit * weight; j < p; ++j) {
        if (j / weight % radix != digit) continue;
        out.push_back(areas[area[j]][j]);
        in.push_back(areas[area[j] ^= 1][j]);
      }
      b.round();
      b.send(out, g.at((r + digit * weight) % p));
      b.recv(in, g.at(wrap(r - digit * weight, p)));
    }
  b.round();
  for (int j = 1; j < p; ++j) b.copy(areas[area[j]][j], to[wrap(r - j, p)]);
}

}  // namespace tutti::core
