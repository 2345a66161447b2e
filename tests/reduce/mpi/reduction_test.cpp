#include "reduce/mpi/reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

// One process is enough here: nothing is sent.

namespace tutti::core {
namespace {

using Bytes = std::vector<char>;

const std::vector<std::pair<const char*, MPI_Op>> operators{
    {"sum", MPI_SUM},   {"prod", MPI_PROD}, {"max", MPI_MAX},       {"min", MPI_MIN},
    {"land", MPI_LAND}, {"lor", MPI_LOR},   {"lxor", MPI_LXOR},     {"band", MPI_BAND},
    {"bor", MPI_BOR},   {"bxor", MPI_BXOR}, {"maxloc", MPI_MAXLOC}, {"minloc", MPI_MINLOC}};

struct Predefined {
  MPI_Datatype type;
  std::string defined;  // for each of the operators: x where we have a kernel
  void (*make)(std::mt19937& random, char* to);
};

/// The x87 format holds its value in ten of sixteen bytes; the rest stays as it is.
template <class T>
void store(char* to, T value) {
  const bool x87 = std::is_floating_point_v<T> && std::numeric_limits<T>::digits == 64;
  std::memcpy(to, &value, x87 ? 10 : sizeof value);
}

template <class T>
void number(std::mt19937& random, char* to) {
  store(to, static_cast<T>(static_cast<int>(random() % 9) - 4));
}

/// Small enough not to meet errors of MPIs: Open MPI 4.1 saturates sums of unsigned char and short
/// and takes MPI_UNSIGNED_LONG for signed and MPI_OFFSET for unsigned; MPICH 4.0 compares all
/// unsigned integers as signed ones.
template <class T>
void natural(std::mt19937& random, char* to) {
  store(to, static_cast<T>(random() % 9));
}

template <class T>
void truth(std::mt19937& random, char* to) {
  store(to, static_cast<T>(random() % 2));
}

template <class T, class U>
void two(std::mt19937& random, char* to) {
  struct Pair {
    T first;
    U second;
  };
  number<T>(random, to);
  number<U>(random, to + offsetof(Pair, second));
}

std::vector<Predefined> predefined() {
  const std::string whole = "xxxxxxxxxx..", fortran = "xxxx...xxx..", real = "xxxx........",
                    complex = "xx..........", logical = "....xxx.....", bits = ".......xxx..",
                    pair = "..........xx";
  return {{MPI_SIGNED_CHAR, whole, number<signed char>},
          {MPI_UNSIGNED_CHAR, whole, natural<unsigned char>},
          {MPI_SHORT, whole, number<short>},
          {MPI_UNSIGNED_SHORT, whole, natural<unsigned short>},
          {MPI_INT, whole, number<int>},
          {MPI_UNSIGNED, whole, natural<unsigned>},
          {MPI_LONG, whole, number<long>},
          {MPI_UNSIGNED_LONG, whole, natural<unsigned long>},
          {MPI_LONG_LONG, whole, number<long long>},
          {MPI_UNSIGNED_LONG_LONG, whole, natural<unsigned long long>},
          {MPI_INT8_T, whole, number<std::int8_t>},
          {MPI_INT16_T, whole, number<std::int16_t>},
          {MPI_INT32_T, whole, number<std::int32_t>},
          {MPI_INT64_T, whole, number<std::int64_t>},
          {MPI_UINT8_T, whole, natural<std::uint8_t>},
          {MPI_UINT16_T, whole, natural<std::uint16_t>},
          {MPI_UINT32_T, whole, natural<std::uint32_t>},
          {MPI_UINT64_T, whole, natural<std::uint64_t>},
          {MPI_AINT, whole, number<MPI_Aint>},
          {MPI_OFFSET, whole, natural<MPI_Offset>},
          {MPI_COUNT, whole, number<MPI_Count>},
          {MPI_INTEGER, fortran, number<std::int32_t>},
          {MPI_INTEGER1, fortran, number<std::int8_t>},
          {MPI_INTEGER2, fortran, number<std::int16_t>},
          {MPI_INTEGER4, fortran, number<std::int32_t>},
          {MPI_INTEGER8, fortran, number<std::int64_t>},
          {MPI_FLOAT, real, number<float>},
          {MPI_DOUBLE, real, number<double>},
          {MPI_LONG_DOUBLE, real, number<long double>},
          {MPI_REAL, real, number<float>},
          {MPI_DOUBLE_PRECISION, real, number<double>},
          {MPI_REAL4, real, number<float>},
          {MPI_REAL8, real, number<double>},
          {MPI_C_FLOAT_COMPLEX, complex, two<float, float>},
          {MPI_C_DOUBLE_COMPLEX, complex, two<double, double>},
          {MPI_C_LONG_DOUBLE_COMPLEX, complex, two<long double, long double>},
          {MPI_CXX_FLOAT_COMPLEX, complex, two<float, float>},
          {MPI_CXX_DOUBLE_COMPLEX, complex, two<double, double>},
          {MPI_CXX_LONG_DOUBLE_COMPLEX, complex, two<long double, long double>},
          {MPI_COMPLEX, complex, two<float, float>},
          {MPI_DOUBLE_COMPLEX, complex, two<double, double>},
          {MPI_COMPLEX8, complex, two<float, float>},
          {MPI_COMPLEX16, complex, two<double, double>},
          {MPI_C_BOOL, logical, truth<std::uint8_t>},
          {MPI_CXX_BOOL, logical, truth<std::uint8_t>},
          {MPI_LOGICAL, logical, truth<std::uint32_t>},
          {MPI_BYTE, bits, natural<std::uint8_t>},
          {MPI_SHORT_INT, pair, two<short, int>},
          {MPI_2INT, pair, two<int, int>},
          {MPI_LONG_INT, pair, two<long, int>},
          {MPI_FLOAT_INT, pair, two<float, int>},
          {MPI_DOUBLE_INT, pair, two<double, int>},
          {MPI_LONG_DOUBLE_INT, pair, two<long double, int>},
          {MPI_2INTEGER, pair, two<int, int>},
          {MPI_2REAL, pair, two<float, float>},
          {MPI_2DOUBLE_PRECISION, pair, two<double, double>}};
}

std::string name_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  MPI_Type_get_name(type, name, &length);
  return name;
}

TEST(Reduction, DoesWhatTheMpiDoes) {
  std::mt19937 random(1);
  const std::size_t count = 37;
  for (const auto& [type, defined, make] : predefined()) {
    MPI_Aint lower_bound = 0, extent = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent);
    for (std::size_t op = 0; op < operators.size(); ++op) {
      const Reduction reduction = reduction_for(operators[op].second, type, true);
      const auto where = name_of(type) + " " + operators[op].first;
      ASSERT_EQ(reduction.kernel != nullptr, defined[op] == 'x') << where;
      ASSERT_EQ(reduction.undefined, defined[op] != 'x') << where;
      if (reduction.undefined) continue;
      Bytes left(count * static_cast<std::size_t>(extent), 'p'), right = left;
      for (std::size_t at = 0; at < left.size(); at += static_cast<std::size_t>(extent)) {
        make(random, &left[at]);
        make(random, &right[at]);
      }
      Bytes expected = right;
      MPI_Reduce_local(left.data(), expected.data(), count, type, operators[op].second);
      ASSERT_EQ(reduction.apply(left.data(), right.data(), right.data(), count), MPI_SUCCESS);
      ASSERT_EQ(right, expected) << where;
    }
  }
}

TEST(Reduction, KnowsSigns) {
  const auto greater_of_minus_one_and_one = [](MPI_Datatype type) {
    std::int64_t left = -1, right = 1, result = 0;
    reduction_for(MPI_MAX, type, true).apply(&left, &right, &result, 1);
    return result == 1 ? 1 : -1;
  };
  for (const MPI_Datatype type :
       {MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_INT8_T, MPI_INT16_T,
        MPI_INT32_T, MPI_INT64_T, MPI_AINT, MPI_OFFSET, MPI_COUNT, MPI_INTEGER, MPI_INTEGER8})
    EXPECT_EQ(greater_of_minus_one_and_one(type), 1) << name_of(type);
  for (const MPI_Datatype type :
       {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
        MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T})
    EXPECT_EQ(greater_of_minus_one_and_one(type), -1) << name_of(type);
}

TEST(Reduction, LeavesTextToTheMpi) {
  for (const MPI_Datatype type : {MPI_CHAR, MPI_WCHAR, MPI_CHARACTER, MPI_PACKED})
    for (const auto& [name, op] : operators)
      EXPECT_TRUE(reduction_for(op, type, true).undefined) << name_of(type) << " " << name;
}

TEST(Reduction, LeavesDerivedTypesOfPredefinedOperatorsToTheMpi) {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  EXPECT_TRUE(reduction_for(MPI_SUM, type, true).undefined);
  MPI_Type_free(&type);
}

/// Linear maps x -> a x + b, one after the other: associative, not commutative.
struct Map {
  std::uint32_t a, b;
  bool operator==(const Map&) const = default;
};

Map after(Map first, Map second) { return {first.a * second.a, first.b * second.a + second.b}; }

/// The datatypes of the tests below hold the two numbers this far apart; the function gets the
/// bytes from the first one to the first of the next element from here.
struct Layout {
  MPI_Aint a = 0, b = 0, extent = 0;
};
thread_local Layout layout;

void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) {
    char* const x = static_cast<char*>(in) + i * layout.extent;
    char* const y = static_cast<char*>(inout) + i * layout.extent;
    // Aligned accesses: the reduction must not move the elements off their boundaries.
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(y + layout.a) % alignof(std::uint32_t), 0u);
    const auto at = [](char* address) -> std::uint32_t& {
      return *reinterpret_cast<std::uint32_t*>(address);
    };
    const Map result =
        after({at(x + layout.a), at(x + layout.b)}, {at(y + layout.a), at(y + layout.b)});
    at(y + layout.a) = result.a;
    at(y + layout.b) = result.b;
  }
}

enum class Place { apart, on_left, on_right };

/// Composes `count` maps that stand one after the other, packed. The operator sees them as the
/// datatype lays them out.
void check(const Layout& where, Place place, std::size_t count) {
  layout = where;
  MPI_Op op;
  MPI_Op_create(compose, 0, &op);
  int lengths[2] = {1, 1};
  MPI_Aint at[2] = {where.a, where.b};
  MPI_Datatype types[2] = {MPI_UINT32_T, MPI_UINT32_T}, map, type;
  MPI_Type_create_struct(2, lengths, at, types, &map);
  MPI_Type_create_resized(map, std::min(where.a, where.b), where.extent, &type);
  MPI_Type_commit(&type);
  const bool dense = where.a == 0 && where.b == 4 && where.extent == 8;
  const Reduction reduction = reduction_for(op, type, dense);
  EXPECT_EQ(reduction.kernel, nullptr);
  EXPECT_FALSE(reduction.undefined);
  ASSERT_EQ(reduction.element, sizeof(Map));

  // One more, which must stay as it is.
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<Map> left(count + 1), right = left, result = left;
  for (auto* list : {&left, &right, &result})
    for (Map& each : *list)
      each = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
  auto& target = place == Place::apart ? result : place == Place::on_left ? left : right;
  std::vector<Map> expected = target;
  for (std::size_t i = 0; i < count; ++i) expected[i] = after(left[i], right[i]);
  ASSERT_EQ(reduction.apply(left.data(), right.data(), target.data(), count), MPI_SUCCESS);
  ASSERT_EQ(target, expected);
  MPI_Type_free(&type);
  MPI_Type_free(&map);
  MPI_Op_free(&op);
}

class UserOperator : public testing::TestWithParam<Place> {};

TEST_P(UserOperator, IsAppliedInOrderToElementsAsTheTypeLaysThemOut) {
  const Layout dense{0, 4, 8}, gaps{4, 16, 32}, before{-12, -4, 16}, backwards{0, 4, -12},
      reversed{4, 0, 8}, dense_elsewhere{8, 12, 8};
  for (const Layout& where : {dense, gaps, before, backwards, reversed, dense_elsewhere})
    // The largest takes several chunks.
    for (const std::size_t count : {0, 1, 2, 7, 50000}) {
      check(where, GetParam(), count);
      if (HasFatalFailure())
        FAIL() << "a at " << where.a << ", b at " << where.b << ", extent " << where.extent
               << ", count " << count;
    }
}

TEST_P(UserOperator, MayBeUsedByThreadsAtATime) {
  int provided = 0;
  MPI_Query_thread(&provided);
  if (provided < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "the MPI has no MPI_THREAD_MULTIPLE";
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this] { check({4, 16, 32}, GetParam(), 20000); });
}

INSTANTIATE_TEST_SUITE_P(Places, UserOperator,
                         testing::Values(Place::apart, Place::on_left, Place::on_right));

}  // namespace
}  // namespace tutti::core

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  MPI_Finalize();
  return failed;
}
