// What Tutti itself costs in a cached 8-byte allreduce on two ranks: its time beyond that of the
// same point-to-point calls written by hand. Both take turns in short batches; the cost is the
// median difference of neighbouring batches, on the slower rank.
//
//   mpirun -n 2 own_cost [--json] [--batches 2000]       nanoseconds
//   mpirun -n 2 valgrind --tool=callgrind ... own_cost --count-instructions 1000
//                                                        1000 calls of Tutti's alone, to be counted

#include <fmt/format.h>
#include <tutti/tutti.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace {

constexpr int calls_per_batch = 200;
constexpr double threshold = 150;

/// Recursive doubling on two ranks, as somebody would write it for this case alone.
class ByHand {
 public:
  explicit ByHand(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_dup(comm, &comm_);
    PMPI_Comm_rank(comm_, &rank);
    peer_ = 1 - rank;
  }
  ~ByHand() { PMPI_Comm_free(&comm_); }
  ByHand(const ByHand&) = delete;
  ByHand& operator=(const ByHand&) = delete;

  void allreduce(const double* in, double* out) {
    double other = 0;
    MPI_Request requests[2];
    *out = *in;
    PMPI_Irecv(&other, sizeof other, MPI_BYTE, peer_, 1, comm_, &requests[0]);
    PMPI_Isend(out, sizeof *out, MPI_BYTE, peer_, 1, comm_, &requests[1]);
    PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    *out += other;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int peer_ = 0;
};

template <class Call>
double nanoseconds_per_call(Call&& call) {
  const double begin = PMPI_Wtime();
  for (int i = 0; i < calls_per_batch; ++i) call();
  return (PMPI_Wtime() - begin) / calls_per_batch * 1e9;
}

double quantile(std::vector<double> list, double q) {
  const auto at =
      list.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(list.size() - 1));
  std::nth_element(list.begin(), at, list.end());
  return *at;
}

int run(int argc, char** argv) {
  CLI::App app("Tutti's own cost in a cached 8-byte allreduce on two ranks.", "own_cost");
  int batches = 2000, counted = 0;
  bool json = false;
  app.add_option("--batches", batches, "batches of each kind")->check(CLI::PositiveNumber);
  app.add_option("--count-instructions", counted,
                 "make that many calls of Tutti's and nothing else");
  app.add_flag("--json", json, "print JSON");
  CLI11_PARSE(app, argc, argv);
  int rank = 0, p = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (p != 2) {
    if (rank == 0)
      fmt::print(stderr, "own_cost: {} ranks, but it needs 2: mpirun -n 2 own_cost\n", p);
    return 2;
  }
  tutti_force("allreduce", "recursive_doubling");
  ByHand by_hand(MPI_COMM_WORLD);
  const double in = rank + 1.0;
  double out = 0;
  bool right = true;
  const auto ours = [&] {
    tutti_allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    right = right && out == 3;
  };
  const auto theirs = [&] {
    by_hand.allreduce(&in, &out);
    right = right && out == 3;
  };
  if (counted > 0) {
    for (int i = 0; i < counted; ++i) ours();
    return right ? 0 : 1;
  }
  std::vector<double> differences, us, them;
  for (int i = 0; i < batches; ++i) {
    const bool first = i % 2 == 0;
    const double a = first ? nanoseconds_per_call(ours) : nanoseconds_per_call(theirs);
    const double b = first ? nanoseconds_per_call(theirs) : nanoseconds_per_call(ours);
    // The first batches warm up.
    if (i < batches / 10) continue;
    us.push_back(first ? a : b);
    them.push_back(first ? b : a);
    differences.push_back(us.back() - them.back());
  }
  double mine[5] = {quantile(differences, 0.5), quantile(differences, 0.25),
                    quantile(differences, 0.75), quantile(us, 0.5), quantile(them, 0.5)};
  double most[5];
  PMPI_Allreduce(mine, most, 5, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && json)
    fmt::print("{}\n", nlohmann::ordered_json{{"own_ns", most[0]},
                                              {"own_ns_quartiles", {most[1], most[2]}},
                                              {"tutti_ns", most[3]},
                                              {"by_hand_ns", most[4]},
                                              {"threshold_ns", threshold},
                                              {"correct", right}}
                           .dump(2));
  else if (rank == 0)
    fmt::print(
        "8-byte allreduce, 2 ranks: Tutti {:.0f} ns, by hand {:.0f} ns, own cost {:.0f} ns "
        "(quartiles {:.0f} to {:.0f}), threshold {:.0f} ns\n",
        most[3], most[4], most[0], most[1], most[2], threshold);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = run(argc, argv);
  MPI_Finalize();
  return code;
}
