// Counts the first calls of each class, and of each kind.

#include "select/young.hpp"

#include <algorithm>
#include <limits>

#include "schedule/bytes.hpp"
#include "select/predict.hpp"

namespace tutti::core {

namespace {

constexpr std::size_t enough = std::numeric_limits<std::uint16_t>::max();

}  // namespace

std::size_t Young::calls(std::size_t few, Collective collective, int size_class, int p) {
  const std::size_t bytes =
      size_class < 0 ? guessed_bytes(collective, p) : std::size_t{1} << size_class;
  const std::size_t ranks = std::max<std::size_t>(few_ranks, static_cast<std::size_t>(p));
  return few * few_bytes / (few_bytes + bytes * few_ranks / ranks);
}

bool Young::note(Collective collective, std::optional<std::size_t> bytes, int p) {
  const int size_class = size_class_of(bytes);
  auto found = std::find_if(classes_.begin(), classes_.end(), [&](const Class& each) {
    return each.collective == collective && each.size_class == size_class;
  });
  if (found == classes_.end())
    found = classes_.insert(classes_.end(),
                            {collective, size_class, calls(few_, collective, size_class, p)});
  if (found->left == 0) {
    earned_ = true;
    return false;
  }
  --found->left;
  return true;
}

std::uint16_t& YoungKinds::times_of(Collective collective, std::optional<std::size_t> bytes,
                                    int root) {
  if (times_ == nullptr) times_ = std::make_unique<Times>();
  constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;  // of Fibonacci hashing
  std::uint64_t mixed = (bytes ? *bytes + 1 : 0) * multiplier;
  mixed = (mixed ^ static_cast<std::uint64_t>(root) << 8 ^ static_cast<std::uint64_t>(collective)) *
          multiplier;
  return (*times_)[mixed >> 32 & (times_->size() - 1)];
}

bool YoungKinds::note(Collective collective, std::optional<std::size_t> bytes, int root, int p,
                      bool is_decided) {
  const std::size_t few = few_ / times_less / (is_decided ? times_less : 1);
  const std::size_t first =
      std::min(enough, Young::calls(few, collective, size_class_of(bytes), p));
  std::uint16_t& times = times_of(collective, bytes, root);
  if (times >= first) return false;  // and stays what it is: a rank that asks again asks alone
  ++times;
  return true;
}

void YoungKinds::earn(Collective collective, std::optional<std::size_t> bytes, int root) {
  times_of(collective, bytes, root) = enough;
}

}  // namespace tutti::core
