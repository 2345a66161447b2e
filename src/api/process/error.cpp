// Makes error codes for messages, and raises them.

#include "api/process/error.hpp"

#include <cstdio>
#include <map>
#include <mutex>

namespace tutti::core {

namespace {

/// A class of our own: MPICH has no texts for codes that are added to its own classes.
int error_class() {
  static const int made = [] {
    int number = MPI_ERR_OTHER;
    char text[] = "an error of Tutti's";  // SimGrid wants it without const
    if (PMPI_Add_error_class(&number) == MPI_SUCCESS) PMPI_Add_error_string(number, text);
    return number;
  }();
  return made;
}

/// A code for each message.
int code_of(const std::string& message) {
  static std::mutex mutex;
  static std::map<std::string, int> codes;
  const std::scoped_lock lock(mutex);
  const auto [found, is_new] = codes.try_emplace(message, MPI_ERR_OTHER);
  if (is_new && PMPI_Add_error_code(error_class(), &found->second) == MPI_SUCCESS) {
    std::string text = ("tutti: " + message).substr(0, MPI_MAX_ERROR_STRING - 1);
    PMPI_Add_error_string(found->second, text.data());
  }
  return found->second;
}

}  // namespace

int raise_error(MPI_Comm comm, const std::string& message) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  if (rank == 0) std::fprintf(stderr, "tutti: %s\n", message.c_str());
  return raise_code(comm, code_of(message));
}

int raise_code(MPI_Comm comm, int code) {
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

}  // namespace tutti::core
