#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "schedule/problem.hpp"

namespace tutti {

/// The arguments of a call as words, to see whether it is one that was described already.
class Arguments {
 public:
  Arguments() = default;
  template <class... Each>
  explicit Arguments(Collective collective, const Each&... each)
      : comparable_(!(is_list<Each> || ...)), words_{static_cast<std::uint64_t>(collective)} {
    if constexpr (!(is_list<Each> || ...)) {
      static_assert(sizeof...(each) < most);
      std::size_t i = 0;
      ((words_[++i] = word(each)), ...);
      for (i = 0; i <= sizeof...(each); ++i) mixed_ += words_[i] * (multiplier * (2 * i + 1));
    }
  }

  /// What a list of counts holds its address does not tell.
  bool comparable() const { return comparable_; }
  bool operator==(const Arguments& other) const { return words_ == other.words_; }
  /// One of `places`, a power of two above one: equal arguments have the same.
  std::size_t place(std::size_t places) const { return mixed_ >> (64 - std::countr_zero(places)); }

 private:
  static constexpr std::size_t most = 9;
  static constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;  // of Fibonacci hashing

  template <class T, class To = std::remove_pointer_t<T>>
  static constexpr bool is_list = std::is_pointer_v<T>&& std::is_const_v<To> && !std::is_void_v<To>;

  template <class T>
  static std::uint64_t word(const T& value) {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<std::uintptr_t>(value);
    else
      return static_cast<std::uint64_t>(value);
  }

  bool comparable_ = false;
  std::uint64_t mixed_ = 0;
  std::array<std::uint64_t, most> words_{};
};

}  // namespace tutti
