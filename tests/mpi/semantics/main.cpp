// MPI's semantics, one small named case each.
//
//   mpirun -n 4 semantics [--only NAME] [--communicators 3000] [--large yes]
//
// Each case prints `ok NAME` or `failed NAME: why`; the last line counts them. --large moves one
// message of more than 2 GiB between two ranks (about 5 GiB of memory).

#include "semantics.hpp"

#include "leaks.hpp"

namespace tutti::test {
namespace {

int run(int argc, char** argv) {
  std::string only;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], text = argv[i + 1];
    if (name == "--only")
      only = text;
    else if (name == "--communicators")
      communicators = std::stoi(text);
    else if (name == "--large")
      large = text == "yes";
    else
      throw std::invalid_argument(fmt::format("unknown option '{}'", name));
  }
  std::vector<Case> cases;
  for (const auto* each : {&peculiar_rank_cases, &data_cases, &communicator_cases, &progress_cases,
                           &prepared_cases, &repeated_cases, &choosing_cases,
                           &error_cases})  // last: some leave broken communicators behind
    cases.insert(cases.end(), each->begin(), each->end());
  return run_cases(cases, only, 300);
}

}  // namespace
}  // namespace tutti::test

int main(int argc, char** argv) {
  using namespace tutti::test;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads_granted);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int code = 2;
  try {
    code = run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "semantics: {}\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  if (loses_memory()) code = 1;
  MPI_Finalize();
  return code;
}
