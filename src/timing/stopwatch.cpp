// Times what all ranks of a communicator do together.

#include "timing/stopwatch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <stdexcept>

#include "measure/statistics.hpp"
#include "measure/turns.hpp"
#include "timing/simulated.hpp"
#ifdef TUTTI_SIMULATED
#include <smpi/smpi_helpers_internal.h>
#endif

namespace tutti::core {

namespace {

/// Until the clock shows `time`. A processor that waits must stay awake; a simulated one must
/// sleep, or its clock stands still.
void wait_until(double time) {
#ifdef TUTTI_SIMULATED
  const double left = time - PMPI_Wtime();
  if (left <= 0) return;
  timespec duration{static_cast<time_t>(left), static_cast<long>((left - std::floor(left)) * 1e9)};
  smpi_nanosleep(&duration, nullptr);
#else
  while (PMPI_Wtime() < time) {
  }
#endif
}

volatile std::sig_atomic_t interrupted = 0;

/// A candidate is left out when it is so much slower than the best, beyond doubt.
constexpr double hopeless = 1.5;
constexpr std::size_t enough_to_judge = 8;

/// Ranks report to each other after about so many seconds.
constexpr double batch_seconds = 0.1;

constexpr int most_repetitions = 20000;

/// A row of calls takes about so many seconds, unless one takes longer.
constexpr double row_seconds = 3e-4;
constexpr int most_in_row = 200;

/// What rank 0 decides after a batch.
struct NextBatch {
  int repetitions = 0;  // of the next batch; 0: the end
  std::vector<char> goes_on;
};

void share(NextBatch& decision, MPI_Comm comm) {
  PMPI_Bcast(&decision.repetitions, 1, MPI_INT, 0, comm);
  PMPI_Bcast(decision.goes_on.data(), static_cast<int>(decision.goes_on.size()), MPI_CHAR, 0, comm);
}

/// Leaves out what is hopeless; ends when what counts is known well enough.
void decide(NextBatch& decision, const std::vector<std::vector<double>>& samples,
            const std::vector<Candidate>& candidates, const Effort& effort, double elapsed) {
  std::size_t most = 0;
  for (const std::vector<double>& some : samples) most = std::max(most, some.size());
  const auto done = static_cast<int>(most);
  if (is_interrupted()) {
    decision.repetitions = 0;
    return;
  }
  const double each = elapsed / std::max(1, done);
  decision.repetitions = std::clamp(static_cast<int>(batch_seconds / each), 1, 500);
  if (effort.repetitions > 0) {
    decision.repetitions = std::min(decision.repetitions, effort.repetitions - done);
    return;
  }
  std::vector<Median> medians;
  std::size_t best = 0;
  for (const std::vector<double>& some : samples) {
    medians.push_back(median_of(some));
    if (medians.back().value < medians[best].value) best = medians.size() - 1;
  }
  bool precise = samples[best].size() >= enough_to_judge;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!decision.goes_on[i]) continue;
    if (!candidates[i].always && samples[i].size() >= enough_to_judge &&
        medians[i].low > hopeless * medians[best].high)
      decision.goes_on[i] = 0;
    else if (candidates[i].always || i == best)
      precise = precise && medians[i].half_width() <= effort.precision &&
                median_of(ratios(samples.front(), samples[i])).half_width() <= effort.precision;
  }
  if (precise || elapsed >= effort.budget || done >= most_repetitions) decision.repetitions = 0;
}

bool is_any_short(const std::vector<std::vector<double>>& samples) {
  return std::any_of(samples.begin(), samples.end(), [](const std::vector<double>& some) {
    return some.front() < long_call_seconds;
  });
}

}  // namespace

std::string error_text(int error) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  PMPI_Error_string(error, text, &length);
  return text;
}

void meet_asleep(MPI_Comm world) {
#ifdef TUTTI_SIMULATED
  PMPI_Barrier(world);  // costs no processor, and the simulated clock would not pass usleep
#else
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Ibarrier(world, &request);
  for (int done = 0; !done;) {
    PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) usleep(1000);
  }
#endif
}

void interrupt() { interrupted = 1; }
bool is_interrupted() { return interrupted != 0; }

Stopwatch::Stopwatch(MPI_Comm comm) : comm_(comm) {
  PMPI_Comm_rank(comm, &rank_);
  PMPI_Comm_size(comm, &p_);
}

/// The quickest of several round trips tells the other clock best. Simulated clocks are one.
void Stopwatch::compare_clocks() {
  constexpr int round_trips = 20, tag = 1;
  double quickest = 1e9;
  for (int other = 1; other < p_ && !is_simulated; ++other) {
    for (int i = 0; i < round_trips; ++i) {
      double there = 0;
      if (rank_ == 0) {
        const double begin = PMPI_Wtime();
        PMPI_Send(nullptr, 0, MPI_BYTE, other, tag, comm_);
        PMPI_Recv(&there, 1, MPI_DOUBLE, other, tag, comm_, MPI_STATUS_IGNORE);
        const double end = PMPI_Wtime();
        double answer[2] = {end - begin, (begin + end) / 2};
        PMPI_Send(answer, 2, MPI_DOUBLE, other, tag, comm_);
      } else if (rank_ == other) {
        double answer[2];
        PMPI_Recv(nullptr, 0, MPI_BYTE, 0, tag, comm_, MPI_STATUS_IGNORE);
        there = PMPI_Wtime();
        PMPI_Send(&there, 1, MPI_DOUBLE, 0, tag, comm_);
        PMPI_Recv(answer, 2, MPI_DOUBLE, 0, tag, comm_, MPI_STATUS_IGNORE);
        if (answer[0] < quickest) quickest = answer[0], offset_ = answer[1] - there;
      }
    }
  }
  // All ranks must have heard of the start before it comes.
  PMPI_Barrier(comm_);
  const double begin = PMPI_Wtime();
  for (int i = 0; i < 3; ++i) PMPI_Barrier(comm_);
  head_start_ = PMPI_Wtime() - begin;
  PMPI_Bcast(&head_start_, 1, MPI_DOUBLE, 0, comm_);
}

double Stopwatch::meet() {
  PMPI_Barrier(comm_);
  if (start_ != Start::clock) return PMPI_Wtime();
  double begin = PMPI_Wtime() + head_start_;
  PMPI_Bcast(&begin, 1, MPI_DOUBLE, 0, comm_);
  begin -= offset_;
  wait_until(begin);
  return begin;
}

double Stopwatch::time(const Candidate& candidate, int& error) {
  candidate.prepare();
  const double begin = meet();
  error = std::max(error, candidate.call());
  for (int i = 1; i < calls_; ++i) {
    candidate.prepare();
    error = std::max(error, candidate.call());
  }
  return (PMPI_Wtime() - begin) / calls_;
}

void Stopwatch::throw_if_any(int error) {
  int worst = MPI_SUCCESS;
  PMPI_Allreduce(&error, &worst, 1, MPI_INT, MPI_MAX, comm_);
  if (worst != MPI_SUCCESS)
    throw std::runtime_error(fmt::format("a call failed: {}", error_text(worst)));
}

int Stopwatch::calls_in_row(const Candidate& first) {
  int error = MPI_SUCCESS;
  double quickest = time(first, error);
  for (int i = 0; i < 3; ++i) quickest = std::min(quickest, time(first, error));
  throw_if_any(error);
  PMPI_Bcast(&quickest, 1, MPI_DOUBLE, 0, comm_);
  return static_cast<int>(std::clamp(row_seconds / quickest, 1.0, double{most_in_row}));
}

std::vector<std::vector<double>> Stopwatch::measure(const std::vector<Candidate>& candidates,
                                                    const Effort& effort, Start start) {
  start_ = start;
  if (start_ == Start::clock) compare_clocks();
  calls_ = 1;
  std::vector<std::vector<double>> samples(candidates.size());
  NextBatch decision{1, std::vector<char>(candidates.size(), 1)};
  double begin = PMPI_Wtime();
  batch(candidates, decision.repetitions, decision.goes_on, samples);
  if (is_any_short(samples) && (!is_simulated || start_ == Start::row)) {  // that was to warm up
    for (std::vector<double>& some : samples) some.clear();
    if (start_ == Start::row) calls_ = calls_in_row(candidates.front());
    begin = PMPI_Wtime();
    batch(candidates, decision.repetitions, decision.goes_on, samples);
  }
  while (true) {
    if (rank_ == 0) decide(decision, samples, candidates, effort, PMPI_Wtime() - begin);
    share(decision, comm_);
    if (decision.repetitions <= 0) return samples;
    batch(candidates, decision.repetitions, decision.goes_on, samples);
  }
}

void Stopwatch::batch(const std::vector<Candidate>& candidates, int repetitions,
                      const std::vector<char>& goes_on, std::vector<std::vector<double>>& samples) {
  const std::size_t number = candidates.size();
  int error = MPI_SUCCESS;
  std::vector<double> mine;
  for (int i = 0; i < repetitions; ++i, ++round_) {
    const std::size_t first = mine.size();
    mine.resize(first + number);
    for (std::size_t k = 0; k < number; ++k) {
      const std::size_t index = turn_of(k, round_, number);
      if (goes_on[index]) mine[first + index] = time(candidates[index], error);
    }
  }
  std::vector<double> slowest(mine.size());
  PMPI_Allreduce(mine.data(), slowest.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MAX,
                 comm_);
  for (std::size_t i = 0; i < slowest.size(); ++i)
    if (goes_on[i % number]) samples[i % number].push_back(slowest[i]);
  throw_if_any(error);
}

}  // namespace tutti::core
