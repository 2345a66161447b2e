// Predefined types with the operators MPI allows on them, and values for which every order of
// combining gives the same bits on up to twelve ranks.
#pragma once

#include <complex>
#include <limits>

#include "layout.hpp"

namespace tutti::test {

inline constexpr int most_ranks = 12;

enum Operators : unsigned { arithmetic = 1, sums = 2, logical = 4, bitwise = 8, places = 16 };

/// How a value of a type is written; pairs are a value and an index.
enum class Value {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f32,
  f64,
  f80,
  c32,
  c64,
  c80,
  truth,
  truth32,
  f32_i32,
  f64_i32,
  i64_i32,
  i32_i32,
  i16_i32,
  f80_i32,
  f32_f32,
  f64_f64,
  opaque
};

struct Basic {
  Layout layout;
  Value value;
  unsigned operators;
};

/// That hold a long double's number: in the x87 format ten of sixteen.
inline constexpr std::size_t long_double_bytes =
    std::numeric_limits<long double>::digits == 64 ? 10 : sizeof(long double);

inline std::vector<Range> long_doubles(const std::vector<MPI_Aint>& places) {
  constexpr std::size_t gap = sizeof(long double) - long_double_bytes;
  std::vector<Range> ranges;
  for (const MPI_Aint at : places) {
    ranges.push_back({at, long_double_bytes});
    if (gap > 0) ranges.push_back({at + static_cast<MPI_Aint>(long_double_bytes), gap, true});
  }
  return ranges;
}

/// Every predefined type that both MPIs have.
inline const std::vector<Basic>& basics() {
  static const std::vector<Basic> list = [] {
    std::vector<Basic> all;
    const auto add = [&](const char* name, MPI_Datatype type, Value value, unsigned operators,
                         std::vector<Range> data = {}) {
      Layout layout = predefined(type, name, std::move(data));
      if (layout.data.empty()) layout.data = {{0, static_cast<std::size_t>(layout.extent)}};
      all.push_back({std::move(layout), value, operators});
    };
    const unsigned integer = arithmetic | logical | bitwise;
    add("MPI_SIGNED_CHAR", MPI_SIGNED_CHAR, Value::i8, integer);
    add("MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR, Value::u8, integer);
    add("MPI_SHORT", MPI_SHORT, Value::i16, integer);
    add("MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT, Value::u16, integer);
    add("MPI_INT", MPI_INT, Value::i32, integer);
    add("MPI_UNSIGNED", MPI_UNSIGNED, Value::u32, integer);
    add("MPI_LONG", MPI_LONG, Value::i64, integer);
    add("MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG, Value::u64, integer);
    add("MPI_LONG_LONG", MPI_LONG_LONG, Value::i64, integer);
    add("MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG, Value::u64, integer);
    add("MPI_INT8_T", MPI_INT8_T, Value::i8, integer);
    add("MPI_UINT8_T", MPI_UINT8_T, Value::u8, integer);
    add("MPI_INT16_T", MPI_INT16_T, Value::i16, integer);
    add("MPI_UINT16_T", MPI_UINT16_T, Value::u16, integer);
    add("MPI_INT32_T", MPI_INT32_T, Value::i32, integer);
    add("MPI_UINT32_T", MPI_UINT32_T, Value::u32, integer);
    add("MPI_INT64_T", MPI_INT64_T, Value::i64, integer);
    add("MPI_UINT64_T", MPI_UINT64_T, Value::u64, integer);
    add("MPI_AINT", MPI_AINT, Value::i64, arithmetic | bitwise);
    // Open MPI 4.1.4 combines offsets as if they had no sign.
    add("MPI_OFFSET", MPI_OFFSET, Value::u64, arithmetic | bitwise);
    add("MPI_COUNT", MPI_COUNT, Value::i64, arithmetic | bitwise);
    add("MPI_FLOAT", MPI_FLOAT, Value::f32, arithmetic);
    add("MPI_DOUBLE", MPI_DOUBLE, Value::f64, arithmetic);
    add("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, Value::f80, arithmetic, long_doubles({0}));
    add("MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX, Value::c32, sums);
    add("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, Value::c64, sums);
    add("MPI_C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX, Value::c80, sums,
        long_doubles({0, sizeof(long double)}));
    add("MPI_C_BOOL", MPI_C_BOOL, Value::truth, logical);
    add("MPI_BYTE", MPI_BYTE, Value::u8, bitwise);
    add("MPI_CHAR", MPI_CHAR, Value::opaque, 0);
    add("MPI_WCHAR", MPI_WCHAR, Value::opaque, 0);
    add("MPI_FLOAT_INT", MPI_FLOAT_INT, Value::f32_i32, places);
    add("MPI_DOUBLE_INT", MPI_DOUBLE_INT, Value::f64_i32, places, {{0, 12}, {12, 4, true}});
    add("MPI_LONG_INT", MPI_LONG_INT, Value::i64_i32, places, {{0, 12}, {12, 4, true}});
    add("MPI_2INT", MPI_2INT, Value::i32_i32, places);
    add("MPI_SHORT_INT", MPI_SHORT_INT, Value::i16_i32, places, {{0, 2}, {2, 2, true}, {4, 4}});
    std::vector<Range> place = long_doubles({0});
    place.push_back({16, 4});
    place.push_back({20, 12, true});
    add("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT, Value::f80_i32, places, place);
    add("MPI_INTEGER", MPI_INTEGER, Value::i32, arithmetic | bitwise);
    add("MPI_REAL", MPI_REAL, Value::f32, arithmetic);
    add("MPI_DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, Value::f64, arithmetic);
    add("MPI_COMPLEX", MPI_COMPLEX, Value::c32, sums);
    add("MPI_DOUBLE_COMPLEX", MPI_DOUBLE_COMPLEX, Value::c64, sums);
    add("MPI_LOGICAL", MPI_LOGICAL, Value::truth32, logical);
    add("MPI_INTEGER8", MPI_INTEGER8, Value::i64, arithmetic | bitwise);
    add("MPI_REAL8", MPI_REAL8, Value::f64, arithmetic);
    add("MPI_2INTEGER", MPI_2INTEGER, Value::i32_i32, places);
    add("MPI_2REAL", MPI_2REAL, Value::f32_f32, places);
    add("MPI_2DOUBLE_PRECISION", MPI_2DOUBLE_PRECISION, Value::f64_f64, places);
    return all;
  }();
  return list;
}

struct Operator {
  const char* name;
  MPI_Op op;
  unsigned group;
};

inline std::vector<Operator> operators_of(unsigned groups) {
  std::vector<Operator> legal;
  for (const Operator& each :
       {Operator{"MPI_SUM", MPI_SUM, arithmetic | sums},
        Operator{"MPI_PROD", MPI_PROD, arithmetic | sums}, Operator{"MPI_MAX", MPI_MAX, arithmetic},
        Operator{"MPI_MIN", MPI_MIN, arithmetic}, Operator{"MPI_LAND", MPI_LAND, logical},
        Operator{"MPI_LOR", MPI_LOR, logical}, Operator{"MPI_LXOR", MPI_LXOR, logical},
        Operator{"MPI_BAND", MPI_BAND, bitwise}, Operator{"MPI_BOR", MPI_BOR, bitwise},
        Operator{"MPI_BXOR", MPI_BXOR, bitwise}, Operator{"MPI_MINLOC", MPI_MINLOC, places},
        Operator{"MPI_MAXLOC", MPI_MAXLOC, places}})
    if (each.group & groups) legal.push_back(each);
  return legal;
}

/// What is no part of the value stays as it is.
template <class T>
void put(unsigned char* at, const T& value) {
  if constexpr (std::is_same_v<T, std::complex<long double>>) {
    put(at, value.real());
    put(at + sizeof(long double), value.imag());
  } else {
    std::memcpy(at, &value, std::is_same_v<T, long double> ? long_double_bytes : sizeof value);
  }
}

template <class T>
void put_integer(unsigned char* at, Random& random, MPI_Op op) {
  constexpr bool is_signed = std::is_signed_v<T>;
  if (op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR)
    return put(at, static_cast<T>(random.next() | (op == MPI_BAND ? random.next() : 0)));
  long most = 100;
  if (op == MPI_SUM) most = sizeof(T) == 1 ? 10 : sizeof(T) == 2 ? 2700 : 100000000;
  if (op == MPI_PROD) most = sizeof(T) == 1 ? 1 : sizeof(T) == 2 ? 2 : 3;
  if (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR) most = 2;
  put(at, static_cast<T>(random.between(is_signed ? -most : 0, most)));
}

template <class T>
T real(Random& random, MPI_Op op) {
  return static_cast<T>(op == MPI_PROD ? random.between(1, 3) * (random.one_in(2) ? 1 : -1)
                                       : random.between(-1000, 1000));
}

template <class T>
void put_complex(unsigned char* at, Random& random, MPI_Op op) {
  // Multiples of (2, 1) never multiply to a number on an axis, where the sign of a zero would
  // depend on the order.
  const std::complex<T> value =
      op == MPI_PROD ? std::complex<T>(2, 1) * static_cast<T>(random.one_in(2) ? 1 : -1)
                     : std::complex<T>(real<T>(random, op), real<T>(random, op));
  put(at, value);
}

template <class T, class Index>
void put_pair(unsigned char* at, Random& random) {
  struct Pair {
    T value;
    Index index;
  };
  const auto value = static_cast<T>(random.between(-3, 3));
  const auto index = static_cast<Index>(random.between(0, 20));
  put(at + offsetof(Pair, value), value);
  put(at + offsetof(Pair, index), index);
}

/// Writes one legal operand.
inline void put_value(unsigned char* at, Value value, MPI_Op op, Random& random) {
  switch (value) {
    case Value::i8: return put_integer<std::int8_t>(at, random, op);
    case Value::u8: return put_integer<std::uint8_t>(at, random, op);
    case Value::i16: return put_integer<std::int16_t>(at, random, op);
    case Value::u16: return put_integer<std::uint16_t>(at, random, op);
    case Value::i32: return put_integer<std::int32_t>(at, random, op);
    case Value::u32: return put_integer<std::uint32_t>(at, random, op);
    case Value::i64: return put_integer<std::int64_t>(at, random, op);
    case Value::u64: return put_integer<std::uint64_t>(at, random, op);
    case Value::f32: return put(at, real<float>(random, op));
    case Value::f64: return put(at, real<double>(random, op));
    case Value::f80: return put(at, real<long double>(random, op));
    case Value::c32: return put_complex<float>(at, random, op);
    case Value::c64: return put_complex<double>(at, random, op);
    case Value::c80: return put_complex<long double>(at, random, op);
    case Value::truth: return put(at, random.one_in(2));
    case Value::truth32: return put<std::int32_t>(at, random.one_in(2) ? 1 : 0);
    case Value::f32_i32: return put_pair<float, int>(at, random);
    case Value::f64_i32: return put_pair<double, int>(at, random);
    case Value::i64_i32: return put_pair<long, int>(at, random);
    case Value::i32_i32: return put_pair<int, int>(at, random);
    case Value::i16_i32: return put_pair<short, int>(at, random);
    case Value::f80_i32: return put_pair<long double, int>(at, random);
    case Value::f32_f32: return put_pair<float, float>(at, random);
    case Value::f64_f64: return put_pair<double, double>(at, random);
    case Value::opaque: return;
  }
}

/// Two 32-bit words, where they stand in an element; user operators work on lists of them.
struct Words {
  MPI_Aint a = 0, b = 0;
};

/// The layout of the elements that user operators get now. MPI hands them no context.
inline std::vector<Words>& user_words() {
  static std::vector<Words> words;
  return words;
}

template <class Combine>
void combine_words(void* in, void* inout, int count, MPI_Datatype type, Combine combine) {
  MPI_Aint lb = 0, extent = 0;
  PMPI_Type_get_extent(type, &lb, &extent);
  for (MPI_Aint i = 0; i < count; ++i)
    for (const Words words : user_words()) {
      std::uint32_t left[2], right[2];
      unsigned char* x = static_cast<unsigned char*>(in) + i * extent;
      unsigned char* y = static_cast<unsigned char*>(inout) + i * extent;
      std::memcpy(&left[0], x + words.a, 4);
      std::memcpy(&left[1], x + words.b, 4);
      std::memcpy(&right[0], y + words.a, 4);
      std::memcpy(&right[1], y + words.b, 4);
      combine(left, right);
      std::memcpy(y + words.a, &right[0], 4);
      std::memcpy(y + words.b, &right[1], 4);
    }
}

/// Componentwise sums: commutative.
inline void user_add(void* in, void* inout, int* count, MPI_Datatype* type) {
  combine_words(in, inout, *count, *type, [](const std::uint32_t* left, std::uint32_t* right) {
    right[0] += left[0];
    right[1] += left[1];
  });
}

/// Composition of maps x -> a x + b: associative, not commutative.
inline void user_compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  combine_words(in, inout, *count, *type, [](const std::uint32_t* left, std::uint32_t* right) {
    right[1] = left[0] * right[1] + left[1];
    right[0] = left[0] * right[0];
  });
}

}  // namespace tutti::test
