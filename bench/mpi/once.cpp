// Each algorithm once, on simulated ranks, where one call is exact and a second one would only cost
// time: the time of the slowest rank from a common start, in microseconds.
//
//   bench/sim ... -- build/smpi/bin/once alltoall/bruck@512 allreduce/leader:inner=ring@1048576
//
// alltoall/direct is alltoall/linear by hand; COLLECTIVE/native is what bench/sim's --selector
// chooses. Bytes are of a block, or of the vector. Results are held against the definition; a wrong
// one ends the run with exit code 1.

#include <fmt/format.h>
#include <smpi/smpi_helpers_internal.h>
#include <tutti/tutti.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

const MPI_Comm comm = MPI_COMM_WORLD;
int rank = 0, p = 1;

char letter(int from, int to, std::size_t i) {
  return static_cast<char>(7 * from + 13 * to + 31 * static_cast<int>(i % 1000) + 1);
}
double number(int from, std::size_t i) { return from + static_cast<double>(i % 1000); }
double sum(std::size_t i) { return p * (p - 1) / 2.0 + p * static_cast<double>(i % 1000); }

/// All ranks go on at the same moment, after the last of them has heard of it.
void start_together() {
  constexpr double most = 0.1;
  double now = PMPI_Wtime(), begin = 0;
  PMPI_Allreduce(&now, &begin, 1, MPI_DOUBLE, MPI_MAX, comm);
  const double left = begin + most - PMPI_Wtime();
  if (left < 0) std::abort();  // it took longer than anybody would wait
  timespec duration{0, static_cast<long>(left * 1e9)};
  smpi_nanosleep(&duration, nullptr);
}

template <class Call>
double seconds(Call&& call) {
  start_together();
  const double begin = PMPI_Wtime();
  call();
  double mine = PMPI_Wtime() - begin, most = 0;
  PMPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
  return most;
}

struct Result {
  double seconds = 0;
  bool is_right = true;
};

/// The messages of alltoall/linear, two under way at a time, by hand: Tutti waits for whichever
/// comes first, and at each such wait SimGrid goes through its lists of all 511 for each of the
/// 511.
void direct(const char* in, char* out, std::size_t n) {
  const auto count = static_cast<int>(n);
  std::vector<MPI_Request> from(p, MPI_REQUEST_NULL), to(p, MPI_REQUEST_NULL);
  std::copy_n(in + rank * n, n, out + rank * n);
  for (int i = 1; i < p; ++i) {
    const int peer = (rank - i + p) % p;
    PMPI_Irecv(out + peer * n, count, MPI_BYTE, peer, 0, comm, &from[i]);
  }
  for (int i = 1; i < p; ++i) {
    const int peer = (rank + i) % p;
    if (i > 2) PMPI_Wait(&to[i - 2], MPI_STATUS_IGNORE);
    PMPI_Isend(in + peer * n, count, MPI_BYTE, peer, 0, comm, &to[i]);
  }
  for (int i = 1; i < p; ++i) PMPI_Wait(&to[i], MPI_STATUS_IGNORE);
  for (int i = 1; i < p; ++i) PMPI_Wait(&from[i], MPI_STATUS_IGNORE);
}

Result alltoall(std::size_t n, bool by_hand) {
  std::vector<char> in(n * p), out(n * p);
  for (int to = 0; to < p; ++to)
    for (std::size_t i = 0; i < n; ++i) in[to * n + i] = letter(rank, to, i);
  const auto count = static_cast<int>(n);
  Result result{seconds([&] {
    if (by_hand)
      direct(in.data(), out.data(), n);
    else
      tutti_alltoall(in.data(), count, MPI_BYTE, out.data(), count, MPI_BYTE, comm);
  })};
  for (int from = 0; from < p; ++from)
    for (std::size_t i = 0; i < n; ++i)
      result.is_right = result.is_right && out[from * n + i] == letter(from, rank, i);
  return result;
}

Result allgather(std::size_t n, bool) {
  std::vector<char> in(n), out(n * p);
  for (std::size_t i = 0; i < n; ++i) in[i] = letter(rank, 0, i);
  const auto count = static_cast<int>(n);
  Result result{seconds(
      [&] { tutti_allgather(in.data(), count, MPI_BYTE, out.data(), count, MPI_BYTE, comm); })};
  for (int from = 0; from < p; ++from)
    for (std::size_t i = 0; i < n; ++i)
      result.is_right = result.is_right && out[from * n + i] == letter(from, 0, i);
  return result;
}

Result bcast(std::size_t n, bool) {
  std::vector<char> data(n);
  for (std::size_t i = 0; i < n && rank == 0; ++i) data[i] = letter(0, 0, i);
  Result result{seconds([&] { tutti_bcast(data.data(), static_cast<int>(n), MPI_BYTE, 0, comm); })};
  for (std::size_t i = 0; i < n; ++i)
    result.is_right = result.is_right && data[i] == letter(0, 0, i);
  return result;
}

Result allreduce(std::size_t bytes, bool) {
  const std::size_t n = bytes / sizeof(double);
  std::vector<double> in(n), out(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = number(rank, i);
  Result result{seconds([&] {
    tutti_allreduce(in.data(), out.data(), static_cast<int>(n), MPI_DOUBLE, MPI_SUM, comm);
  })};
  for (std::size_t i = 0; i < n; ++i) result.is_right = result.is_right && out[i] == sum(i);
  return result;
}

Result reduce_scatter_block(std::size_t bytes, bool) {
  const std::size_t n = bytes / sizeof(double);
  std::vector<double> in(n * p), out(n);
  for (std::size_t i = 0; i < n * p; ++i) in[i] = number(rank, i);
  Result result{seconds([&] {
    tutti_reduce_scatter_block(in.data(), out.data(), static_cast<int>(n), MPI_DOUBLE, MPI_SUM,
                               comm);
  })};
  for (std::size_t i = 0; i < n; ++i)
    result.is_right = result.is_right && out[i] == sum(rank * n + i);
  return result;
}

/// 0, 1 for a wrong result, 2 for a word that says nothing.
int run(std::string_view word) {
  const auto slash = word.find('/'), at = word.find('@');
  std::size_t bytes = 0;
  Result (*measure)(std::size_t, bool) = nullptr;
  if (slash < at && at < word.size()) {
    const std::string_view collective = word.substr(0, slash), size = word.substr(at + 1);
    std::from_chars(size.begin(), size.end(), bytes);
    measure = collective == "alltoall"               ? alltoall
              : collective == "allgather"            ? allgather
              : collective == "bcast"                ? bcast
              : collective == "allreduce"            ? allreduce
              : collective == "reduce_scatter_block" ? reduce_scatter_block
                                                     : nullptr;
  }
  int algorithm = 0;
  const std::string name(word.substr(0, at));
  const bool by_hand = name == "alltoall/direct", native = name.ends_with("/native");
  if (measure == nullptr || bytes == 0 ||
      (!by_hand && !native && tutti_algorithm(name.c_str(), &algorithm) != MPI_SUCCESS)) {
    if (rank == 0) fmt::print(stderr, "once: '{}': write COLLECTIVE/ALGORITHM@BYTES\n", word);
    return 2;
  }
  const std::string collective = name.substr(0, slash);
  if (native)
    tutti_force(collective.c_str(), "native");
  else if (!by_hand)
    tutti_use_next(algorithm);
  const Result result = measure(bytes, by_hand);
  if (native) tutti_force(collective.c_str(), nullptr);
  int mine = result.is_right, all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
  if (rank == 0) fmt::print("{} {:.3f}{}\n", word, result.seconds * 1e6, all ? "" : " wrong");
  if (rank == 0) std::fflush(stdout);
  return all ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &p);
  // Whoever asks where ranks live has the communicator prepared.
  std::vector<int> nodes(static_cast<std::size_t>(p));
  tutti_node_transport transport;
  tutti_topology(comm, nodes.data(), nullptr, &transport);
  int status = 0;
  for (int i = 1; i < argc && status == 0; ++i) status = run(argv[i]);
  MPI_Finalize();
  return status;
}
