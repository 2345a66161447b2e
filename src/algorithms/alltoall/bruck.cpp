// Bruck all-to-all (index): store and forward by the digits of the distance.
//
// Slot j of rank r first holds what goes to rank r+j. In the step of digit value v at place w all
// slots with that digit move v w ranks on. A slot arrives in the other of two areas, so that a
// round never overwrites what it sends. In the end slot j holds what came from rank r-j.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void alltoall_bruck(Builder& b, const Group& g, const Blocks& from, const Blocks& to, Radix radix) {
  const int p = g.size(), r = g.rank(), base = radix.value;
  const std::size_t block = from.count(0);
  const Blocks areas[2] = {Blocks::equal(b.scratch(p * block), p, block),
                           Blocks::equal(b.scratch(p * block), p, block)};
  std::vector<int> area(p, 0);  // where each slot is

  b.round();
  b.copy(from.circular(r, p), areas[0].range(0, p));
  for (long weight = 1; weight < p; weight *= base)
    for (long digit = 1; digit < base && digit * weight < p; ++digit) {
      Slices out, in;
      for (long first = digit * weight; first < p; first += base * weight)
        for (long j = first; j < std::min<long>(first + weight, p); ++j) {
          const int slot = static_cast<int>(j);
          out.push_back(areas[area[slot]][slot]);
          in.push_back(areas[area[slot] ^= 1][slot]);
        }
      b.round();
      b.send(out, g.at((r + digit * weight) % p));
      b.recv(in, g.at(wrap(r - digit * weight, p)));
    }
  b.round();
  for (int j = 1; j < p; ++j) b.copy(areas[area[j]][j], to[wrap(r - j, p)]);
}

/// The number of one-bits in 1..p-1: how many blocks a rank sends in Bruck's all-to-all of radix 2.
double one_bits_below(int p) {
  double bits = 0;
  for (int bit = 1; bit < p; bit *= 2)
    bits += p / (2 * bit) * bit + std::max(0, p % (2 * bit) - bit);
  return bits;
}
/// Messages and blocks sent in Bruck's all-to-all of any radix.
void bruck_volume(const Size& s, double& messages, double& sent) {
  const long base = terms::radix_of(s);
  messages = sent = 0;
  if (base == 2) {
    messages = s.q();
    sent = one_bits_below(s.p);
    return;
  }
  for (long weight = 1; weight < s.p; weight *= base)
    for (long digit = 1; digit < base && digit * weight < s.p; ++digit) {
      ++messages;
      const long period = weight * base, rest = s.p % period;
      sent += static_cast<double>(s.p / period * weight +
                                  std::clamp(rest - digit * weight, 0L, weight));
    }
}

constexpr Parameter radix_parameter{
    ParameterKind::radix,
    "digits of the distance",
    2,
    "2",
    [](const Problem&, const Rates&, const Parameters&) -> std::size_t { return 2; },
    nullptr};

}  // namespace

Rows alltoall_bruck_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::alltoall},
      .summary = "rotation, store-and-forward steps by digits, inverse rotation",
      .valid = any,
      .rounds = {"q for radix 2; else up to (radix-1) per digit",
                 [](S s) {
                   double messages, sent;
                   bruck_volume(s, messages, sent);
                   return static_cast<int>(messages);
                 }},
      .cost = {"q alpha + n/2 lg p beta (2^k); else (n/p) (one-bits in 1..p-1) beta; of radix 2",
               [](S s, R r) {
                 double messages, sent;
                 bruck_volume(s, messages, sent);
                 return messages * r.alpha + sent * s.n / s.p * r.beta;
               }},
      .scratch = {"2n",
                  [](const Problem& problem) {
                    return 2 * problem.total() + vector_in_place(problem);
                  }},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.3, Figure 7; Bruck et al. 1997",
      .parameters = {radix_parameter},
      .generate = adapt::alltoall<alltoall_bruck>,
  }};
}

}  // namespace tutti::core
