// What the cases of MPI's semantics share: the ranks, what they send, and complaints.
#pragma once

#include <fmt/format.h>
#include <tutti/tutti.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cases.hpp"

namespace tutti::test {

inline int rank = 0, p = 1, threads_granted = MPI_THREAD_SINGLE;
inline int communicators = 3000;
inline bool large = false;

// The cases of each file, in the order in which they run.
extern const std::vector<Case> peculiar_rank_cases, data_cases, communicator_cases, progress_cases,
    prepared_cases, repeated_cases, choosing_cases, error_cases;

inline void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

inline void succeeds(int code, const char* call) {
  expect(code == MPI_SUCCESS, fmt::format("{} returned {}", call, code));
}
#define SUCCEEDS(call) succeeds(call, #call)

inline int class_of(int code) {
  int result = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &result);
  return result;
}

inline unsigned long long calls(const char* collective, const char* algorithm) {
  unsigned long long number = 0;
  SUCCEEDS(tutti_count(collective, algorithm, &number));
  return number;
}

/// A type that frees itself; what it describes stays the caller's business.
struct Type {
  MPI_Datatype handle = MPI_DATATYPE_NULL;
  Type() = default;
  Type(const Type&) = delete;
  ~Type() { free(); }
  void free() {
    if (handle != MPI_DATATYPE_NULL) MPI_Type_free(&handle);
  }
  MPI_Datatype* commit() {
    MPI_Type_commit(&handle);
    return &handle;
  }
};

/// What rank r sends as its i-th number.
inline int value(int r, int i) { return 1000 * r + i; }

inline std::vector<int> values(int r, int count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) list[static_cast<std::size_t>(i)] = value(r, i);
  return list;
}

inline const std::vector<int> sizes = {1, 50, 3000, 100000};

inline std::size_t ranks() { return static_cast<std::size_t>(p); }

/// A collective that anyone may call at any time, and its result.
inline void check_sum(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  const int one = 1;
  int sum = 0;
  SUCCEEDS(tutti_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
  expect(sum == size, "wrong sum");
}

/// Associative, but not commutative.
inline void keep_left(void* in, void* inout, int* count, MPI_Datatype*) {
  std::memcpy(inout, in, 4 * static_cast<std::size_t>(*count));
}

}  // namespace tutti::test
