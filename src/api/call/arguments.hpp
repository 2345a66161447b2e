// The arguments of a call as words, by which it is known again.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "schedule/problem.hpp"

namespace tutti::core {

/// The arguments of a call as words, to see whether it is one that was described already.
class Arguments {
 public:
  Arguments() = default;
  template <class... Each>
  explicit Arguments(Collective collective, const Each&... each)
      : is_call_(true),
        words_{static_cast<std::uint64_t>(collective) | (entry_bytes<Each> + ...) << 32} {
    static_assert(sizeof...(each) < most);
    std::size_t i = 0;
    ((words_[++i] = word(each)), ...);
    for (i = 0; i <= sizeof...(each); ++i) mixed_ += words_[i] * (multiplier * (2 * i + 1));
  }

  bool is_call() const { return is_call_; }
  /// What lists of counts hold their addresses do not tell: see ListsRead.
  bool operator==(const Arguments& other) const { return words_ == other.words_; }
  /// One of `places`, a power of two above one: equal arguments have the same.
  std::size_t place(std::size_t places) const { return mixed_ >> (64 - std::countr_zero(places)); }

 private:
  static constexpr std::size_t most = 10;
  static constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;  // of Fibonacci hashing

  /// Of a list: those of large counts are not the same at the same address.
  template <class T, class To = std::remove_pointer_t<T>>
  static constexpr std::uint64_t entry_bytes = [] {
    if constexpr (std::is_pointer_v<T> && std::is_const_v<To> && !std::is_void_v<To>)
      return std::uint64_t{sizeof(To)};
    else
      return std::uint64_t{0};
  }();

  template <class T>
  static std::uint64_t word(const T& value) {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<std::uintptr_t>(value);
    else
      return static_cast<std::uint64_t>(value);
  }

  bool is_call_ = false;
  std::uint64_t mixed_ = 0;
  std::array<std::uint64_t, most> words_{};
};

/// The lists among the arguments that a description was made of, as they were then. The others may
/// not be looked at: where they mean nothing they may point anywhere.
class ListsRead {
 public:
  void clear() {
    lists_.clear();
    content_.clear();
  }
  template <class T>
  void add(const T* list, std::size_t length) {
    const auto bytes = std::as_bytes(std::span<const T>(list, length));
    const char* const first = reinterpret_cast<const char*>(bytes.data());
    lists_.emplace_back(first, bytes.size());
    content_.insert(content_.end(), first, first + bytes.size());
  }
  /// They hold the same again.
  bool hold_the_same() const {
    const char* then = content_.data();
    for (const auto& [now, bytes] : lists_) {
      if (std::memcmp(now, then, bytes) != 0) return false;
      then += bytes;
    }
    return true;
  }

 private:
  std::vector<std::pair<const char*, std::size_t>> lists_;
  std::vector<char> content_;  // one after the other
};

}  // namespace tutti::core
