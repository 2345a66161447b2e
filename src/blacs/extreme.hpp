// The largest and the smallest by absolute value, as operators, and where they stand.

#pragma once

#include <mpi.h>

#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace tutti::core::blacs {

/// The elements of BLACS's five types.
template <class T>
MPI_Datatype datatype_of() {
  if constexpr (std::is_same_v<T, int>) return MPI_INT;
  if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
  if constexpr (std::is_same_v<T, std::complex<float>>) return MPI_C_FLOAT_COMPLEX;
  if constexpr (std::is_same_v<T, std::complex<double>>) return MPI_C_DOUBLE_COMPLEX;
}

/// What is compared: the absolute value, of complex numbers the sum of their parts'.
inline unsigned magnitude(int x) {
  return x < 0 ? 0u - static_cast<unsigned>(x) : static_cast<unsigned>(x);
}
template <std::floating_point T>
T magnitude(T x) {
  return std::fabs(x);
}
template <class T>
T magnitude(const std::complex<T>& x) {
  return std::fabs(x.real()) + std::fabs(x.imag());
}

/// Of two that are as far from zero the greater is taken, be it a maximum or a minimum.
template <class T>
bool is_greater(const T& a, const T& b) {
  if (a != b) return a > b;
  return std::signbit(b) && !std::signbit(a);  // 0 before -0
}
template <class T>
bool is_greater(const std::complex<T>& a, const std::complex<T>& b) {
  return a.real() != b.real() ? a.real() > b.real() : is_greater(a.imag(), b.imag());
}

/// A value with its owner's distance from the destination. No byte is unused.
template <class T>
struct Found {
  T value;
  std::conditional_t<sizeof(T) % 8 == 0 && alignof(T) == 8, std::int64_t, std::int32_t> distance;
};

enum class Extreme { max, min };

/// -1, 0, 1: what a is against b, in a total order, so that all processes find the same whoever
/// meets whom first. What is no number is beyond all numbers: it is always found.
template <Extreme extreme, class T>
int order(const T& a, const T& b) {
  const auto of_a = magnitude(a), of_b = magnitude(b);
  if (of_a == of_b) return 0;
  if (of_a != of_a || of_b != of_b) return of_a == of_a ? -1 : of_b == of_b ? 1 : 0;
  return (extreme == Extreme::max) == (of_a > of_b) ? 1 : -1;
}

template <Extreme extreme, class T>
bool comes_before(const T& a, const T& b) {
  const int against = order<extreme>(a, b);
  return against != 0 ? against > 0 : is_greater(a, b);
}
/// Here the nearer one is taken of two that are as far from zero.
template <Extreme extreme, class T>
bool comes_before(const Found<T>& a, const Found<T>& b) {
  const int against = order<extreme>(a.value, b.value);
  return against != 0 ? against > 0 : a.distance < b.distance;
}

/// Extremes of elements, T or Found<T>, as an operator of the MPI. Made once, for ever.
template <Extreme extreme, class Element>
MPI_Op extreme_operator() {
  static const MPI_Op made = [] {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(
        [](void* in, void* inout, int* count, MPI_Datatype*) {
          const auto* const others = static_cast<const Element*>(in);
          auto* const ours = static_cast<Element*>(inout);
          for (int i = 0; i < *count; ++i)
            if (comes_before<extreme>(others[i], ours[i])) ours[i] = others[i];
        },
        1, &op);
    return op;
  }();
  return made;
}

/// Found<T> as bytes, which is how they travel.
template <class T>
MPI_Datatype found_datatype() {
  static const MPI_Datatype made = [] {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(sizeof(Found<T>), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
  }();
  return made;
}

}  // namespace tutti::core::blacs
