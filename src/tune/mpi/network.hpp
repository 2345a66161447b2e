#pragma once

#include <mpi.h>

#include <functional>
#include <optional>

#include "timing/simulated.hpp"
#include "tune/samples.hpp"

namespace tutti::core {

/// Of all ranks.
double most_of(MPI_Comm comm, double mine);
bool any_interrupted(MPI_Comm comm);

/// Two ranks and their messages, which are those of collectives of two: an all-to-all with nothing
/// for oneself is an exchange, a broadcast is one way.
class Pair {
 public:
  /// With one clock a call can be timed alone, else only in rows.
  Pair(MPI_Comm comm, bool one_clock);

  MPI_Comm comm() const { return comm_; }

  void exchange(std::size_t bytes);
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

 private:
  void send(std::size_t bytes, int from);
  void there_and_back(std::size_t bytes) {
    send(bytes, 0);
    send(bytes, 1);
  }
  /// Seconds of `calls` in a row, each; of the slower rank.
  double row(int calls, const std::function<void()>& call);
  double time(std::size_t bytes, int messages, const std::function<void()>& call);
  double one_call(std::size_t bytes, int messages, const std::function<void()>& call);

  const MPI_Comm comm_;
  const bool one_clock_;
  int rank_ = 0;
  double least_ = 0;  // seconds of the quickest exchange so far
  const int exchange_, one_way_;
  std::vector<char> out_, in_;
};

/// Passes over all sizes, until all is known well or the time is over. Sizes that take long are
/// left out: what a byte takes is known by then. None after an interruption.
std::optional<Samples> sample(Pair& pair, double budget, const std::function<void(double)>& report);

/// The size of pieces with which a large message between the communicator's two ranks takes least:
/// the usual one unless another is clearly better; then the smallest that is as good as the best,
/// since what is passed on waits for a whole piece.
std::size_t best_piece(MPI_Comm comm);

/// Seconds that the MPI keeps a rank to post a small message to the other one; by pass.
std::vector<double> post_times(MPI_Comm comm);

/// alpha and beta of exchanges with neighbours, for lower bounds: a quick look, not a profile.
/// Collective.
Rates quick_rates(MPI_Comm comm);

}  // namespace tutti::core
