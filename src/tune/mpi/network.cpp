// The messages of two ranks, as a profile's network and a node's messages are measured by, and a
// quick look at what all ranks together see.

#include "tune/mpi/network.hpp"

#include <tutti/tutti.h>

#include <algorithm>
#include <bit>
#include <map>

#include "api/machine/exchange.hpp"
#include "execute/mpi/execution.hpp"
#include "timing/stopwatch.hpp"
#include "timing/trial.hpp"
#include "topology/transport.hpp"

namespace tutti::core {
namespace {

constexpr std::size_t largest = 4u << 20;

/// 8 B to 4 MB, two sizes for each doubling: a step is known to a quarter of its size.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> list;
  for (std::size_t size = 8; size <= largest; size *= 2) {
    list.push_back(size);
    if (size < largest) list.push_back(size + size / 2);
  }
  return list;
}

/// A simulation gives the same every time.
constexpr std::size_t least_passes = is_simulated ? 1 : 3, enough = is_simulated ? 1 : 10;
constexpr double precise = 0.01;  // half an interval; then there is no more to learn

}  // namespace

double most_of(MPI_Comm comm, double mine) {
  double most = 0;
  PMPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
  return most;
}

bool any_interrupted(MPI_Comm comm) {
  int mine = is_interrupted(), any = 0;
  PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm);
  return any != 0;
}

Pair::Pair(MPI_Comm comm, bool one_clock)
    : comm_(comm),
      one_clock_(one_clock),
      exchange_(number_of("alltoallv/linear")),
      one_way_(number_of("bcast/binomial")),
      out_(largest, 1),
      in_(largest, 2) {
  PMPI_Comm_rank(comm, &rank_);
}

void Pair::exchange(std::size_t bytes) {
  const int count = static_cast<int>(bytes), offset = 0;
  int counts[2] = {count, count}, offsets[2] = {offset, offset};
  counts[rank_] = 0;
  tutti_use_next(exchange_);
  tutti_alltoallv(out_.data(), counts, offsets, MPI_BYTE, in_.data(), counts, offsets, MPI_BYTE,
                  comm_);
}

void Pair::send(std::size_t bytes, int from) {
  tutti_use_next(one_way_);
  tutti_bcast((rank_ == from ? out_ : in_).data(), static_cast<int>(bytes), MPI_BYTE, from, comm_);
}

double Pair::row(int calls, const std::function<void()>& call) {
  return most_of(comm_, time_calls(
                            1, calls, [&] { PMPI_Barrier(comm_); }, call)
                            .front());
}

double Pair::time(std::size_t bytes, int messages, const std::function<void()>& call) {
  // The first call makes the plan.
  const double about = most_of(comm_, time_calls(1, 1, call, call).front());
  if (messages == 1 && (least_ == 0 || about < least_)) least_ = about;
  const bool alone = is_simulated || (one_clock_ && bytes > Transport::most_sent);
  // Who leaves the barrier late must not count.
  const int calls = static_cast<int>(std::clamp(std::max(2e-4, 25 * least_) / about, 1.0, 1000.0));
  const int repetitions = is_simulated ? 1 : about * (alone ? 1 : calls) < 0.01 ? 5 : 1;
  std::vector<double> samples;
  samples.reserve(static_cast<std::size_t>(repetitions));
  for (int i = 0; i < repetitions; ++i)
    samples.push_back(alone ? one_call(bytes, messages, call) : row(calls, call));
  return median_of(samples).value;
}

/// A large message is read where it stands: it must have been written since it was read last. An
/// exchange is from the later start to the later end.
double Pair::one_call(std::size_t bytes, int messages, const std::function<void()>& call) {
  constexpr std::size_t cache_line = 64;
  for (std::size_t i = 0; i < bytes; i += cache_line) {
    volatile char& byte = out_[i];
    byte = byte;
  }
  PMPI_Barrier(comm_);
  if (messages == 2) there_and_back(8);  // then the other one waits already
  const double begin = PMPI_Wtime();
  call();
  double mine[2] = {begin, PMPI_Wtime()}, most[2];
  if (messages == 2) {
    double seconds = mine[1] - mine[0];
    PMPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, comm_);
    return seconds;
  }
  PMPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, comm_);
  return most[1] - most[0];
}

std::optional<Samples> sample(Pair& pair, double budget,
                              const std::function<void(double)>& report) {
  Samples samples;
  const double begin = PMPI_Wtime();
  const auto elapsed = [&] { return most_of(pair.comm(), PMPI_Wtime() - begin); };
  bool stop = false;
  for (std::size_t pass = 0; !stop; ++pass) {
    samples.message.push_back(pair.time_message());
    const std::vector<std::size_t> all = pass == 0 ? sizes() : samples.bytes;
    for (std::size_t i = 0; i < all.size(); ++i) {
      // Forwards and backwards in turn.
      const std::size_t at = pass % 2 == 0 ? i : all.size() - 1 - i;
      const double exchange = pair.time_exchange(all[at]), one_way = pair.time_one_way(all[at]);
      if (pass == 0) {
        samples.bytes.push_back(all[at]);
        samples.exchange.emplace_back();
        samples.one_way.emplace_back();
      }
      samples.exchange[at].push_back(exchange);
      samples.one_way[at].push_back(one_way);
      if (any_interrupted(pair.comm())) return std::nullopt;
      if (!is_simulated && pass == 0 && exchange + 2 * one_way > budget / 20) break;
    }
    const double spent = elapsed();
    report(std::min(1.0, std::max(spent / budget, static_cast<double>(pass + 1) / 30)));
    if (pass + 1 < least_passes) continue;
    stop = spent > budget || is_simulated;
    if (pass + 1 < enough) continue;
    bool known = true;
    for (const auto& [name, share] : uncertainty_of(samples)) known = known && share <= precise;
    stop = stop || known;  // both ranks have the same samples
  }
  return samples;
}

namespace {

/// A large message in pieces as the executor cuts it: two under way, each answered when it is
/// received.
void exchange_in_pieces(MPI_Comm comm, std::vector<char>& out, std::vector<char>& in, int piece) {
  constexpr std::size_t in_flight = Cutting{}.in_flight;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  const auto bytes = static_cast<int>(out.size());
  MPI_Request requests[2 * in_flight];  // sends, then receives
  int posted[2] = {0, 0};
  const auto post = [&](std::size_t side, std::size_t slot) {
    int& at = posted[side];
    MPI_Request& request = requests[side * in_flight + slot];
    request = MPI_REQUEST_NULL;
    if (at >= bytes) return;
    const int part = std::min(piece, bytes - at);
    if (side == 0)
      PMPI_Issend(out.data() + at, part, MPI_BYTE, 1 - rank, 0, comm, &request);
    else
      PMPI_Irecv(in.data() + at, part, MPI_BYTE, 1 - rank, 0, comm, &request);
    at += part;
  };
  for (std::size_t slot = 0; slot < in_flight; ++slot) post(1, slot), post(0, slot);
  while (true) {
    int index = MPI_UNDEFINED;
    PMPI_Waitany(2 * in_flight, requests, &index, MPI_STATUS_IGNORE);
    if (index == MPI_UNDEFINED) return;
    post(static_cast<std::size_t>(index) / in_flight, static_cast<std::size_t>(index) % in_flight);
  }
}

}  // namespace

std::size_t best_piece(MPI_Comm comm) {
  constexpr std::size_t usual = Cutting{}.bytes;
  constexpr double clearly = 0.8, as_good = 0.9;
  std::vector<char> out(256 * 1024, 1), in(out.size());
  const auto exchange = [&](std::size_t piece) {
    return most_of(comm, time_calls(
                             1, 1, [&] { PMPI_Barrier(comm); },
                             [&] { exchange_in_pieces(comm, out, in, static_cast<int>(piece)); })
                             .front());
  };
  exchange(usual);  // warms up
  // As much as passes in 20 ms, to 4 MB.
  const double speed = static_cast<double>(out.size()) / exchange(usual);
  const std::size_t bytes = std::bit_floor(static_cast<std::size_t>(
      std::clamp(0.02 * speed, static_cast<double>(out.size()), 4194304.0)));
  out.assign(bytes, 1);
  in.resize(bytes);
  std::map<std::size_t, std::vector<double>> samples;
  const int passes = is_simulated ? 2 : 6;
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t piece = 8 * 1024; piece <= bytes && piece <= 512 * 1024; piece *= 2) {
      const double seconds = exchange(piece);
      if (pass > 0) samples[piece].push_back(seconds);  // the first one warms up
    }
  const double of_usual = median_of(samples[usual]).value;
  double least = of_usual;
  for (const auto& [piece, some] : samples) least = std::min(least, median_of(some).value);
  if (least > clearly * of_usual) return usual;
  return std::find_if(
             samples.begin(), samples.end(),
             [&](const auto& each) { return median_of(each.second).value <= least / as_good; })
      ->first;
}

std::vector<double> post_times(MPI_Comm comm) {
  constexpr int messages = 16, passes = is_simulated ? 1 : 30;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  std::vector<double> samples;
  for (int pass = 0; pass < passes; ++pass) {
    InARow<messages> row(comm, 1 - rank, rank == 0);
    const auto meet = [&] {
      row.begin();
      PMPI_Barrier(comm);
    };
    double seconds = time_calls(1, messages, meet, [&] { row.post(); }).front();
    row.end();
    PMPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, comm);
    samples.push_back(seconds);
  }
  return samples;
}

Rates quick_rates(MPI_Comm comm) {
  constexpr int few = 8, large = 1 << 20, pieces = 32;
  int rank = 0, p = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &p);
  if (p == 1) return {};
  std::vector<char> out(large), in(large);
  // All ranks shift along a ring at once, whole or in pieces.
  const Neighbours ring{(rank + 1) % p, (rank + p - 1) % p};
  const auto quickest = [&](int times, auto&& shift) {
    std::vector<double> mine = time_calls(
        1 + times, 1, [&] { PMPI_Barrier(comm); }, shift);
    double best = 1e9;
    for (int i = 1; i <= times; ++i)  // the first one warms up
      best = std::min(best, most_of(comm, mine[static_cast<std::size_t>(i)]));
    return best;
  };
  const auto whole = [&](int bytes) { exchange(comm, ring, out.data(), in.data(), bytes); };
  const auto in_pieces = [&] { exchange<pieces>(comm, ring, out.data(), in.data(), large); };
  const double one = quickest(50, [&] { whole(few); });
  const double many = std::min(quickest(5, [&] { whole(large); }), quickest(5, in_pieces));
  const auto seconds = [&](int bytes) { return bytes == few ? one : many; };
  return measure_line(few, large, seconds, seconds);
}

}  // namespace tutti::core
