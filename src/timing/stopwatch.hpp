#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace tutti::core {

/// Something to be timed. Returns an MPI error code.
struct Candidate {
  std::string name;
  std::function<int()> call;
  bool always = false;  // measured as often as the best, however slow
  std::function<void()> prepare = [] {};
};

struct Effort {
  double precision = 0.05;  // of the intervals' halves
  double budget = 1;        // seconds
  int repetitions = 0;      // exactly so many; 0: as precision and budget say
};

/// Times calls that all ranks of a communicator make together.
class Stopwatch {
 public:
  /// Each call after a barrier, or at an agreed time; or several in a row after a barrier, as a
  /// program's loop makes them.
  enum class Start { barrier, clock, row };

  explicit Stopwatch(MPI_Comm comm);

  /// The candidates take turns, the order changes with every repetition. A time is that of the
  /// slowest rank. Gives the samples of each, in the order taken, on every rank of the communicator
  /// alike. Throws std::runtime_error on all ranks if a call fails.
  std::vector<std::vector<double>> measure(const std::vector<Candidate>& candidates,
                                           const Effort& effort, Start start);

 private:
  void compare_clocks();
  /// Returns when all ranks begin; the common time if clocks are used.
  double meet();
  double time(const Candidate& candidate, int& error);
  /// How many calls of the first candidate make a row. The same on every rank.
  int calls_in_row(const Candidate& first);
  /// Each of those that go on so many times, in turns.
  void batch(const std::vector<Candidate>& candidates, int repetitions,
             const std::vector<char>& goes_on, std::vector<std::vector<double>>& samples);
  void throw_if_any(int error);

  const MPI_Comm comm_;
  Start start_ = Start::barrier;
  int rank_ = 0, p_ = 1;
  int calls_ = 1;          // in a sample
  std::size_t round_ = 0;  // of turns, over all measurements
  double offset_ = 0;      // the first rank's clock minus this one's
  double head_start_ = 0;  // seconds in which all ranks hear when to begin
};

/// Waits for all ranks without work for the processor: some are being measured.
void meet_asleep(MPI_Comm world);

/// What the MPI says of an error code.
std::string error_text(int error);

/// Asks every measurement to end soon, from a signal handler.
void interrupt();
bool is_interrupted();

}  // namespace tutti::core
