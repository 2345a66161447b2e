// What `tutti tune` measures first: the numbers of a profile.

#include "tune/mpi/rates.hpp"

#include <fmt/format.h>
#include <sys/uio.h>
#include <tutti/tutti.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "api/machine/tuning.hpp"
#include "api/process/mpi_name.hpp"
#include "execute/mpi/execution.hpp"
#include "measure/statistics.hpp"
#include "model/estimate.hpp"
#include "reduce/kernels.hpp"
#include "request/request.hpp"
#include "select/profiles.hpp"
#include "timing/cell_call.hpp"
#include "timing/provenance.hpp"
#include "timing/simulated.hpp"
#include "timing/stopwatch.hpp"
#include "topology/transport.hpp"

namespace tutti::core {
namespace {

using Json = nlohmann::json;

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

int number_of(const char* algorithm) {
  int number = 0;
  if (tutti_algorithm(algorithm, &number) != MPI_SUCCESS)
    throw std::runtime_error(fmt::format("the library does not know {}", algorithm));
  return number;
}

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

/// Two ranks and their messages, which are those of collectives of two: an all-to-all with nothing
/// for oneself is an exchange, a broadcast is one way.
class Pair {
 public:
  /// With one clock a call can be timed alone, else only in rows.
  Pair(MPI_Comm comm, bool one_clock) : comm_(comm), one_clock_(one_clock) {
    PMPI_Comm_rank(comm, &rank_);
  }

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }

  void exchange(std::size_t bytes) {
    const int count = static_cast<int>(bytes), offset = 0;
    int counts[2] = {count, count}, offsets[2] = {offset, offset};
    counts[rank_] = 0;
    tutti_use_next(exchange_);
    tutti_alltoallv(out_.data(), counts, offsets, MPI_BYTE, in_.data(), counts, offsets, MPI_BYTE,
                    comm_);
  }
  void send(std::size_t bytes, int from) {
    tutti_use_next(one_way_);
    tutti_bcast((rank_ == from ? out_ : in_).data(), static_cast<int>(bytes), MPI_BYTE, from,
                comm_);
  }
  void there_and_back(std::size_t bytes) {
    send(bytes, 0);
    send(bytes, 1);
  }

  /// Seconds of an exchange, and of a message one way; the same on both ranks.
  double time_exchange(std::size_t bytes) {
    return time(bytes, 1, [&] { exchange(bytes); });
  }
  double time_one_way(std::size_t bytes) {
    return time(bytes, 2, [&] { there_and_back(bytes); }) / 2;
  }
  /// What a message is for him who has most work with it: nobody waits for an answer.
  double time_message() {
    constexpr int calls = is_simulated ? 50 : 2000;
    return row(calls, [&] { send(8, 0); });
  }

  /// Seconds of `calls` in a row, each; of the slower rank.
  template <class Call>
  double row(int calls, Call&& call) {
    PMPI_Barrier(comm_);
    const double begin = PMPI_Wtime();
    for (int i = 0; i < calls; ++i) call();
    return most_of(comm_, (PMPI_Wtime() - begin) / calls);
  }

 private:
  template <class Call>
  double time(std::size_t bytes, int messages, Call&& call) {
    const double about = most_of(comm_, [&] {
      call();  // also makes the plan
      const double begin = PMPI_Wtime();
      call();
      return PMPI_Wtime() - begin;
    }());
    if (messages == 1 && (least_ == 0 || about < least_)) least_ = about;
    const bool alone = is_simulated || (one_clock_ && bytes > Transport::most_sent);
    // Who leaves the barrier late must not count.
    const int calls =
        static_cast<int>(std::clamp(std::max(2e-4, 25 * least_) / about, 1.0, 1000.0));
    const int repetitions = is_simulated ? 1 : about * (alone ? 1 : calls) < 0.01 ? 5 : 1;
    std::vector<double> samples;
    for (int i = 0; i < repetitions; ++i)
      samples.push_back(alone ? one_call(bytes, messages, call) : row(calls, call));
    return median_of(samples).value;
  }

  /// A large message is read where it stands: it must have been written since it was read last. An
  /// exchange is from the later start to the later end.
  template <class Call>
  double one_call(std::size_t bytes, int messages, Call&& call) {
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

  const MPI_Comm comm_;
  const bool one_clock_;
  int rank_ = 0;
  double least_ = 0;  // seconds of the quickest exchange so far
  const int exchange_ = number_of("alltoallv/linear"), one_way_ = number_of("bcast/binomial");
  std::vector<char> out_ = std::vector<char>(largest, 1), in_ = std::vector<char>(largest, 2);
};

/// What a pair took, by size and pass.
struct Samples {
  std::vector<std::size_t> bytes;
  std::vector<std::vector<double>> exchange, one_way;
  std::vector<double> message;

  std::size_t passes() const { return exchange.empty() ? 0 : exchange.front().size(); }
};

std::vector<Timing> points_of(const Samples& samples, const std::vector<std::vector<double>>& of) {
  std::vector<Timing> points;
  for (std::size_t i = 0; i < of.size(); ++i)
    points.push_back({static_cast<double>(samples.bytes[i]), median_of(of[i]).value});
  return points;
}

std::vector<Timing> pass_of(const Samples& samples, const std::vector<std::vector<double>>& of,
                            std::size_t pass) {
  std::vector<Timing> points;
  for (std::size_t i = 0; i < of.size(); ++i)
    points.push_back({static_cast<double>(samples.bytes[i]), of[i][pass]});
  return points;
}

/// The numbers of each pass; the spread of their medians is a number's uncertainty.
template <class Value>
Median over_passes(const Samples& samples, Value&& value) {
  std::vector<double> values;
  for (std::size_t pass = 0; pass < samples.passes(); ++pass) values.push_back(value(pass));
  return median_of(values);
}

Rates rates_of(const std::vector<Timing>& exchange, const std::vector<Timing>& one_way) {
  const Line both = fit_line(exchange), one = fit_line(one_way);
  return {.alpha = both.alpha,
          .beta = both.beta,
          .gamma = 0,
          .alpha_uni = one.alpha,
          .beta_uni = one.beta};
}

std::map<std::string, double, std::less<>> uncertainty_of(const Samples& samples) {
  std::map<std::string, double, std::less<>> found;
  for (const auto& [name, rate] : {std::pair{"alpha", &Rates::alpha},
                                   {"beta", &Rates::beta},
                                   {"alpha_uni", &Rates::alpha_uni},
                                   {"beta_uni", &Rates::beta_uni}})
    found[name] = over_passes(samples, [&, rate = rate](std::size_t pass) {
                    return rates_of(pass_of(samples, samples.exchange, pass),
                                    pass_of(samples, samples.one_way, pass)).*
                           rate;
                  }).half_width();
  return found;
}

/// Passes over all sizes, until all is known well or the time is over. Sizes that take long are
/// left out: what a byte takes is known by then. None after an interruption.
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

Curve curve_of(const Samples& samples, const std::vector<std::vector<double>>& of,
               const char* level, const char* kind) {
  Curve curve{level, kind, points_of(samples, of), {}, {}, {}};
  for (const std::vector<double>& each : of)
    curve.half_widths.push_back(median_of(each).half_width());
  return curve;
}

/// A large message in pieces as the executor cuts it: two under way, each answered when it is
/// received.
void exchange_in_pieces(MPI_Comm comm, std::vector<char>& out, std::vector<char>& in, int piece) {
  constexpr std::size_t in_flight = Pieces{}.in_flight;
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

constexpr std::size_t usual_piece = Pieces{}.bytes;

/// The size of pieces with which a large message takes least: the usual one unless another is
/// clearly better; then the smallest that is as good as the best, since what is passed on waits for
/// a whole piece.
std::size_t best_piece(MPI_Comm comm) {
  constexpr double clearly = 0.8, as_good = 0.9;
  std::vector<char> out(256 * 1024, 1), in(out.size());
  const auto exchange = [&](std::size_t piece) {
    PMPI_Barrier(comm);
    const double begin = PMPI_Wtime();
    exchange_in_pieces(comm, out, in, static_cast<int>(piece));
    return most_of(comm, PMPI_Wtime() - begin);
  };
  exchange(usual_piece);  // warms up
  // As much as passes in 20 ms, to 4 MB.
  const double speed = static_cast<double>(out.size()) / exchange(usual_piece);
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
  const double usual = median_of(samples[usual_piece]).value;
  double least = usual;
  for (const auto& [piece, some] : samples) least = std::min(least, median_of(some).value);
  if (least > clearly * usual) return usual_piece;
  return std::find_if(
             samples.begin(), samples.end(),
             [&](const auto& each) { return median_of(each.second).value <= least / as_good; })
      ->first;
}

/// What reading in the other rank's memory takes, by pass, in seconds: of the line through 64 KB
/// and 1 MB. Nothing where the system does not allow it. Both ranks of a node call it, and read at
/// the same time.
struct ReadingTimes {
  std::vector<double> begin, byte;
};
ReadingTimes reading_times(MPI_Comm comm) {
  constexpr std::size_t some = 64 * 1024, many = 1024 * 1024;
  constexpr int passes = 30;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  std::vector<char> source(many, 1), target(many);
  struct {
    long long process, address;
  } mine{getpid(), reinterpret_cast<long long>(source.data())}, other{};
  PMPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, 1 - rank, 0, &other, sizeof other, MPI_BYTE, 1 - rank,
                0, comm, MPI_STATUS_IGNORE);
  const auto read = [&](std::size_t bytes) {
    const iovec here{target.data(), bytes}, there{reinterpret_cast<void*>(other.address), bytes};
    PMPI_Barrier(comm);
    const double begin = PMPI_Wtime();
    const bool works = process_vm_readv(static_cast<pid_t>(other.process), &here, 1, &there, 1,
                                        0) == static_cast<ssize_t>(bytes);
    return works ? PMPI_Wtime() - begin : -1;
  };
  ReadingTimes times;
  for (int pass = 0; pass <= passes; ++pass) {
    const double few = read(some), all = read(many);
    if (pass == 0 || few < 0 || all < 0) continue;
    const double byte = std::max(0.0, all - few) / static_cast<double>(many - some);
    times.byte.push_back(byte);
    times.begin.push_back(std::max(0.0, few - static_cast<double>(some) * byte));
  }
  PMPI_Barrier(comm);
  return times;
}

/// Seconds that the MPI keeps a rank to post a small message; by pass.
std::vector<double> post_times(MPI_Comm comm) {
  constexpr int messages = 16, passes = is_simulated ? 1 : 30;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  std::vector<double> samples;
  for (int pass = 0; pass < passes; ++pass) {
    char data[messages][8] = {};
    MPI_Request requests[messages];
    if (rank == 1)
      for (int i = 0; i < messages; ++i) PMPI_Irecv(data[i], 8, MPI_BYTE, 0, 0, comm, &requests[i]);
    PMPI_Barrier(comm);
    const double begin = PMPI_Wtime();
    if (rank == 0)
      for (int i = 0; i < messages; ++i) PMPI_Isend(data[i], 8, MPI_BYTE, 1, 0, comm, &requests[i]);
    double seconds = (PMPI_Wtime() - begin) / messages;
    PMPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
    PMPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, comm);
    samples.push_back(seconds);
  }
  return samples;
}

/// An operator of a program's own.
void add_doubles(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* from = static_cast<const double*>(in);
  auto* to = static_cast<double*>(inout);
  for (int i = 0; i < *count; ++i) to[i] += from[i];
}

/// Seconds per byte of an operand, in each pass: the slope over several sizes.
std::vector<double> slopes(const std::function<void(void*, void*, std::size_t bytes)>& combine) {
  constexpr std::size_t most = 1u << 20;
  constexpr int passes = 11;
  std::vector<double> a(most / sizeof(double), 1), b(most / sizeof(double), 1);
  std::vector<double> found;
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<Timing> points;
    for (std::size_t bytes = most / 64; bytes <= most; bytes *= 4) {
      const auto calls = static_cast<int>(std::max<std::size_t>(1, most / 8 / bytes));
      combine(a.data(), b.data(), bytes);
      const double begin = PMPI_Wtime();
      for (int i = 0; i < calls; ++i) combine(a.data(), b.data(), bytes);
      points.push_back({static_cast<double>(bytes), (PMPI_Wtime() - begin) / calls});
    }
    found.push_back(fit_line(points).beta);
  }
  return found;
}

/// gamma by name, that of sums of doubles as an empty one.
std::map<std::string, Median> gammas() {
  std::map<std::string, Median> found;
  const std::pair<const char*, Operator> operators[] = {{"sum", Operator::sum},
                                                        {"product", Operator::prod},
                                                        {"extreme", Operator::max},
                                                        {"logical", Operator::land},
                                                        {"bitwise", Operator::band}};
  const std::pair<const char*, Type> types[] = {{"integer", Type::int32},
                                                {"float", Type::float32},
                                                {"double", Type::float64},
                                                {"complex", Type::complex64}};
  for (const auto& [operation, op] : operators)
    for (const auto& [kind, type] : types) {
      const std::string name = fmt::format("{}_{}", operation, kind);
      const auto known = gamma_names();
      const bool is_gamma = op == Operator::sum && type == Type::float64;
      if (!is_gamma && std::find(known.begin(), known.end(), name) == known.end()) continue;
      const Kernel kernel = kernel_for(op, type);
      const std::size_t size = size_of(type);
      found[is_gamma ? "" : name] =
          median_of(slopes([&](void* left, void* right, std::size_t bytes) {
            kernel(left, right, right, bytes / size);
          }));
    }
  MPI_Op own = MPI_OP_NULL;
  PMPI_Op_create(add_doubles, 1, &own);
  found["user"] = median_of(slopes([&](void* in, void* inout, std::size_t bytes) {
    PMPI_Reduce_local(in, inout, static_cast<int>(bytes / sizeof(double)), MPI_DOUBLE, own);
  }));
  PMPI_Op_free(&own);
  return found;
}

class Measurement {
 public:
  Measurement(MPI_Comm world, double budget, const Report& report)
      : world_(world), budget_(budget), report_(report), topology_(topology_seen(world)) {
    PMPI_Comm_rank(world, &rank_);
    cores_ = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    PMPI_Bcast(&cores_, 1, MPI_INT, 0, world);
  }

  MeasuredRates run() {
    const Topology& where = *topology_;
    const int last = where.nodes() - 1;
    const Rank far = where.ranks_of(last)[0];
    Profile& profile = result_.profile;
    profile.name = "measured";
    profile.source = "tutti tune";
    profile.measured_on = here(mpi_name());
    tutti_tune_pieces(usual_piece);  // not those of a profile that is about to be replaced
    if (last > 0) {
      stage({0, far}, 0, "size of pieces",
            [&](MPI_Comm comm) { profile.piece = best_piece(comm); });
      tutti_tune_pieces(profile.piece);
      network(far);
    }
    if (const auto node = crowded_node()) within_node(*node);
    posting(last > 0 ? far : where.ranks_of(0)[1]);
    if (last > 0) interface(last);
    combining();
    switching();
    return result_;
  }

 private:
  /// These ranks work on a communicator of their own, in this order; the others sleep meanwhile.
  template <class Work>
  void stage(const std::vector<Rank>& ranks, double share, const std::string& what, Work&& work) {
    if (rank_ == 0) report_(share, what);
    const auto place = std::find(ranks.begin(), ranks.end(), rank_);
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_split(world_, place == ranks.end() ? MPI_UNDEFINED : 0,
                    static_cast<int>(place - ranks.begin()), &comm);
    if (comm != MPI_COMM_NULL) {
      work(comm);
      PMPI_Comm_free(&comm);
    }
    meet_asleep(world_);
    if (any_interrupted(world_)) throw Interrupted{};
    spread(ranks.front());
  }

  std::function<void(double)> progress(double from, double to, const char* what) const {
    return [this, from, to, what](double share) {
      if (rank_ == 0) report_(from + share * (to - from), what);
    };
  }

  /// The first node with several ranks.
  std::optional<int> crowded_node() const {
    for (int node = 0; node < topology_->nodes(); ++node)
      if (topology_->size_of(node) > 1) return node;
    return std::nullopt;
  }

  void add_curves(const Samples& samples, const char* level) {
    result_.curves.push_back(curve_of(samples, samples.exchange, level, "exchange"));
    result_.curves.push_back(curve_of(samples, samples.one_way, level, "one_way"));
  }

  /// What the level's samples say about the profile's rates.
  void set_rates(const Samples& samples) {
    Profile& profile = result_.profile;
    profile.rates =
        rates_of(points_of(samples, samples.exchange), points_of(samples, samples.one_way));
    profile.uncertainty.merge(uncertainty_of(samples));
  }

  void network(Rank far) {
    stage({0, far}, 0, "network", [&](MPI_Comm comm) {
      Pair pair(comm, false);
      const auto samples = sample(pair, 0.4 * budget_, progress(0, 0.4, "network"));
      if (!samples) return;
      set_rates(*samples);
      add_curves(*samples, "network");
    });
    const std::vector<Stretch>& with = result_.curves[0].stretches;
    for (std::size_t i = 0; with.size() > 1 && i < with.size(); ++i) {
      const Line &both = with[i].lines[0], &one = result_.curves[1].stretches[i].lines[0];
      result_.profile.steps.push_back(
          {static_cast<std::size_t>(with[i].from), both.alpha, both.beta, one.alpha, one.beta});
    }
  }

  /// See NodeRates. In an exchange each rank writes what it sends and reads what it gets: two
  /// copies.
  struct NodeFit {
    double latency, message, byte;
  };
  static NodeFit node_fit(const std::vector<Timing>& exchange, const std::vector<Timing>& one_way,
                          double message) {
    std::vector<Timing> small, large;
    for (const Timing& each : one_way)
      if (each.bytes <= Transport::most_sent) small.push_back(each);
    for (const Timing& each : exchange) {
      NeighbourRound round;
      round.add(Kind::recv, 0, each.bytes);
      if (each.bytes > Transport::most_sent && !round.stays(each.bytes, 1, false, 1))
        large.push_back(each);
    }
    const Line little = fit_line(small), much = fit_line(large.empty() ? exchange : large);
    const double work = std::min(message, little.alpha / 2), byte = much.beta / 2;
    return {little.alpha - 2 * work, work, byte};
  }

  void within_node(int node) {
    const auto ranks = topology_->ranks_of(node);
    const bool alone = topology_->nodes() == 1;
    stage({ranks[0], ranks[1]}, 0.4, "node", [&](MPI_Comm comm) {
      Pair pair(comm, true);
      const auto taken =
          sample(pair, (alone ? 0.6 : 0.3) * budget_, progress(alone ? 0 : 0.4, 0.7, "node"));
      if (!taken) return;
      const Samples& samples = *taken;
      const NodeFit fit =
          node_fit(points_of(samples, samples.exchange), points_of(samples, samples.one_way),
                   median_of(samples.message).value);
      NodeRates rates = default_profile().machine().node;  // the switch is measured later, or not
      rates.latency = fit.latency;
      rates.message = fit.message;
      rates.byte = fit.byte;
      rates.cores = is_simulated ? 0 : cores_;  // simulated nodes have theirs
      result_.profile.node = rates;
      for (const auto& [name, value] : {std::pair{"latency", &NodeFit::latency},
                                        {"message", &NodeFit::message},
                                        {"copy", &NodeFit::byte}})
        result_.profile.uncertainty[name] =
            over_passes(samples, [&, value = value](std::size_t pass) {
              return node_fit(pass_of(samples, samples.exchange, pass),
                              pass_of(samples, samples.one_way, pass), samples.message[pass]).*
                     value;
            }).half_width();
      const ReadingTimes times = is_simulated ? ReadingTimes{} : reading_times(comm);
      if (is_simulated) result_.profile.node->attach = 0;
      if (!times.byte.empty()) {
        const Median attach = median_of(times.begin), byte = median_of(times.byte);
        result_.profile.node->attach = attach.value;
        result_.profile.uncertainty["attach"] = attach.half_width();
        if (fit.byte > 0) {
          result_.profile.node->reading = byte.value / fit.byte;
          result_.profile.uncertainty["attach_copies"] = byte.half_width();
        }
      }
      if (alone) set_rates(samples);
      add_curves(samples, "node");
    });
    if (alone)
      result_.remarks.push_back(
          "alpha and beta are those of messages within the node: all ranks "
          "share one, so that no network was seen");
  }

  void posting(Rank other) {
    stage({0, other}, 0.75, "posting", [&](MPI_Comm comm) {
      const Median post = median_of(post_times(comm));
      result_.profile.rates.post = post.value;
      result_.profile.uncertainty["post"] = post.half_width();
    });
  }

  /// As many pairs at once as both nodes have ranks.
  void interface(int last) {
    const auto here = topology_->ranks_of(0), there = topology_->ranks_of(last);
    const auto most = static_cast<int>(std::min(here.size(), there.size()));
    if (most < 2) {
      result_.remarks.push_back("interface: between nodes there is only one pair of ranks");
      return;
    }
    const Rates& rates = result_.profile.rates;
    std::vector<Rank> ranks;
    for (int i = 0; i < most; ++i) ranks.insert(ranks.end(), {here[i], there[i]});
    stage(ranks, 0.85, "interface", [&](MPI_Comm comm) {
      const auto bytes = static_cast<std::size_t>(
          std::clamp(20 * rates.alpha / std::max(rates.beta, 1e-12), 65536.0, 1048576.0));
      int rank = 0;
      PMPI_Comm_rank(comm, &rank);
      MPI_Comm own = MPI_COMM_NULL;
      PMPI_Comm_split(comm, rank / 2, rank, &own);
      Pair pair(own, false);
      std::vector<int> counts;
      for (int pairs = 1; pairs < most; pairs *= 2) counts.push_back(pairs);
      counts.push_back(most);
      const int passes = is_simulated ? 1 : 7, calls = 3;
      std::vector<std::vector<double>> factors(counts.size());
      for (int pass = 0; pass < passes; ++pass) {
        double one = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
          MPI_Comm group = MPI_COMM_NULL;
          const bool in = rank / 2 < counts[i];
          PMPI_Comm_split(comm, in ? 0 : MPI_UNDEFINED, rank, &group);
          double seconds = 0;
          if (in) {
            pair.exchange(bytes);
            PMPI_Barrier(group);
            const double begin = PMPI_Wtime();
            for (int k = 0; k < calls; ++k) pair.exchange(bytes);
            seconds = most_of(group, PMPI_Wtime() - begin);
            PMPI_Comm_free(&group);
          }
          meet_asleep(comm);
          if (i == 0) one = seconds;
          factors[i].push_back(counts[i] * one / seconds);
        }
      }
      PMPI_Comm_free(&own);
      if (rank != 0) return;
      result_.profile.interface.curve = {{1, 1.0}};
      double widest = 0;
      for (std::size_t i = 1; i < counts.size(); ++i) {
        const Median factor = median_of(factors[i]);
        result_.profile.interface.curve.emplace_back(counts[i], factor.value);
        widest = std::max(widest, factor.half_width());
      }
      result_.profile.uncertainty["interface"] = widest;
    });
  }

  void combining() {
    if (is_simulated) {
      result_.remarks.push_back("gamma is 0: computation takes no time in a simulation");
      return;
    }
    stage({0}, 0.9, "reductions", [&](MPI_Comm) {
      for (const auto& [name, median] : gammas())
        if (name.empty()) {
          result_.profile.rates.gamma = median.value;
          result_.profile.uncertainty["gamma"] = median.half_width();
        } else {
          result_.profile.gammas[name] = median.value;
        }
    });
  }

  /// Small calls of all ranks of a node, beside what they would take if cores changed their ranks
  /// in no time.
  void switching() {
    const auto node = crowded_node();
    if (!node) return;
    const int ranks = topology_->size_of(*node);
    if (is_simulated || ranks <= cores_) {
      result_.remarks.push_back(fmt::format(
          "switch_us is that of {}: ranks do not outnumber cores here", default_profile().name));
      return;
    }
    const auto of_node = topology_->ranks_of(*node);
    stage({of_node.begin(), of_node.end()}, 0.95, "switches", [&](MPI_Comm comm) {
      Machine machine{result_.profile.rates, *result_.profile.node, {}};
      std::vector<std::unique_ptr<CellCall>> cell_calls;
      std::vector<Candidate> candidates;
      std::vector<double> none, each;  // seconds without switches; how many there are
      for (const char* text : {"barrier/dissemination", "allreduce/recursive_doubling",
                               "bcast/binomial", "allgather/ring"}) {
        const Request request = parse_request(text);
        const Cell cell{.collective = request.algorithm->collective, .p = ranks, .bytes = 8};
        Problem problem = cell.problem();
        problem.topology = std::make_shared<Topology>(Topology::one_node(ranks));
        const auto seconds = [&](double switching) {
          machine.node.switching = switching;
          return estimate(problem, *request.algorithm,
                          request.algorithm->resolve(problem, machine.rates), machine);
        };
        none.push_back(seconds(0));
        each.push_back(seconds(1) - none.back());
        cell_calls.push_back(std::make_unique<CellCall>(comm, cell));
        candidates.push_back({text,
                              [cell_call = cell_calls.back().get(), number = number_of(text)] {
                                tutti_use_next(number);
                                return cell_call->call(tutti_calls());
                              },
                              true});
      }
      Stopwatch stopwatch(comm);
      const auto samples =
          stopwatch.measure(candidates, {0.02, 0.1 * budget_}, Stopwatch::Start::barrier);
      std::vector<double> found;
      for (std::size_t i = 0; i < samples.size(); ++i)
        found.push_back(std::max(0.0, (median_of(samples[i]).value - none[i]) / each[i]));
      const Median middle = median_of(found);
      result_.profile.node->switching = middle.value;
      // What the calls say differs by more than any of them is uncertain.
      result_.profile.uncertainty["switch"] = middle.half_width();
    });
  }

  /// The others learn what a stage has found.
  void spread(Rank root) {
    std::string text = rank_ == root ? to_text() : "";
    auto length = static_cast<int>(text.size());
    PMPI_Bcast(&length, 1, MPI_INT, root, world_);
    text.resize(static_cast<std::size_t>(length));
    PMPI_Bcast(text.data(), length, MPI_CHAR, root, world_);
    from_text(text);
  }
  std::string to_text() const {
    Json curves = Json::array();
    for (const Curve& each : result_.curves) {
      Json points = Json::array();
      for (std::size_t i = 0; i < each.points.size(); ++i)
        points.push_back({each.points[i].bytes, each.points[i].seconds, each.half_widths[i]});
      curves.push_back({each.level, each.kind, points});
    }
    return Json{format_profile(result_.profile), curves}.dump();
  }
  void from_text(const std::string& text) {
    const Json json = Json::parse(text);
    result_.profile = parse_profile(json[0].get<std::string>(), "of another rank");
    result_.curves.clear();
    for (const Json& each : json[1]) {
      Curve curve{each[0], each[1], {}, {}, {}, {}};
      for (const Json& point : each[2]) {
        curve.points.push_back({point[0], point[1]});
        curve.half_widths.push_back(point[2]);
      }
      curve.line = fit_line(curve.points);
      result_.curves.push_back(std::move(curve));
    }
    // The two of a level stand side by side.
    for (std::size_t i = 0; i + 1 < result_.curves.size(); i += 2) {
      Curve &exchange = result_.curves[i], &one_way = result_.curves[i + 1];
      for (const Stretch& each : fit_stretches({exchange.points, one_way.points})) {
        exchange.stretches.push_back({each.from, {each.lines[0]}});
        one_way.stretches.push_back({each.from, {each.lines[1]}});
      }
    }
  }

  const MPI_Comm world_;
  const double budget_;
  const Report& report_;
  const std::shared_ptr<const Topology> topology_;
  int rank_ = 0, cores_ = 0;
  MeasuredRates result_;
};

}  // namespace

MeasuredRates measure_rates(MPI_Comm world, double budget, const Report& report) {
  int p = 0;
  PMPI_Comm_size(world, &p);
  if (p < 2)
    throw std::invalid_argument(
        "tune measures messages between ranks: start at least two, mpirun -n 2 tutti tune");
  return Measurement(world, budget, report).run();
}

}  // namespace tutti::core
