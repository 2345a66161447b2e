// A call that is repeated allocates nothing.
//
//   mpirun -n 2 allocations
//
// This program's malloc stands in front of the C library's and notes who asks. What the MPI
// allocates for its messages is the MPI's business: only what libtutti asks for counts. Each
// collective prints `ok NAME` or `failed NAME: why`; the last line counts them.

#include <fmt/format.h>
#include <tutti/tutti.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "malloc_notes.hpp"

namespace {

/// How often libtutti asks for memory in some calls.
int allocations(const std::function<int()>& call, int calls, bool& succeeds) {
  noted = 0;
  for (int i = 0; i < calls; ++i) {
    notes = true;
    const int code = call();
    notes = false;
    succeeds = succeeds && code == MPI_SUCCESS;
  }
  int ours = 0;
  for (std::size_t i = 0; i < noted; ++i) ours += asked_by(requests[i]).starts_with("libtutti");
  return ours;
}

void keep_larger(void* in, void* inout, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i)
    static_cast<int*>(inout)[i] = std::max(static_cast<int*>(inout)[i], static_cast<int*>(in)[i]);
}

int run() {
  int rank = 0, p = 1, passed = 0, failed = 0, warming_up = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const MPI_Comm comm = MPI_COMM_WORLD;
  const MPI_Datatype type = MPI_INT;
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(keep_larger, 1, &op);
  std::array<void*, 1> nobody;
  backtrace(nobody.data(), 1);  // its first call allocates

  for (const int n : {1, 1000, 100000}) {
    const auto ranks = static_cast<std::size_t>(p);
    std::vector<int> a(2 * ranks * static_cast<std::size_t>(n), rank), b(a), counts(ranks, n);
    std::vector<int> places(ranks), bytes(ranks);
    std::vector<MPI_Datatype> types(ranks, MPI_INT);
    for (int i = 0; i < p; ++i) {
      places[static_cast<std::size_t>(i)] = i * n;
      bytes[static_cast<std::size_t>(i)] = 4 * i * n;
    }
    MPI_Datatype gaps = MPI_DATATYPE_NULL;
    MPI_Type_vector(n, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    tutti_operation prepared = nullptr;
    tutti_allreduce_init(a.data(), b.data(), n, type, MPI_SUM, comm, &prepared);
    const void* const in = a.data();
    void* const out = b.data();
    const int *const c = counts.data(), *const d = places.data(), *const e = bytes.data();
    const MPI_Datatype* const t = types.data();

    struct Call {
      const char* name;
      std::function<int()> call;
    };
#define CALL(name, ...)                              \
  {                                                  \
#name, [&] { return tutti_##name(__VA_ARGS__); } \
  }
    const std::vector<Call> calls = {
        CALL(barrier, comm),
        CALL(bcast, out, n, type, 0, comm),
        CALL(scatter, in, n, type, out, n, type, 0, comm),
        CALL(scatterv, in, c, d, type, out, n, type, 0, comm),
        CALL(gather, in, n, type, out, n, type, 0, comm),
        CALL(gatherv, in, n, type, out, c, d, type, 0, comm),
        CALL(allgather, in, n, type, out, n, type, comm),
        CALL(allgatherv, in, n, type, out, c, d, type, comm),
        CALL(reduce, in, out, n, type, MPI_SUM, 0, comm),
        CALL(allreduce, in, out, n, type, MPI_SUM, comm),
        CALL(reduce_scatter, in, out, c, type, MPI_SUM, comm),
        CALL(reduce_scatter_block, in, out, n, type, MPI_SUM, comm),
        CALL(alltoall, in, n, type, out, n, type, comm),
        CALL(alltoallv, in, c, d, type, out, c, d, type, comm),
        CALL(alltoallw, in, c, e, t, out, c, e, t, comm),
        CALL(scan, in, out, n, type, MPI_SUM, comm),
        CALL(exscan, in, out, n, type, MPI_SUM, comm),
        {"bcast of a type with gaps", [&] { return tutti_bcast(out, 1, gaps, 0, comm); }},
        {"allreduce with the program's operator",
         [&] { return tutti_allreduce(in, out, n, type, op, comm); }},
        {"allreduce that was prepared", [&] {
           const int code = tutti_start(prepared);
           return code == MPI_SUCCESS ? tutti_wait(prepared) : code;
         }}};
    for (const Call& each : calls) {
      bool succeeds = true;
      warming_up += allocations(each.call, 5, succeeds);
      const int later = allocations(each.call, 50, succeeds);
      const std::string why = !succeeds   ? "a call failed"
                              : later > 0 ? fmt::format("{} allocations in 50 calls", later)
                                          : "";
      int wrong = !why.empty(), anywhere = 0;
      PMPI_Allreduce(&wrong, &anywhere, 1, MPI_INT, MPI_MAX, comm);
      if (wrong) fmt::print("failed {}, {} numbers, rank {}: {}\n", each.name, n, rank, why);
      if (!anywhere && rank == 0) fmt::print("ok {}, {} numbers\n", each.name, n);
      std::fflush(stdout);
      ++(anywhere ? failed : passed);
    }
    tutti_free(&prepared);
    MPI_Type_free(&gaps);
  }
  MPI_Op_free(&op);
  // First calls do allocate, if the counting works.
  if (warming_up == 0) {
    fmt::print("failed counting, rank {}: no allocation was seen at all\n", rank);
    ++failed;
  }
  if (rank == 0) fmt::print("{} passed, {} failed\n", passed, failed);
  return failed > 0 || passed == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = run();
  MPI_Finalize();
  return code;
}
