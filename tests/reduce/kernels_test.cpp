#include "reduce/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace tutti::core {
namespace {

using Bytes = std::vector<unsigned char>;
using Random = std::mt19937_64;

constexpr int operators = static_cast<int>(Operator::minloc) + 1;
constexpr int types = static_cast<int>(Type::double_double) + 1;

std::vector<Level> levels() {
  std::vector<Level> all;
  for (int level = 0; level <= static_cast<int>(best_level()); ++level)
    all.push_back(static_cast<Level>(level));
  return all;
}

/// Bytes that hold a value: the x87 format leaves the last six of sixteen alone.
template <class T>
constexpr std::size_t value_bytes = std::is_floating_point_v<T>&& std::numeric_limits<T>::digits ==
                                            64
                                        ? 10
                                        : sizeof(T);

template <class T>
T load(const unsigned char* from) {
  T value{};
  std::memcpy(&value, from, value_bytes<T>);
  return value;
}

template <class T>
void store(unsigned char* to, T value) {
  std::memcpy(to, &value, value_bytes<T>);
}

template <class T>
T integer(Operator op, T a, T b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  switch (op) {
    case Operator::sum: return static_cast<T>(x + y);
    case Operator::prod: return static_cast<T>(x * y);
    case Operator::max: return std::max(a, b);
    case Operator::min: return std::min(a, b);
    case Operator::land: return a && b;
    case Operator::lor: return a || b;
    case Operator::lxor: return !a != !b;
    case Operator::band: return static_cast<T>(x & y);
    case Operator::bor: return static_cast<T>(x | y);
    case Operator::bxor: return static_cast<T>(x ^ y);
    default: return {};
  }
}

template <class T>
T floating(Operator op, T a, T b) {
  switch (op) {
    case Operator::sum: return a + b;
    case Operator::prod: return a * b;
    case Operator::max: return std::max(a, b);
    case Operator::min: return std::min(a, b);
    default: return {};
  }
}

/// What a type is made of: how to make an element and how to combine two, one byte at a time.
struct Reference {
  std::size_t size;
  std::string defined;  // one letter per operator: x where MPI defines it
  void (*make)(Random& random, unsigned char* to);
  void (*combine)(Operator op, const unsigned char* a, const unsigned char* b, unsigned char* to);
};

//                           sum prod max min land lor lxor band bor bxor maxloc minloc
const std::string whole = "xxxxxxxxxx..", real = "xxxx........", complex = "xx..........",
                  logical = "....xxx.....", bits = ".......xxx..", pair = "..........xx";

template <class T>
Reference integers(const std::string& defined = whole) {
  return {sizeof(T), defined,
          [](Random& random, unsigned char* to) {
            // Zeros and equal values must occur, else logical operators and ties go untested.
            store(to, static_cast<T>(random() % 4 == 0 ? random() % 3 : random()));
          },
          [](Operator op, const unsigned char* a, const unsigned char* b, unsigned char* to) {
            store(to, integer(op, load<T>(a), load<T>(b)));
          }};
}

template <class T>
T any_real(Random& random) {
  return static_cast<T>(std::uniform_real_distribution<double>(-1e3, 1e3)(random));
}

template <class T>
Reference reals() {
  return {sizeof(T), real,
          [](Random& random, unsigned char* to) { store(to, any_real<T>(random)); },
          [](Operator op, const unsigned char* a, const unsigned char* b, unsigned char* to) {
            store(to, floating(op, load<T>(a), load<T>(b)));
          }};
}

template <class T>
Reference complexes() {
  return {2 * sizeof(T), complex,
          [](Random& random, unsigned char* to) {
            store(to, any_real<T>(random));
            store(to + sizeof(T), any_real<T>(random));
          },
          [](Operator op, const unsigned char* a, const unsigned char* b, unsigned char* to) {
            const std::complex<T> x(load<T>(a), load<T>(a + sizeof(T)));
            const std::complex<T> y(load<T>(b), load<T>(b + sizeof(T)));
            const std::complex<T> z = op == Operator::sum ? x + y : x * y;
            store(to, z.real());
            store(to + sizeof(T), z.imag());
          }};
}

template <class Value, class Index>
Reference pairs() {
  struct Pair {
    Value value;
    Index index;
  };
  return {sizeof(Pair), pair,
          [](Random& random, unsigned char* to) {
            store(to, static_cast<Value>(static_cast<int>(random() % 5) - 2));
            store(to + offsetof(Pair, index), static_cast<Index>(random() % 7));
          },
          [](Operator op, const unsigned char* a, const unsigned char* b, unsigned char* to) {
            const auto x = load<Value>(a), y = load<Value>(b);
            const auto i = load<Index>(a + offsetof(Pair, index));
            const auto j = load<Index>(b + offsetof(Pair, index));
            store(to, op == Operator::maxloc ? std::max(x, y) : std::min(x, y));
            const bool left = op == Operator::maxloc ? x > y : x < y;
            store(to + offsetof(Pair, index), x == y ? std::min(i, j) : left ? i : j);
          }};
}

Reference reference(Type type) {
  switch (type) {
    case Type::int8: return integers<std::int8_t>();
    case Type::int16: return integers<std::int16_t>();
    case Type::int32: return integers<std::int32_t>();
    case Type::int64: return integers<std::int64_t>();
    case Type::uint8: return integers<std::uint8_t>();
    case Type::uint16: return integers<std::uint16_t>();
    case Type::uint32: return integers<std::uint32_t>();
    case Type::uint64: return integers<std::uint64_t>();
    case Type::float32: return reals<float>();
    case Type::float64: return reals<double>();
    case Type::float80: return reals<long double>();
    case Type::complex32: return complexes<float>();
    case Type::complex64: return complexes<double>();
    case Type::complex80: return complexes<long double>();
    case Type::logical1: return integers<std::uint8_t>(logical);
    case Type::logical2: return integers<std::uint16_t>(logical);
    case Type::logical4: return integers<std::uint32_t>(logical);
    case Type::logical8: return integers<std::uint64_t>(logical);
    case Type::byte: return integers<std::uint8_t>(bits);
    case Type::short_int: return pairs<short, int>();
    case Type::int_int: return pairs<int, int>();
    case Type::long_int: return pairs<long, int>();
    case Type::float_int: return pairs<float, int>();
    case Type::double_int: return pairs<double, int>();
    case Type::long_double_int: return pairs<long double, int>();
    case Type::float_float: return pairs<float, float>();
    case Type::double_double: return pairs<double, double>();
  }
  return {};
}

TEST(Kernels, AreDefinedWhereMpiDefinesThem) {
  for (int type = 0; type < types; ++type) {
    const Reference expected = reference(static_cast<Type>(type));
    EXPECT_EQ(size_of(static_cast<Type>(type)), expected.size) << "type " << type;
    std::string defined;
    for (int op = 0; op < operators; ++op)
      defined += kernel_for(static_cast<Operator>(op), static_cast<Type>(type)) ? 'x' : '.';
    EXPECT_EQ(defined, expected.defined) << "type " << type;
  }
}

/// Where left, right and result begin.
using Shifts = std::array<std::size_t, 3>;

enum class Place { apart, on_left, on_right };

/// One call on buffers with guard bytes round them, at given distances from a cache line.
void check(Operator op, Type type, Level level, std::size_t count, const Shifts& shift, Place place,
           Random& random) {
  const Reference expected = reference(type);
  const std::size_t guard = 64, size = expected.size;
  Bytes left(2 * guard + count * size + 64), right = left, result = left;
  for (Bytes* buffer : {&left, &right, &result})
    std::iota(buffer->begin(), buffer->end(), static_cast<unsigned char>(random()));
  // Vectors of bytes start at multiples of sixteen; what matters is to be off them.
  const std::size_t at_left = guard + shift[0], at_right = guard + shift[1];
  const std::size_t at_result = place == Place::apart     ? guard + shift[2]
                                : place == Place::on_left ? at_left
                                                          : at_right;
  for (std::size_t i = 0; i < count; ++i) {
    expected.make(random, &left[at_left + i * size]);
    expected.make(random, &right[at_right + i * size]);
  }
  Bytes& target = place == Place::apart ? result : place == Place::on_left ? left : right;
  Bytes wanted = target;
  for (std::size_t i = 0; i < count; ++i)
    expected.combine(op, &left[at_left + i * size], &right[at_right + i * size],
                     &wanted[at_result + i * size]);
  const Bytes left_before = left, right_before = right;
  kernel_for(op, type, level)(&left[at_left], &right[at_right], &target[at_result], count);
  ASSERT_EQ(target, wanted);
  if (place != Place::on_left) {
    ASSERT_EQ(left, left_before);
  }
  if (place != Place::on_right) {
    ASSERT_EQ(right, right_before);
  }
}

class EveryType : public testing::TestWithParam<int> {};

TEST_P(EveryType, IsRightForAnyCountAddressAndPlace) {
  const auto type = static_cast<Type>(GetParam());
  const std::string defined = reference(type).defined;
  Random random(static_cast<std::uint64_t>(GetParam()));
  std::vector<std::size_t> counts;
  for (std::size_t count = 0; count <= 70; ++count) counts.push_back(count);
  counts.push_back(1000);
  for (int op = 0; op < operators; ++op) {
    if (defined[static_cast<std::size_t>(op)] != 'x') continue;
    for (const Level level : levels())
      for (const std::size_t count : counts)
        for (const Place place : {Place::apart, Place::on_left, Place::on_right})
          for (const Shifts& shift : {Shifts{0, 0, 0}, {1, 2, 3}, {8, 4, 1}, {3, 0, 16}}) {
            check(static_cast<Operator>(op), type, level, count, shift, place, random);
            if (HasFatalFailure())
              FAIL() << "operator " << op << ", level " << static_cast<int>(level) << ", count "
                     << count << ", place " << static_cast<int>(place) << ", shifts " << shift[0]
                     << " " << shift[1] << " " << shift[2];
          }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryType, testing::Range(0, types));

/// Every pair of 8-bit values, and of 16-bit ones near the ends of the range.
template <class T>
void check_wrapping(Type type) {
  std::vector<T> left, right;
  using Limits = std::numeric_limits<T>;
  for (int i = 0; i < 256; ++i)
    for (int j = 0; j < 256; ++j) {
      left.push_back(static_cast<T>(i < 128 ? Limits::min() + i : Limits::max() - (i - 128)));
      right.push_back(static_cast<T>(j < 128 ? Limits::min() + j : Limits::max() - (j - 128)));
    }
  std::vector<T> result(left.size());
  for (const Level level : levels())
    for (int op = 0; op <= static_cast<int>(Operator::bxor); ++op) {
      kernel_for(static_cast<Operator>(op), type, level)(left.data(), right.data(), result.data(),
                                                         left.size());
      for (std::size_t i = 0; i < left.size(); ++i)
        ASSERT_EQ(result[i], integer(static_cast<Operator>(op), left[i], right[i]))
            << "operator " << op << ", level " << static_cast<int>(level) << ": " << +left[i]
            << " and " << +right[i];
    }
}

TEST(Kernels, Wrap) {
  check_wrapping<std::int8_t>(Type::int8);
  check_wrapping<std::uint8_t>(Type::uint8);
  check_wrapping<std::int16_t>(Type::int16);
  check_wrapping<std::uint16_t>(Type::uint16);
  check_wrapping<std::int32_t>(Type::int32);
  check_wrapping<std::int64_t>(Type::int64);
}

TEST(Kernels, TakeTheLowerIndexOfEqualValues) {
  struct Pair {
    double value;
    int index;
  };
  for (const Operator op : {Operator::maxloc, Operator::minloc}) {
    Pair low{2.5, 1}, high{2.5, 7}, result{};
    kernel_for(op, Type::double_int)(&low, &high, &result, 1);
    EXPECT_EQ(result.index, 1);
    kernel_for(op, Type::double_int)(&high, &low, &result, 1);
    EXPECT_EQ(result.index, 1);
  }
}

}  // namespace
}  // namespace tutti::core
