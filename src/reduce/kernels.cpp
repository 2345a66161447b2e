// A loop for each operator and type that the compiler can make vectors of.

#include "reduce/kernels.hpp"

#include <complex>
#include <cstdint>
#include <type_traits>

// Loops are written for one element and left to the compiler's vectoriser, which works on loops of
// unknown length only from -O3 on, whatever the rest of the library is built with.
#pragma GCC optimize("O3")

namespace tutti::core {
namespace {

/// A value at any address, read and written member by member.
template <class T>
struct [[gnu::packed, gnu::may_alias]] Unaligned {
  T value;
};

template <class Operation, class T>
[[gnu::always_inline]] inline void loop(const void* left, const void* right, void* result,
                                        std::size_t count) {
  const auto* a = static_cast<const Unaligned<T>*>(left);
  const auto* b = static_cast<const Unaligned<T>*>(right);
  auto* c = static_cast<Unaligned<T>*>(result);
  // The buffers are the same or apart: a check for partial overlap would make "in place" slow.
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) c[i].value = Operation::of(a[i].value, b[i].value);
}

template <class Operation, class T>
void baseline(const void* left, const void* right, void* result, std::size_t count) {
  loop<Operation, T>(left, right, result, count);
}

#ifdef __x86_64__
template <class Operation, class T>
[[gnu::target("avx2")]] void avx2(const void* left, const void* right, void* result,
                                  std::size_t count) {
  loop<Operation, T>(left, right, result, count);
}

template <class Operation, class T>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void avx512(const void* left,
                                                                  const void* right, void* result,
                                                                  std::size_t count) {
  loop<Operation, T>(left, right, result, count);
}
#endif

template <class Operation, class T>
Kernel vectorised([[maybe_unused]] Level level) {
#ifdef __x86_64__
  if (level == Level::avx512) return avx512<Operation, T>;
  if (level == Level::avx2) return avx2<Operation, T>;
#endif
  return baseline<Operation, T>;
}

// Integers of sum, prod and the bitwise operators are always unsigned here, so that they wrap.

struct Sum {
  template <class T>
  [[gnu::always_inline]] static T of(T a, T b) {
    return static_cast<T>(a + b);
  }
};

struct Prod {
  template <class T>
  [[gnu::always_inline]] static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(1u * a * b);  // 16 bits would become int, which overflows
    else
      return a * b;
  }
};

struct Max {
  template <class T>
  [[gnu::always_inline]] static T of(T a, T b) {
    return b > a ? b : a;
  }
};

struct Min {
  template <class T>
  [[gnu::always_inline]] static T of(T a, T b) {
    return b < a ? b : a;
  }
};

struct LogicalAnd {
  template <class T>
  static T of(T a, T b) {
    return (a != 0) & (b != 0);
  }
};

struct LogicalOr {
  template <class T>
  static T of(T a, T b) {
    return (a != 0) | (b != 0);
  }
};

struct LogicalXor {
  template <class T>
  static T of(T a, T b) {
    return (a != 0) ^ (b != 0);
  }
};

struct And {
  template <class T>
  [[gnu::always_inline]] static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};

struct Or {
  template <class T>
  [[gnu::always_inline]] static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};

struct Xor {
  template <class T>
  [[gnu::always_inline]] static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

template <class T>
Kernel logical(Operator op) {
  switch (op) {
    case Operator::land: return baseline<LogicalAnd, T>;
    case Operator::lor: return baseline<LogicalOr, T>;
    case Operator::lxor: return baseline<LogicalXor, T>;
    default: return nullptr;
  }
}

template <class T>
Kernel bitwise(Operator op, Level level) {
  switch (op) {
    case Operator::band: return vectorised<And, T>(level);
    case Operator::bor: return vectorised<Or, T>(level);
    case Operator::bxor: return vectorised<Xor, T>(level);
    default: return nullptr;
  }
}

template <class T>
Kernel floating(Operator op, Level level) {
  switch (op) {
    case Operator::sum: return vectorised<Sum, T>(level);
    case Operator::prod: return vectorised<Prod, T>(level);
    case Operator::max: return vectorised<Max, T>(level);
    case Operator::min: return vectorised<Min, T>(level);
    default: return nullptr;
  }
}

template <class T>
Kernel integer(Operator op, Level level) {
  using Bits = std::make_unsigned_t<T>;
  switch (op) {
    case Operator::sum: return vectorised<Sum, Bits>(level);
    case Operator::prod: return vectorised<Prod, Bits>(level);
    case Operator::max: return vectorised<Max, T>(level);
    case Operator::min: return vectorised<Min, T>(level);
    default:
      if (const Kernel kernel = logical<Bits>(op)) return kernel;
      return bitwise<Bits>(op, level);
  }
}

template <class T>
struct Complex {
  T real, imaginary;
};

/// As C multiplies, infinities included.
template <class T>
void complex_product(const void* left, const void* right, void* result, std::size_t count) {
  const auto* a = static_cast<const Unaligned<Complex<T>>*>(left);
  const auto* b = static_cast<const Unaligned<Complex<T>>*>(right);
  auto* c = static_cast<Unaligned<Complex<T>>*>(result);
  for (std::size_t i = 0; i < count; ++i) {
    const std::complex<T> product = std::complex<T>(a[i].value.real, a[i].value.imaginary) *
                                    std::complex<T>(b[i].value.real, b[i].value.imaginary);
    c[i].value.real = product.real();
    c[i].value.imaginary = product.imag();
  }
}

template <class T, Level level>
void complex_sum(const void* left, const void* right, void* result, std::size_t count) {
  vectorised<Sum, T>(level)(left, right, result, 2 * count);
}

template <class T>
Kernel complex(Operator op, Level level) {
  if (op == Operator::prod) return complex_product<T>;
  if (op != Operator::sum) return nullptr;
  switch (level) {
    case Level::baseline: return complex_sum<T, Level::baseline>;
    case Level::avx2: return complex_sum<T, Level::avx2>;
    case Level::avx512: return complex_sum<T, Level::avx512>;
  }
  return nullptr;
}

template <class Value, class Index>
struct Pair {
  Value value;
  Index index;
};

/// Of equal values the one with the lower index.
template <class Better, class Value, class Index>
void located(const void* left, const void* right, void* result, std::size_t count) {
  const auto* a = static_cast<const Unaligned<Pair<Value, Index>>*>(left);
  const auto* b = static_cast<const Unaligned<Pair<Value, Index>>*>(right);
  auto* c = static_cast<Unaligned<Pair<Value, Index>>*>(result);
  for (std::size_t i = 0; i < count; ++i) {
    const Value x = a[i].value.value, y = b[i].value.value;
    const Index at_x = a[i].value.index, at_y = b[i].value.index;
    const bool second = x == y ? at_y < at_x : Better::of(x, y) == y;
    c[i].value.value = second ? y : x;
    c[i].value.index = second ? at_y : at_x;
  }
}

template <class Value, class Index>
Kernel pair(Operator op) {
  switch (op) {
    case Operator::maxloc: return located<Max, Value, Index>;
    case Operator::minloc: return located<Min, Value, Index>;
    default: return nullptr;
  }
}

}  // namespace

std::size_t size_of(Type type) {
  switch (type) {
    case Type::int8:
    case Type::uint8:
    case Type::logical1:
    case Type::byte: return 1;
    case Type::int16:
    case Type::uint16:
    case Type::logical2: return 2;
    case Type::int32:
    case Type::uint32:
    case Type::logical4: return 4;
    case Type::int64:
    case Type::uint64:
    case Type::logical8: return 8;
    case Type::float32: return sizeof(float);
    case Type::float64: return sizeof(double);
    case Type::float80: return sizeof(long double);
    case Type::complex32: return sizeof(Complex<float>);
    case Type::complex64: return sizeof(Complex<double>);
    case Type::complex80: return sizeof(Complex<long double>);
    case Type::short_int: return sizeof(Pair<short, int>);
    case Type::int_int: return sizeof(Pair<int, int>);
    case Type::long_int: return sizeof(Pair<long, int>);
    case Type::float_int: return sizeof(Pair<float, int>);
    case Type::double_int: return sizeof(Pair<double, int>);
    case Type::long_double_int: return sizeof(Pair<long double, int>);
    case Type::float_float: return sizeof(Pair<float, float>);
    case Type::double_double: return sizeof(Pair<double, double>);
  }
  return 0;
}

Level best_level() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Level::avx512;
  if (__builtin_cpu_supports("avx2")) return Level::avx2;
#endif
  return Level::baseline;
}

Kernel kernel_for(Operator op, Type type) { return kernel_for(op, type, best_level()); }

Kernel kernel_for(Operator op, Type type, Level level) {
  switch (type) {
    case Type::int8: return integer<std::int8_t>(op, level);
    case Type::int16: return integer<std::int16_t>(op, level);
    case Type::int32: return integer<std::int32_t>(op, level);
    case Type::int64: return integer<std::int64_t>(op, level);
    case Type::uint8: return integer<std::uint8_t>(op, level);
    case Type::uint16: return integer<std::uint16_t>(op, level);
    case Type::uint32: return integer<std::uint32_t>(op, level);
    case Type::uint64: return integer<std::uint64_t>(op, level);
    case Type::float32: return floating<float>(op, level);
    case Type::float64: return floating<double>(op, level);
    case Type::float80: return floating<long double>(op, Level::baseline);
    case Type::complex32: return complex<float>(op, level);
    case Type::complex64: return complex<double>(op, level);
    case Type::complex80: return complex<long double>(op, Level::baseline);
    case Type::logical1: return logical<std::uint8_t>(op);
    case Type::logical2: return logical<std::uint16_t>(op);
    case Type::logical4: return logical<std::uint32_t>(op);
    case Type::logical8: return logical<std::uint64_t>(op);
    case Type::byte: return bitwise<std::uint8_t>(op, level);
    case Type::short_int: return pair<short, int>(op);
    case Type::int_int: return pair<int, int>(op);
    case Type::long_int: return pair<long, int>(op);
    case Type::float_int: return pair<float, int>(op);
    case Type::double_int: return pair<double, int>(op);
    case Type::long_double_int: return pair<long double, int>(op);
    case Type::float_float: return pair<float, float>(op);
    case Type::double_double: return pair<double, double>(op);
  }
  return nullptr;
}

}  // namespace tutti::core
