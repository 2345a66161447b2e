// What the cases of the C++ interface share: data, and a collective in all its forms.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tutti/tutti.hpp>
#include <vector>

#include "cases.hpp"

namespace tutti::test {

inline int rank = 0, p = 1;
inline std::size_t ranks = 1;
inline Communicator world(MPI_COMM_NULL);
/// Handles that the header makes are counted, to see that all are freed.
inline int types_alive = 0, operators_alive = 0, communicators_alive = 0;

// The cases of each file; those of collectives are called as the collective is.
extern const std::vector<Case> communicator_cases, data_cases, operator_cases, bcast_cases,
    scatter_cases, gather_cases, allgather_cases, reduce_cases, allreduce_cases,
    reduce_scatter_cases, alltoall_cases, operation_cases, algorithm_cases, error_cases;
/// Those of all collectives.
std::vector<Case> collective_cases();

struct Vector2 {
  double x, y;
  bool operator==(const Vector2&) const = default;
  friend Vector2 operator+(const Vector2& a, const Vector2& b) { return {a.x + b.x, a.y + b.y}; }
};
enum Plain { none, some = 7 };
enum class Scoped : std::int8_t { low = -3, high = 100 };

inline void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}
#define EXPECT(condition) expect(condition, fmt::format("line {}: {}", __LINE__, #condition))

/// Runs something that must throw, and returns what it says.
template <class Exception, class Call>
std::string thrown_by(const Call& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  throw std::runtime_error("nothing was thrown");
}
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline unsigned long long calls(const char* collective, const char* algorithm) {
  unsigned long long number = 0;
  expect(tutti_count(collective, algorithm, &number) == MPI_SUCCESS, "tutti_count failed");
  return number;
}

using Ints = std::vector<int>;
/// What rank r has as its i-th number.
inline int value(int r, std::size_t i) { return 1000 * r + static_cast<int>(i); }
inline Ints values(int r, std::size_t count) {
  Ints list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = value(r, i);
  return list;
}
/// The sum of `values` of the ranks before `end`.
inline Ints sums(int end, std::size_t count) {
  Ints list(count);
  for (int r = 0; r < end; ++r)
    for (std::size_t i = 0; i < count; ++i) list[i] += value(r, i);
  return list;
}
/// What all ranks have, `each` of them, one after the other.
inline Ints everything(std::size_t each) {
  Ints all;
  for (int r = 0; r < p; ++r)
    for (const int number : values(r, each)) all.push_back(number);
  return all;
}
inline Ints part(const Ints& list, std::size_t from, std::size_t count) {
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}
/// Blocks of different sizes, an empty one with them.
inline Ints uneven() {
  Ints counts(ranks);
  for (std::size_t r = 0; r < ranks; ++r) counts[r] = r == 1 ? 0 : static_cast<int>(3 * r + 2);
  return counts;
}

inline const std::vector<std::size_t> sizes = {0, 1, 5, 3000};

/// The form that is tried, for complaints.
inline const char* form = "";
/// A collective into given memory in all its forms: at once, started, planned and started thrice.
#define FORMS(name, reset, check, ...)                      \
  do {                                                      \
    form = #name;                                           \
    reset();                                                \
    world.name(__VA_ARGS__);                                \
    check();                                                \
    form = "i" #name;                                       \
    reset();                                                \
    world.i##name(__VA_ARGS__).wait();                      \
    check();                                                \
    form = "plan_" #name;                                   \
    tutti::Operation plan = world.plan_##name(__VA_ARGS__); \
    for (int again = 0; again < 3; ++again) {               \
      reset();                                              \
      plan.start();                                         \
      if (again == 1)                                       \
        while (!plan.test()) {                              \
        }                                                   \
      plan.wait();                                          \
      check();                                              \
    }                                                       \
  } while (false)
#define RIGHT(condition) [&] { expect(condition, fmt::format("{}: {}", form, #condition)); }

}  // namespace tutti::test

TUTTI_REGISTER(tutti::test::Vector2, &tutti::test::Vector2::x, &tutti::test::Vector2::y);
