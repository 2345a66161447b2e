// Algorithms by name: for all calls of a collective, and for the next call alone.

#include "prepared.hpp"

namespace tutti::test {
namespace {

void an_algorithm_for_the_next_call() {
  const auto number_of = [](const char* text) {
    int number = -1;
    SUCCEEDS(tutti_algorithm(text, &number));
    return number;
  };
  int number = -1;
  expect(tutti_algorithm("allreduce/no_such_algorithm", &number) == MPI_ERR_ARG,
         "unknown algorithm taken");
  expect(tutti_use_next(-1) == MPI_ERR_ARG && tutti_use_next(1 << 20) == MPI_ERR_ARG,
         "unknown number taken");
  expect(number_of(nullptr) == 0 && number_of("") == 0, "no algorithm is not number 0");
  expect(number_of("native") == number_of("native"), "the MPI's own has two numbers");
  // Whatever is forced, and for one call only.
  SUCCEEDS(tutti_force("allreduce", "linear"));
  const unsigned long long ring = calls("allreduce", "ring"), linear = calls("allreduce", "linear");
  SUCCEEDS(tutti_use_next(number_of("allreduce/ring")));
  check_sum(MPI_COMM_WORLD);
  check_sum(MPI_COMM_WORLD);
  expect(calls("allreduce", "ring") == ring + 1, "a blocking call did not use it");
  expect(calls("allreduce", "linear") == linear + 1,
         "the call after it did not use what is forced");
  int mine = rank, sum = 0;
  Prepared all;
  SUCCEEDS(tutti_use_next(number_of("allreduce/ring")));
  SUCCEEDS(tutti_allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &all.handle));
  SUCCEEDS(tutti_force("allreduce", nullptr));
  for (int k = 0; k < 2; ++k) {
    SUCCEEDS(tutti_start(all.handle));
    SUCCEEDS(tutti_wait(all.handle));
    expect(sum == p * (p - 1) / 2, "wrong sum");
  }
  expect(calls("allreduce", "ring") == ring + 3, "a prepared call did not use it");
  // The MPI's own.
  const unsigned long long own = calls("allreduce", "native");
  SUCCEEDS(tutti_use_next(number_of("native")));
  check_sum(MPI_COMM_WORLD);
  expect(p == 1 || calls("allreduce", "native") == own + 1, "the MPI's own did not run");
  // An algorithm of another collective: this call fails, and no other.
  SUCCEEDS(tutti_use_next(number_of("bcast/binomial")));
  const int code = tutti_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(code != MPI_SUCCESS, "allreduce ran with an algorithm of bcast");
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  expect(std::strstr(text, "bcast/binomial") && std::strstr(text, "is no algorithm of allreduce"),
         fmt::format("the error says '{}'", text));
  check_sum(MPI_COMM_WORLD);
}

void forcing_an_algorithm() {
  expect(tutti_force("allreduce", "no_such_algorithm") == MPI_ERR_ARG, "unknown algorithm taken");
  expect(tutti_force("no_such_collective", "ring") == MPI_ERR_ARG, "unknown collective taken");
  expect(tutti_force("bcast", "chain:segment=never") == MPI_ERR_ARG, "bad parameter taken");
  unsigned long long number = 0;
  expect(tutti_count("allreduce", "no_such_algorithm", &number) == MPI_ERR_ARG,
         "unknown algorithm counted");
  for (const char* name : {"ring", "recursive_doubling", "native"}) {
    SUCCEEDS(tutti_force("allreduce", name));
    const unsigned long long before = calls("allreduce", name);
    check_sum(MPI_COMM_WORLD);
    SUCCEEDS(tutti_force("allreduce", nullptr));
    expect(calls("allreduce", name) == before + 1, fmt::format("{} was not counted", name));
  }
  if (p < 2) return;
  // The ring needs a commutative operator: an error, not another algorithm.
  SUCCEEDS(tutti_force("allreduce", "ring"));
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(keep_left, 0, &op);
  const std::vector<int> mine(100, rank);
  std::vector<int> result(100);
  const int code = tutti_allreduce(mine.data(), result.data(), 100, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  SUCCEEDS(tutti_force("allreduce", ""));
  expect(code != MPI_SUCCESS, "a forced algorithm that cannot run did not fail");
  check_sum(MPI_COMM_WORLD);
}

}  // namespace

const std::vector<Case> choosing_cases = {CASE(an_algorithm_for_the_next_call),
                                          CASE(forcing_an_algorithm)};

}  // namespace tutti::test
