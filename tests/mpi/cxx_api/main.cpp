// The C++ interface: every collective in every form, every kind of data and operator, and what is
// said about wrong use.
//
//   mpirun -n 4 cxx_api [--only NAME]
//
// Each case prints `ok NAME` or `failed NAME: why`; the last line counts them.

#include "cxx_api.hpp"

#include <optional>
#include <string_view>

using namespace tutti::test;

// Tutti itself asks the MPI by other names.
extern "C" {
int MPI_Type_commit(MPI_Datatype* type) { return ++types_alive, PMPI_Type_commit(type); }
int MPI_Type_free(MPI_Datatype* type) {
  // A type that was never committed is a step on the way to another.
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  PMPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
  types_alive -= combiner == MPI_COMBINER_RESIZED || combiner == MPI_COMBINER_HINDEXED_BLOCK;
  return PMPI_Type_free(type);
}
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) {
  return ++operators_alive, PMPI_Op_create(function, commutes, op);
}
int MPI_Op_free(MPI_Op* op) { return --operators_alive, PMPI_Op_free(op); }
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  return ++communicators_alive, PMPI_Comm_dup(comm, made);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  const int code = PMPI_Comm_split(comm, color, key, made);
  communicators_alive += *made != MPI_COMM_NULL;
  return code;
}
int MPI_Comm_free(MPI_Comm* comm) { return --communicators_alive, PMPI_Comm_free(comm); }
}

namespace tutti::test {

std::vector<Case> collective_cases() {
  std::vector<Case> cases;
  for (const auto* each : {&bcast_cases, &scatter_cases, &gather_cases, &allgather_cases,
                           &reduce_cases, &allreduce_cases, &reduce_scatter_cases, &alltoall_cases})
    cases.insert(cases.end(), each->begin(), each->end());
  return cases;
}

namespace {

int run(int argc, char** argv) {
  std::string only;
  for (int i = 1; i < argc; i += 2) {
    if (std::string_view(argv[i]) != "--only" || i + 1 == argc)
      throw std::invalid_argument(fmt::format("unknown option '{}': use --only NAME", argv[i]));
    only = argv[i + 1];
  }
  std::vector<Case> cases;
  for (const auto& each : {communicator_cases, data_cases, operator_cases, collective_cases(),
                           operation_cases, algorithm_cases, error_cases})
    cases.insert(cases.end(), each.begin(), each.end());
  return run_cases(cases, only, 120);
}

}  // namespace
}  // namespace tutti::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 2;
  std::optional<tutti::Communicator> late;
  try {
    world = tutti::Communicator::world();
    rank = world.rank();
    p = world.size();
    ranks = static_cast<std::size_t>(p);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = run(argc, argv);
    late = world.duplicate();
  } catch (const std::exception& error) {
    fmt::print(stderr, "cxx_api: {}\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  MPI_Finalize();
  // One that outlives MPI is left alone; all else is freed.
  late.reset();
  if (types_alive != 0 || operators_alive != 0 || communicators_alive != 1) {
    fmt::print("failed: {} types, {} operators, {} communicators are left\n", types_alive,
               operators_alive, communicators_alive - 1);
    return 1;
  }
  return code;
}
