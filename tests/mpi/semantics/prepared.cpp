// Operations that are prepared: in any order, beside other calls, started again.

#include <memory>

#include "prepared.hpp"

namespace tutti::test {
namespace {

/// All collectives, with blocks of n numbers.
class AllPrepared {
 public:
  AllPrepared(int n, MPI_Comm comm)
      : all_(n * p), mine_(values(rank, all_)), counts_(ranks(), n), types_(ranks(), MPI_INT) {
    for (int i = 0; i < p; ++i) places_.push_back(i * n), bytes_.push_back(4 * i * n);
    const int root = p - 1, total = 500 * p * (p - 1);
    const void* const in = mine_.data();
    const int *const counts = counts_.data(), *const places = places_.data();
    const MPI_Datatype type = MPI_INT;
    const auto at_root = [=](int x) { return rank == root ? x : -1; };
    const auto block = [=](int i) { return value(i / n, i % n); };
    const auto exchanged = [=](int i) { return value(i / n, rank * n + i % n); };
    const auto scattered = [=](int i) { return value(root, rank * n + i); };
    const auto sum = [=](int i) { return total + p * i; };
#define PREPARE(collective, length, expected, ...)                                         \
  {                                                                                        \
    void* const out =                                                                      \
        add(#collective, length, [=]([[maybe_unused]] int i) -> int { return expected; }); \
    (void)out;                                                                             \
    SUCCEEDS(tutti_##collective##_init(__VA_ARGS__, &list.back()->handle));                \
  }
    PREPARE(barrier, 0, -1, comm)
    PREPARE(bcast, all_, value(root, i), out, all_, type, root, comm)
    PREPARE(scatter, n, scattered(i), in, n, type, out, n, type, root, comm)
    PREPARE(scatterv, n, scattered(i), in, counts, places, type, out, n, type, root, comm)
    PREPARE(gather, all_, at_root(block(i)), in, n, type, out, n, type, root, comm)
    PREPARE(gatherv, all_, at_root(block(i)), in, n, type, out, counts, places, type, root, comm)
    PREPARE(allgather, all_, block(i), in, n, type, out, n, type, comm)
    PREPARE(allgatherv, all_, block(i), in, n, type, out, counts, places, type, comm)
    PREPARE(reduce, all_, at_root(sum(i)), in, out, all_, type, MPI_SUM, root, comm)
    PREPARE(allreduce, all_, sum(i), in, out, all_, type, MPI_SUM, comm)
    PREPARE(reduce_scatter, n, sum(rank * n + i), in, out, counts, type, MPI_SUM, comm)
    PREPARE(reduce_scatter_block, n, sum(rank * n + i), in, out, n, type, MPI_SUM, comm)
    PREPARE(alltoall, all_, exchanged(i), in, n, type, out, n, type, comm)
    PREPARE(alltoallv, all_, exchanged(i), in, counts, places, type, out, counts, places, type,
            comm)
    PREPARE(alltoallw, all_, exchanged(i), in, counts, bytes_.data(), types_.data(), out, counts,
            bytes_.data(), types_.data(), comm)
    PREPARE(scan, all_, 500 * rank * (rank + 1) + (rank + 1) * i, in, out, all_, type, MPI_SUM,
            comm)
    PREPARE(exscan, all_, rank == 0 ? -1 : 500 * rank * (rank - 1) + rank * i, in, out, all_, type,
            MPI_SUM, comm)
#undef PREPARE
  }

  void start() {
    for (const auto& each : list) {
      std::fill(each->out.begin(), each->out.end(), -1);
      if (each->name == std::string("bcast") && rank == p - 1) each->out = mine_;
      succeeds(tutti_start(each->handle), each->name);
    }
  }
  void check() const {
    for (const auto& each : list) each->check();
  }

  std::vector<std::unique_ptr<Prepared>> list;

 private:
  int* add(const char* name, int length, std::function<int(int)> expected) {
    list.push_back(std::make_unique<Prepared>());
    list.back()->name = name;
    list.back()->out.resize(static_cast<std::size_t>(length));
    list.back()->expected = std::move(expected);
    return list.back()->out.data();
  }

  int all_;
  std::vector<int> mine_, counts_, places_, bytes_;
  std::vector<MPI_Datatype> types_;
};

void prepared_operations_waited_in_any_order() {
  for (const int n : {1, 20000}) {
    AllPrepared all(n, MPI_COMM_WORLD);
    const std::size_t number = all.list.size();
    for (int k = 0; k < 3; ++k) {
      all.start();
      // Some forwards, some backwards, some from the middle.
      for (std::size_t i = 0; i < number; ++i) {
        const std::size_t which = rank % 3 == 0   ? i
                                  : rank % 3 == 1 ? number - 1 - i
                                                  : (i + number / 2) % number;
        succeeds(tutti_wait(all.list[which]->handle), all.list[which]->name);
      }
      all.check();
    }
    // Freeing waits.
    all.start();
    for (const auto& each : all.list) {
      succeeds(tutti_free(&each->handle), each->name);
      expect(each->handle == nullptr, "a freed operation keeps its handle");
    }
    all.check();
  }
}

void prepared_operations_beside_blocking_calls() {
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (const int n : {1, 20000}) {
    AllPrepared all(n, MPI_COMM_WORLD);
    for (int k = 0; k < 3; ++k) {
      const auto block = [&] {
        check_sum(MPI_COMM_WORLD);
        check_sum(other);
        SUCCEEDS(tutti_barrier(MPI_COMM_WORLD));
      };
      const auto wait = [&] {
        for (const auto& each : all.list) succeeds(tutti_wait(each->handle), each->name);
      };
      all.start();
      // Some wait in the blocking calls first, some for the operations.
      if ((rank + k) % 2 == 0) block();
      wait();
      if ((rank + k) % 2 != 0) block();
      all.check();
    }
  }
  MPI_Comm_free(&other);
}

void a_prepared_operation_restarted() {
  int mine = 0, sum = 0;
  Prepared all;
  SUCCEEDS(tutti_allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &all.handle));
  int done = 0;
  SUCCEEDS(tutti_test(all.handle, &done));
  expect(done == 1, "an operation that was never started is not done");
  for (int k = 0; k < 500; ++k) {
    mine = rank + k;
    sum = -1;
    SUCCEEDS(tutti_start(all.handle));
    if (k == 0) expect(tutti_start(all.handle) == MPI_ERR_REQUEST, "started while under way");
    for (done = k % 2; !done;) SUCCEEDS(tutti_test(all.handle, &done));
    SUCCEEDS(tutti_wait(all.handle));
    expect(sum == p * (p - 1) / 2 + p * k, "wrong sum");
  }
  expect(tutti_start(nullptr) == MPI_ERR_REQUEST && tutti_wait(nullptr) == MPI_ERR_REQUEST,
         "no operation is no error");
}

void communicator_freed_while_an_operation_is_pending() {
  for (const int n : {1, 100000}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const std::vector<int> mine = values(rank, n);
    std::vector<int> sums(mine.size());
    Prepared all;
    SUCCEEDS(
        tutti_allreduce_init(mine.data(), sums.data(), n, MPI_INT, MPI_SUM, comm, &all.handle));
    SUCCEEDS(tutti_start(all.handle));
    MPI_Comm_free(&comm);
    // Another one of the same ranks shares nothing with what is pending.
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    check_sum(comm);
    MPI_Comm_free(&comm);
    for (int k = 0; k < 2; ++k) {
      SUCCEEDS(tutti_wait(all.handle));
      for (int i = 0; i < n; ++i)
        expect(sums[static_cast<std::size_t>(i)] == 500 * p * (p - 1) + p * i, "wrong sum");
      std::fill(sums.begin(), sums.end(), -1);
      SUCCEEDS(tutti_start(all.handle));
    }
    SUCCEEDS(tutti_free(&all.handle));
  }
}

void a_prepared_operation_of_the_mpi() {
  const unsigned long long before = calls("allreduce", "native");
  for (const int n : {1, 20000}) {
    const std::vector<int> mine = values(rank, n);
    std::vector<int> sums(mine.size());
    SUCCEEDS(tutti_force("allreduce", "native"));
    Prepared all;
    const int code = tutti_allreduce_init(mine.data(), sums.data(), n, MPI_INT, MPI_SUM,
                                          MPI_COMM_WORLD, &all.handle);
    SUCCEEDS(tutti_force("allreduce", nullptr));
    succeeds(code, "tutti_allreduce_init");
    for (int k = 0; k < 3; ++k) {
      std::fill(sums.begin(), sums.end(), -1);
      SUCCEEDS(tutti_start(all.handle));
      check_sum(MPI_COMM_WORLD);
      SUCCEEDS(tutti_wait(all.handle));
      expect(sums.back() == 500 * p * (p - 1) + p * (n - 1), "wrong sum");
    }
  }
  expect(calls("allreduce", "native") == before + 6, "not counted as native");
}

void wrong_arguments_of_a_prepared_operation() {
  int x = 0, y = 0;
  const auto class_of_start = [](int code, Prepared& prepared) {
    if (code == MPI_SUCCESS) code = tutti_start(prepared.handle);
    return class_of(code);
  };
  Prepared root, count, op;
  expect(class_of_start(tutti_bcast_init(&x, 1, MPI_INT, p, MPI_COMM_WORLD, &root.handle), root) ==
             MPI_ERR_ROOT,
         "bcast, wrong root");
  expect(class_of_start(tutti_bcast_init(&x, -1, MPI_INT, 0, MPI_COMM_WORLD, &count.handle),
                        count) == MPI_ERR_COUNT,
         "bcast, negative count");
  expect(class_of_start(
             tutti_allreduce_init(&x, &y, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD, &op.handle),
             op) == MPI_ERR_OP,
         "allreduce, no operator");
  check_sum(MPI_COMM_WORLD);
}

}  // namespace

const std::vector<Case> prepared_cases = {CASE(prepared_operations_waited_in_any_order),
                                          CASE(prepared_operations_beside_blocking_calls),
                                          CASE(a_prepared_operation_restarted),
                                          CASE(communicator_freed_while_an_operation_is_pending),
                                          CASE(a_prepared_operation_of_the_mpi),
                                          CASE(wrong_arguments_of_a_prepared_operation)};

}  // namespace tutti::test
