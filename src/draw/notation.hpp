#pragma once

#include "draw/picture.hpp"

namespace tutti::core {

/// Some of the contributions' elements: `count` of them from `index` on, combined over `ranks`.
struct Data {
  std::vector<Rank> ranks;
  std::size_t index = 0;
  std::size_t count = 0;
};

/// Gives data their names. A contribution is cut where its blocks end and wherever somebody cuts
/// it.
class Notation {
 public:
  explicit Notation(const Problem& problem);

  /// Data that a picture will name: cuts are made at its ends.
  void cut(const Data& data);
  /// To be called when all cuts are made.
  void finish();

  /// One label for each set of ranks combined; no label is wider than about `width` characters.
  std::vector<Label> name(const std::vector<Data>& all, std::size_t width) const;
  /// Parts, once all cuts are made, their names, and whose block each is: alltoall: who gets it; of
  /// a vector nobody's, -1.
  std::size_t part_count() const { return cuts_.size() - 1; }
  std::string part_name(std::size_t part) const { return run(part, part); }
  Rank owner(std::size_t part) const;
  /// The first part and the one after the last of some data.
  std::pair<std::size_t, std::size_t> parts_of(const Data& data) const;
  /// `parts A-H of 2 elements`, or nothing where the names are ranks.
  std::string key() const;

 private:
  std::size_t position(const Data& data) const;
  std::size_t block_of(std::size_t part) const;
  /// More parts than letters.
  bool numbered() const { return cuts_.size() > 27; }
  bool may_join(std::size_t part) const;
  std::string run(std::size_t first, std::size_t last) const;

  const Problem& problem_;
  bool lettered_;
  std::vector<std::size_t> base_;  // where each rank's contribution begins, if they are told apart
  std::vector<std::size_t> blocks_;  // where each block begins, and the end
  std::vector<std::string> block_names_;
  std::vector<Rank> block_owners_;
  std::vector<std::size_t> cuts_;  // where each part begins, and the end
};

/// `0-3,7`; a long list with a pattern as `0,2..14`.
std::string ranks_text(std::vector<Rank> ranks);

}  // namespace tutti::core
