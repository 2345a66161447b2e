#include "algorithms/cost.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/pattern/splitting.hpp"

namespace tutti {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

/// The sizes of the subtrees that the root of a range of m places hands over, largest range first;
/// the root stands at place `root`. See pattern/halving.hpp.
std::vector<int> subtrees(int m, int root) {
  std::vector<int> sizes;
  while (m > 1) {
    const int lower = (m + 1) / 2;
    sizes.push_back(root < lower ? m - lower : lower);
    m -= sizes.back();
    if (root >= lower) root -= lower;
  }
  return sizes;
}

/// max(floor, x + shift): how a time depends on an earlier one where all that happens is waiting
/// for each other and taking time.
struct After {
  double floor = never, shift = never;

  static After self() { return {never, 0}; }
  double at(double x) const { return std::max(floor, x + shift); }
  /// This, as a function of what `inner` depends on.
  After of(const After& inner) const {
    return {std::max(floor, inner.floor + shift), inner.shift + shift};
  }
  After operator+(double time) const { return {floor + time, shift + time}; }
};
After max(const After& a, const After& b) {
  return {std::max(a.floor, b.floor), std::max(a.shift, b.shift)};
}

}  // namespace

// Every message waits for the tree behind it. A subtree whose root stands first is done after all
// its blocks but one have left the root, because its larger halves stay there.
double tree_cost(int p, Rank root, double block, const Rates& rates) {
  double spent = 0, last = 0;
  while (p > 1) {  // as in subtrees, but without a list: the search for a mesh asks often
    const int lower = (p + 1) / 2, size = root < lower ? p - lower : lower;
    p -= size;
    if (root >= lower) root -= lower;
    spent += one_way(rates, size * block);
    last = std::max(
        last, spent + ceil_log2(size) * rates.alpha_uni + (size - 1) * block * rates.beta_uni);
  }
  return std::max(last, spent);
}

namespace {

/// How long a range takes, given what its parts take. All but one of them have their root in front,
/// so that only the sizes of a level matter, and there are two of these.
template <class Level>
class SplitTree {
 public:
  SplitTree(int radix, Level level) : radix_(radix), level_(level) {}

  double time(int m, int root) {
    if (m < 2) return 0;
    if (root == 0)
      if (const auto known = times_.find(m); known != times_.end()) return known->second;
    const int parts = std::min(radix_, m);
    std::vector<double> others;
    double own = 0;
    for (int i = 0; i < parts; ++i) {
      const int begin = part_begin(m, parts, i), end = part_begin(m, parts, i + 1);
      if (root >= begin && root < end)
        own = time(end - begin, root - begin);
      else
        others.push_back(time(end - begin, 0));
    }
    const double result = level_(own, others);
    if (root == 0) times_[m] = result;
    return result;
  }

 private:
  int radix_;
  Level level_;
  std::map<int, double> times_;
};

}  // namespace

double bcast_knomial_cost(int p, Rank root, int radix, double n, const Rates& rates) {
  return SplitTree(radix,
                   [&](double own, const std::vector<double>& others) {
                     double sent = 0, last = 0;
                     for (const double other : others)
                       last = std::max(last, (sent += one_way(rates, n)) + other);
                     return std::max(last, sent + own);
                   })
      .time(p, root);
}

// A root takes who is ready first, and combines when all have come.
double reduce_knomial_cost(int p, Rank root, int radix, double n, const Rates& rates) {
  return SplitTree(radix,
                   [&](double own, std::vector<double> others) {
                     std::sort(others.begin(), others.end());
                     for (const double other : others)
                       own = std::max(own, other) + one_way(rates, n);
                     return own + static_cast<double>(others.size()) * n * rates.gamma;
                   })
      .time(p, root);
}

namespace {

/// A message of data, which is not sent if there are none.
double data_message(const Rates& rates, double n) { return n > 0 ? one_way(rates, n) : 0; }

/// A subtree of binomial scatterv: when its last rank is done, after its root got the counts and
/// after it got the data.
class ScattervTree {
 public:
  ScattervTree(double block, const Rates& rates) : block_(block), rates_(rates) {}

  /// Until its root has sent the counts on.
  double headers(std::span<const int> children) const {
    double time = 0;
    for (const int size : children) time += header(size);
    return time;
  }

  struct Done {
    double after_header, after_data;
  };
  Done done(int m) {
    if (const auto known = known_.find(m); known != known_.end()) return known->second;
    return known_[m] = done(subtrees(m, 0));
  }
  /// The same for the ranks below a root with these subtrees.
  Done done(const std::vector<int>& children) {
    Done last{never, 0};
    double sent_header = 0;
    Done sent{never, 0};  // the root's data so far
    for (const int size : children) {
      sent_header += header(size);
      const double ready = size > 1 ? sent_header + headers(subtrees(size, 0)) : never;
      const double time = data_message(rates_, size * block_);
      sent = {std::max(sent.after_header, ready) + time, sent.after_data + time};
      const Done below = done(size);
      last.after_header =
          std::max({last.after_header, sent.after_header, sent_header + below.after_header,
                    sent.after_header + below.after_data});
      last.after_data = std::max(last.after_data, sent.after_data + below.after_data);
    }
    return last;
  }

 private:
  /// A rank that speaks for nobody else needs no counts.
  double header(int size) const { return size > 1 ? one_way(rates_, size * bytes_per_count) : 0; }

  double block_;
  const Rates& rates_;
  std::map<int, Done> known_;
};

/// A subtree of binomial gatherv: when its root has the counts below it, and its data as a function
/// of the time when it has sent the counts up.
class GathervTree {
 public:
  GathervTree(double block, const Rates& rates) : block_(block), rates_(rates) {}

  struct Gathered {
    double counts = 0;
    After data = After::self();
  };
  const Gathered& gathered(int m) {
    if (const auto known = known_.find(m); known != known_.end()) return known->second;
    std::vector<int> children = subtrees(m, 0);
    std::reverse(children.begin(), children.end());
    Gathered all;
    std::vector<double> ready;  // when each child has its data
    for (const int size : children) {
      const Gathered& child = gathered(size);
      all.counts = std::max(all.counts, child.counts) + one_way(rates_, size * bytes_per_count);
      ready.push_back(child.data.at(all.counts));
    }
    for (std::size_t i = 0; i < children.size(); ++i)
      all.data = max(all.data, {ready[i], never}) + data_message(rates_, children[i] * block_);
    return known_[m] = all;
  }

 private:
  double block_;
  const Rates& rates_;
  std::map<int, Gathered> known_;
};

}  // namespace

double scatterv_tree_cost(int p, Rank root, double block, const Rates& rates) {
  ScattervTree tree(block, rates);
  const std::vector<int> children = subtrees(p, root);
  const ScattervTree::Done done = tree.done(children);
  return children.empty() ? 0
                          : std::max(done.after_header, tree.headers(children) + done.after_data);
}

// The root knows the counts: its children keep theirs, and send data as soon as they have all.
double gatherv_tree_cost(int p, Rank root, double block, const Rates& rates) {
  GathervTree tree(block, rates);
  std::vector<int> children = subtrees(p, root);
  std::reverse(children.begin(), children.end());
  double time = 0;
  for (const int size : children) {
    const GathervTree::Gathered& child = tree.gathered(size);
    time = std::max(time, child.data.at(child.counts)) + data_message(rates, size * block);
  }
  return time;
}

namespace {

/// Recursive doubling over any p. A full tree of 2^k ranks takes the sum of its steps on all its
/// ranks. A short tree is a full one of `d` ranks and a shorter one: who has a partner there
/// exchanges; then the full tree passes on what came, its holders doubling, until all have it.
class Doubling {
 public:
  /// Times of one step between a full tree of d ranks and one of s: the exchange, one message of
  /// the correction, and the combination afterwards in the full tree.
  struct Step {
    double exchange, pass, combine;
  };
  template <class StepOf>
  static double cost(int p, const StepOf& step) {
    return Doubling::tree(p, step).all;
  }

 private:
  /// When the last rank is done; and the last of those that had no partner in the last step.
  struct Done {
    double all, alone;
  };

  template <class StepOf>
  static Done tree(int size, const StepOf& step) {
    const int d = std::bit_floor(static_cast<unsigned>(size)), s = size - d;
    double full = 0;
    for (int k = 1; k < d; k *= 2) {
      const Step each = step(k, k);
      full += each.exchange + each.combine;
    }
    if (s == 0) return {full, full};
    const Done shorter = tree(s, step);
    const Step last = step(d, s);
    const int holders = std::bit_ceil(static_cast<unsigned>(s));
    const double passes = floor_log2(d) - floor_log2(holders);
    const double came = std::max(full, shorter.all) + last.exchange;
    double done = came + passes * last.pass, alone = done;
    if (s < holders) {
      // One pass more, among those whose partners had no partner before.
      const double more = std::max(full, shorter.alone) + last.exchange + (passes + 1) * last.pass;
      alone = passes > 0 ? std::max(done, more) : more;
      done = std::max(done, more);
    }
    return {done + last.combine, alone + last.combine};
  }
};

}  // namespace

double doubling_allgather_cost(int p, double block, const Rates& rates) {
  return Doubling::cost(p, [&](int d, int s) {
    return Doubling::Step{exchange(rates, d * block), one_way(rates, s * block), 0};
  });
}

double doubling_reduce_scatter_cost(int p, double block, const Rates& rates) {
  return Doubling::cost(p, [&](int, int s) {
    const double others = (p - s) * block;
    return Doubling::Step{exchange(rates, others), one_way(rates, others), others * rates.gamma};
  });
}

namespace {

/// Places [lo, lo + size) of recursive halving, of which the first `extra` work for two ranks; some
/// rank in each half has the latest time.
double halving(int lo, int size, int extra, double time, double block, const Rates& rates) {
  if (size == 1) return time + (lo < extra ? one_way(rates, block) : 0);
  const int half = size / 2;
  const auto blocks_of = [&](int from) { return half + std::clamp(extra - from, 0, half); };
  const int lower = blocks_of(lo), upper = blocks_of(lo + half);
  time += exchange(rates, lower * block);  // never less than the upper half's
  const double below = halving(lo, half, extra, time + lower * block * rates.gamma, block, rates);
  if (lower == upper) return below;
  return std::max(
      below, halving(lo + half, half, extra, time + upper * block * rates.gamma, block, rates));
}

}  // namespace

double halving_reduce_scatter_cost(int p, double block, const Rates& rates) {
  const int kept = power_of_two_below(p), extra = p - kept;
  const double fold = extra > 0 ? one_way(rates, p * block) + p * block * rates.gamma : 0;
  return halving(0, kept, extra, fold, block, rates);
}

// The first message of the chain and the last one meet no other.
double bcast_chain_cost(int p, double n, double segments, const Rates& rates) {
  if (p == 1) return 0;
  const double alone = one_way(rates, n / segments);
  const double both = std::max(alone, exchange(rates, n / segments));
  if (p == 2 || segments == 1) return (p - 2 + segments) * alone;
  return 2 * alone + (p - 4 + segments) * both;
}

double reduce_chain_cost(int p, Rank root, double n, double segments, const Rates& rates) {
  if (p == 1) return 0;
  const double alone = one_way(rates, n / segments);
  const double both = std::max(alone, exchange(rates, n / segments));
  const double combine = n / segments * rates.gamma;
  /// A chain of so many ranks towards the root: when its end has the first segment, and how long
  /// its messages to the root take. All but the last are sent while another comes.
  struct Chain {
    double ready, first, all;
  };
  const auto chain = [&](int length) -> Chain {
    if (length == 0) return {never, 0, 0};
    if (length == 1) return {0, alone, segments * alone};
    if (segments == 1) return {(length - 1) * (alone + combine), alone, alone};
    return {alone + combine + (length - 2) * (both + combine), both, (segments - 1) * both + alone};
  };
  Chain a = chain(root), b = chain(p - 1 - root);
  if (a.ready > b.ready) std::swap(a, b);
  const double streams = a.ready == never ? 1 : 2;
  // The root waits for both first segments; then both come one after the other.
  const double first = a.ready == never ? b.ready : std::max(a.ready + a.first, b.ready);
  return first + b.all + (a.all - a.first) + segments * streams * combine;
}

// As a reduce to the last rank, which does not combine here; the one before it does, if there is
// one between the first and the last.
double exscan_chain_cost(int p, double n, double segments, const Rates& rates) {
  const double combinations = p == 2 ? segments : p > 2 ? 1 : 0;
  return reduce_chain_cost(p, p - 1, n, segments, rates) -
         combinations * n / segments * rates.gamma;
}

namespace {

/// The binary blocks of p, the largest first, and the times of their parts.
struct Blocks2005 {
  struct Block {
    int size;
    double scattered;  // its own reduce-scatter is done
    double message;    // one segment from the next smaller block
    double combine;    // ... combined
  };
  std::vector<Block> blocks;
  const Rates& rates;
  double n;

  Blocks2005(int p, double bytes, const Rates& r) : rates(r), n(bytes) {
    for (int size = power_of_two_below(p); size > 0; size /= 2) {
      if ((p & size) == 0) continue;
      double time = 0;
      for (int parts = 2; parts <= size; parts *= 2)
        time += exchange(rates, n / parts) + n / parts * rates.gamma;
      blocks.push_back({size, time, one_way(rates, n / size), n / size * rates.gamma});
    }
  }

  int count() const { return static_cast<int>(blocks.size()); }
  int ratio(int i) const { return blocks[i].size / blocks[i + 1].size; }

  /// When a place of block i has its intermediate result, as a function of that time of the place
  /// in block i + 1 that sends to it as the `turn`-th of its messages.
  After handed_up(int i, int turn) const {
    return After{blocks[i].scattered, 0} + ((turn + 1) * blocks[i].message + blocks[i].combine);
  }
  /// The same as a time, for a place of block i.
  double result(int i, int place) const {
    if (i + 1 == count()) return blocks[i].scattered;
    const int below = blocks[i + 1].size;
    return handed_up(i, place / below).at(result(i + 1, place % below));
  }
  /// Vector doubling inside a block, from parts of n / from to parts of n / to.
  double doubling(int from, int to) const {
    double time = 0;
    for (int parts = from; parts > to; parts /= 2) time += exchange(rates, n / parts);
    return time;
  }
};

}  // namespace

double reduce_binary_blocks_cost(int p, Rank root, double n, const Rates& rates) {
  const Blocks2005 all(p, n, rates);
  const int largest = all.blocks[0].size;
  double start = all.result(0, largest - 1);
  if (root >= largest) {
    // The root has handed up its own part before it gets the segment of rank 0.
    int i = 1, place = root - largest;
    while (place >= all.blocks[i].size) place -= all.blocks[i++].size;
    const double sent = std::max(all.result(i, place), all.blocks[i - 1].scattered) +
                        all.ratio(i - 1) * all.blocks[i - 1].message;
    start = std::max(start, std::max(sent, all.result(0, 0)) + one_way(rates, n / largest));
  }
  return start + floor_log2(largest) * rates.alpha_uni +
         (largest - 1.0) / largest * n * rates.beta_uni;
}

double allreduce_binary_blocks_cost(int p, double n, const Rates& rates) {
  const Blocks2005 all(p, n, rates);
  // Times of a place as functions of when its intermediate result was there. A place of block i + 1
  // gets its halves from two places of block i that got the last two of its messages, or as late as
  // these after the exchanges so far.
  After begins = After::self();  // collecting in block i
  double last = 0;
  for (int i = 0; i + 1 < all.count(); ++i) {
    const int below = all.blocks[i + 1].size, ratio = all.ratio(i);
    const double collected = all.doubling(all.blocks[i].size, 2 * below);
    const After lower = begins.of(all.handed_up(i, ratio - 2)) + collected;
    const After upper = begins.of(all.handed_up(i, ratio - 1)) + collected;
    const After sent = After{all.blocks[i].scattered, 0} + ratio * all.blocks[i].message;
    const double half = one_way(rates, n / (2 * below));
    begins = max(max(sent, lower) + half, upper) + half;
    last = std::max(last, begins.at(all.result(i + 1, below - 1)) + all.doubling(2 * below, 1));
  }
  const int smallest = all.count() - 1;
  return std::max(
      last, begins.at(all.blocks[smallest].scattered) + all.doubling(all.blocks[smallest].size, 1));
}

namespace {

/// The most one-bits of any number below s.
int most_bits(int s) {
  const auto largest = static_cast<unsigned>(s - 1);
  return std::max(std::popcount(largest),
                  std::max(0, static_cast<int>(std::bit_width(largest)) - 1));
}

/// In a step a rank combines into its partial result, unless it is the last step, and into its
/// result if its partner is lower. The last step is that of the ranks above 2^(q-1) and their
/// partners.
double scan_cost(int p, double n, const Rates& rates, bool inclusive) {
  if (p == 1) return 0;
  const int q = ceil_log2(p), saved = inclusive ? 0 : 1;  // the first result is copied
  const double combine = n * rates.gamma;
  const double alone =
      (q - 1) * exchange(rates, n) + (q - 1 + std::max(0, q - 1 - saved)) * combine;
  const double paired =
      q * exchange(rates, n) + (q - saved + most_bits(p - (1 << (q - 1)))) * combine;
  return std::max(alone, paired);
}

}  // namespace

double scan_doubling_cost(int p, double n, const Rates& rates) {
  return scan_cost(p, n, rates, true);
}
double exscan_doubling_cost(int p, double n, const Rates& rates) {
  return scan_cost(p, n, rates, false);
}

}  // namespace tutti
