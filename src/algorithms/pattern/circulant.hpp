#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tutti::core {

/// The circulant graph of p places: s_q = p, s_k = ceil(s_(k+1) / 2), down to s_0 = 1.
std::vector<int> circulant_skips(int p);

/// The round-optimal broadcast of k blocks from place 0 (Träff 2022-2025): q blocks are under way
/// at a time, the phases repeat with period q.
class CirculantBroadcast {
 public:
  CirculantBroadcast(int p, int blocks);

  int first_round() const { return first_; }
  int end_round() const { return first_ + blocks_ - 1 + q_; }
  int skip(int round) const { return skips_[round % q_]; }
  /// What a place receives in each of the q phases, as block numbers relative to the phase.
  std::vector<int> receive_entries(int place) const;
  /// The block an entry stands for in a round; negative: none.
  int block(int entry, int round) const;

  /// A round of one place: block `in` comes from the place `from`, block `out` goes to the place
  /// `to`; negative: none.
  struct Hop {
    int from, in;
    int to, out;
  };
  /// All rounds of a place, in order. Place 0 receives nothing.
  std::vector<Hop> hops(int place) const;

 private:
  std::vector<int> skips_;
  int q_, blocks_, first_;
};

/// What every place receives in every phase, a byte each.
struct AllEntries {
  int p = 0, phases = 0;
  std::vector<std::int8_t> values;

  int at(int place, int phase) const {
    return values[static_cast<std::size_t>(place) * phases + phase];
  }
};
/// The last one is kept: all ranks' schedules ask for the same.
std::shared_ptr<const AllEntries> all_receive_entries(int p);

}  // namespace tutti::core
