// The circulant graph: its skips, and when which block passes where.

#include "algorithms/pattern/circulant.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>

#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

namespace {

/// The last skip of place r's greedy sum of decreasing skips; q for place 0.
int base_block(const std::vector<int>& skips, int r) {
  const int q = static_cast<int>(skips.size()) - 1;
  if (r == 0) return q;
  for (int k = q - 1;; --k) {
    if (skips[k] == r) return k;
    if (skips[k] < r) r -= skips[k];
  }
}

/// The base blocks of places [lo, hi), as bits. Places [s_k, s_(k+1)) repeat places [0, s_(k+1) -
/// s_k), but for the first, whose base block is k; so the set takes O(q) to find.
std::uint64_t base_blocks(const std::vector<int>& skips, int lo, int hi) {
  std::uint64_t set = 0;
  for (int k = static_cast<int>(skips.size()) - 2; k >= 0 && lo < hi; --k) {
    if (skips[k] >= hi) continue;
    if (skips[k] <= lo) {
      if (skips[k] == lo) set |= std::uint64_t{1} << k, ++lo;
      lo -= skips[k], hi -= skips[k];
      continue;
    }
    // Of [s_k, hi): k, and each smaller skip that fits behind it.
    for (int j = 0; j < k && skips[j] < hi - skips[k]; ++j) set |= std::uint64_t{1} << j;
    set |= std::uint64_t{1} << k;
    hi = skips[k];
  }
  if (lo < hi) set |= std::uint64_t{1} << (skips.size() - 1);  // place 0
  return set;
}

}  // namespace

std::vector<int> circulant_skips(int p) {
  std::vector<int> skips{p};
  while (skips.back() > 1) skips.push_back((skips.back() + 1) / 2);
  std::reverse(skips.begin(), skips.end());
  return skips;
}

CirculantBroadcast::CirculantBroadcast(int p, int blocks)
    : skips_(circulant_skips(p)), q_(static_cast<int>(skips_.size()) - 1), blocks_(blocks) {
  first_ = q_ == 0 ? 0 : (q_ - (blocks - 1) % q_) % q_;
}

std::vector<int> CirculantBroadcast::receive_entries(int place) const {
  const int p = skips_[q_];
  const int own = base_block(skips_, place);
  std::uint64_t free = ~(std::uint64_t{1} << own);
  std::vector<int> entries(q_);
  for (int j = 0; j < q_; ++j) {
    // Base blocks of the places (place - s_(j+1), place - s_j], wrapped round.
    const int lo = place - skips_[j + 1] + 1, hi = place - skips_[j] + 1;
    std::uint64_t set = 0;
    if (lo < 0) set |= base_blocks(skips_, lo + p, std::min(hi, 0) + p);
    if (hi > 0) set |= base_blocks(skips_, std::max(lo, 0), hi);
    set &= free;
    const int found =
        set != 0 ? std::bit_width(set) - 1 : base_block(skips_, wrap(place - skips_[j + 1], p));
    free &= ~(std::uint64_t{1} << found);
    entries[j] = found == q_ ? own : found - q_;
  }
  return entries;
}

int CirculantBroadcast::block(int entry, int round) const {
  return std::min(entry + q_ * (round / q_) - first_, blocks_ - 1);
}

// What a place sends is what its peer receives.
std::vector<CirculantBroadcast::Hop> CirculantBroadcast::hops(int place) const {
  const int p = skips_[q_];
  const std::vector<int> mine = receive_entries(place);
  std::vector<int> theirs(q_);  // what the peer of each phase receives
  for (int j = 0; j < q_; ++j) theirs[j] = receive_entries((place + skip(j)) % p)[j];

  std::vector<Hop> all;
  for (int i = first_round(); q_ > 0 && i < end_round(); ++i) {
    const int to = (place + skip(i)) % p, from = wrap(place - skip(i), p);
    const int in = place == 0 ? -1 : block(mine[i % q_], i);
    const int out = to == 0 ? -1 : block(theirs[i % q_], i);
    all.push_back({from, in, to, out});
  }
  return all;
}

std::shared_ptr<const AllEntries> all_receive_entries(int p) {
  static std::mutex mutex;
  static std::shared_ptr<const AllEntries> last;
  const std::scoped_lock lock(mutex);
  if (last != nullptr && last->p == p) return last;
  const CirculantBroadcast graph(p, 1);
  AllEntries all{p, static_cast<int>(graph.receive_entries(0).size()), {}};
  all.values.reserve(static_cast<std::size_t>(p) * all.phases);
  for (int place = 0; place < p; ++place)
    for (const int entry : graph.receive_entries(place))
      all.values.push_back(static_cast<std::int8_t>(entry));
  return last = std::make_shared<const AllEntries>(std::move(all));
}

}  // namespace tutti::core
