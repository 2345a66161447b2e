#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace tutti::core {

/// Interned expressions over ranks' contributions: equal expressions have equal numbers.
class Expressions {
 public:
  using Id = std::uint32_t;
  static constexpr Id undefined = 0;  // scratch that nobody has written
  static constexpr Id garbage = 1;    // a combination that means nothing

  Expressions() : nodes_(2) {}
  Id contribution(Rank rank) {
    return intern({Is::contribution, static_cast<std::uint64_t>(rank)});
  }
  /// What stood in an output before the call.
  Id initial(Rank rank) { return intern({Is::initial, static_cast<std::uint64_t>(rank)}); }
  Id constant(std::uint64_t value) { return intern({Is::constant, value}); }
  Id combine(Id left, Id right);

  bool is_value(Id id) const {
    return nodes_[id].is == Is::contribution || nodes_[id].is == Is::combination;
  }
  bool is_constant(Id id) const { return nodes_[id].is == Is::constant; }
  std::uint64_t constant_of(Id id) const { return nodes_[id].a; }
  /// The ranks whose contributions are combined, in operand order; at most `limit` of them.
  std::vector<Rank> operands(Id id, std::size_t limit) const;
  std::string describe(Id id) const;
  /// By number: a digest of each expression, the same wherever it is built. `swaps`: a op b counts
  /// as b op a.
  std::vector<std::uint64_t> digests(bool swaps) const;

 private:
  enum class Is : std::uint8_t { nothing, contribution, initial, constant, combination };
  struct Node {
    Is is = Is::nothing;
    std::uint64_t a = 0;  // rank, or value, or left and right
    bool operator==(const Node&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Node& node) const {
      return (node.a + static_cast<std::uint64_t>(node.is)) * 0x9E3779B97F4A7C15ull >> 7;
    }
  };
  Id intern(const Node& node);

  std::vector<Node> nodes_;
  std::unordered_map<Node, Id, Hash> ids_;
};

/// `count` elements: element k is the expression at index + k of every operand.
struct Piece {
  std::size_t count = 0;
  Expressions::Id id = Expressions::undefined;
  std::size_t index = 0;
  bool operator==(const Piece&) const = default;
};

/// One buffer's symbolic contents: intervals that cover it without gaps.
class Contents {
 public:
  void resize(std::size_t size, Expressions::Id id);
  std::size_t size() const { return size_; }
  /// Appends what stands in [offset, offset + count), joined where it goes on.
  void read(std::size_t offset, std::size_t count, std::vector<Piece>& into) const;
  void write(std::size_t offset, const Piece* pieces, std::size_t number);

 private:
  struct Interval {
    std::size_t offset;
    Expressions::Id id;
    std::size_t index;  // of its first element
  };
  std::size_t size_ = 0;
  std::vector<Interval> intervals_;  // each ends where the next begins
};

/// Appends a piece, joined with the last one where it goes on.
void append(std::vector<Piece>& pieces, const Piece& piece);

/// Element by element, as far as both reach.
std::vector<Piece> combine(Expressions& expressions, const std::vector<Piece>& left,
                           const std::vector<Piece>& right);

}  // namespace tutti::core
