// A matrix or a trapezoid of it as dense memory.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace tutti::core::blacs {

/// Rows [first, first + length) of a column.
struct Rows {
  int first, length;
};

/// All of m rows and n columns.
struct Rectangle {
  int m, n;
  Rows column(int) const { return {0, m}; }
  long long count() const { return static_cast<long long>(m) * n; }
};

/// The upper or lower part, cut by the diagonal that begins in the first column or, where that
/// leaves whole rows or columns over, ends in the last: the BLACS's trapezoids.
struct Trapezoid {
  int m, n;
  bool upper, unit;  // unit: the diagonal does not travel
  Rows column(int j) const {
    const int skipped = unit ? 1 : 0;
    if (upper) {
      const int diagonal = j + std::max(0, m - n);  // its row in this column
      return {0, diagonal < m ? diagonal + 1 - skipped : m};
    }
    const int diagonal = j - std::max(0, n - m);
    const int first = diagonal < 0 ? 0 : diagonal + skipped;
    return {first, m - first};
  }
  long long count() const {
    const long long k = std::min(m, n);
    return static_cast<long long>(m) * n - k * (k - 1) / 2 - (unit ? k : 0);
  }
};

/// Memory that stays for the next call: a call that is repeated allocates nothing.
class Room {
 public:
  void* of(std::size_t bytes) {
    if (size_ < bytes) {
      memory_.reset();
      memory_ =
          std::make_unique_for_overwrite<std::max_align_t[]>(bytes / sizeof(std::max_align_t) + 1);
      size_ = bytes;
    }
    return memory_.get();
  }
  void release() {
    memory_.reset();
    size_ = 0;
  }

 private:
  std::unique_ptr<std::max_align_t[]> memory_;
  std::size_t size_ = 0;
};

/// Of all calls: there is one at a time.
inline Room& room() {
  static auto* const kept = new Room;
  return *kept;
}

/// Calls `each(element of the matrix, its number)` for a part of a matrix, column by column.
template <class T, class Part, class Each>
void for_each_element(const Part& part, T* a, int lda, Each&& each) {
  std::size_t number = 0;
  for (int j = 0; j < part.n; ++j) {
    const Rows rows = part.column(j);
    T* const column = a + static_cast<std::ptrdiff_t>(j) * lda + rows.first;
    for (int i = 0; i < rows.length; ++i) each(column[i], number++);
  }
}

/// The elements of a part of a matrix one after the other: where they stand, if they stand so, else
/// copied.
template <class T, class Part>
class Dense {
 public:
  Dense(const Part& part, T* a, int lda) : part_(part), a_(a), lda_(std::max(lda, part.m)) {}

  /// `filled`: with what the matrix holds.
  T* data(bool filled) {
    if (in_place()) return a_;
    copied_ = static_cast<T*>(room().of(static_cast<std::size_t>(part_.count()) * sizeof(T)));
    if (filled)
      for_each_element(part_, a_, lda_, [this](const T& x, std::size_t i) { copied_[i] = x; });
    return copied_;
  }
  /// Puts the elements back.
  void finish() {
    if (copied_ != nullptr)
      for_each_element(part_, a_, lda_, [this](T& x, std::size_t i) { x = copied_[i]; });
  }

 private:
  bool in_place() const {
    const long long whole = static_cast<long long>(part_.m) * part_.n;
    return part_.count() == whole && (lda_ == part_.m || part_.n <= 1);
  }

  Part part_;
  T* a_;
  int lda_;
  T* copied_ = nullptr;
};

}  // namespace tutti::core::blacs
