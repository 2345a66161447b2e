#pragma once

#include <deque>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "algorithms/registry.hpp"
#include "execute/local_rank.hpp"

namespace tutti::core {

struct LocalOptions {
  std::size_t element_bytes = 1;
  Reduction reduction{};
  /// Draws what happens next wherever several things may.
  std::uint64_t seed = 0;
  /// A send ends when its receive has begun; else at once.
  bool synchronous = true;
  /// This rank calls only when nothing else can happen any more; -1: none is late.
  Rank late = -1;
};

/// A rank's buffers, in bytes.
struct LocalBuffers {
  std::vector<std::byte> input, output;
};

/// All ranks of a problem in one process, on real data. Nothing is assumed of the schedules: what
/// cannot be carried out (a slice outside its buffer, a message of the wrong size, actions of a
/// round that disturb each other, a deadlock) ends the execution with a failure.
class LocalExecution {
 public:
  /// Complete schedules, one for each rank.
  LocalExecution(std::vector<Schedule> schedules, LocalOptions options);
  /// Schedules that are generated on the way, stage by stage.
  LocalExecution(const Problem& problem, const Algorithm& algorithm, const Parameters& parameters,
                 LocalOptions options);

  /// Begins, also again. Throws std::invalid_argument if there are not buffers for every rank.
  void start(const std::vector<LocalBuffers>& buffers);
  /// Lets one thing happen. False: nothing can happen any more, all ranks are done or failure()
  /// says why not.
  bool progress();
  bool done() const { return done_; }
  const std::string& failure() const { return failure_; }

  bool entered(Rank rank) const { return ranks_[rank].round >= 0; }
  bool done(Rank rank) const { return ranks_[rank].done; }
  std::span<const std::byte> input(Rank rank) const {
    return ranks_[rank].memory.bytes_of(Buffer::input);
  }
  std::span<const std::byte> output(Rank rank) const {
    return ranks_[rank].memory.bytes_of(Buffer::output);
  }

 private:
  using Bytes = LocalRank::Bytes;

  /// From one rank to another, in order.
  struct Channel {
    std::deque<std::size_t> sends, recvs;  // actions that have begun
    std::deque<Bytes> travelling;          // sent and not yet received, if buffered
    std::size_t announced = 0;             // arrivals among the events
  };

  struct Event {
    enum What : std::uint8_t { enter, local, leave, arrive } what;
    Rank rank;  // for messages the sender
    Rank to = -1;
    std::size_t action = 0;
  };

  void next_round(Rank rank);
  void open_action(Rank rank, std::size_t action);
  void announce(Rank from, Rank to);
  void leave(Rank from, Rank to);
  void arrive(Rank from, Rank to);
  Bytes end_send(Rank from, Rank to);
  void put(Rank rank, std::size_t action, Bytes bytes);
  void finish(Rank rank, std::size_t actions);
  void conclude() const;

  Channel& channel(Rank from, Rank to) { return channels_[from * ranks_.size() + to]; }

  std::function<Generator(Rank)> generator_;  // empty: the schedules are complete
  LocalOptions options_;
  std::vector<LocalRank> ranks_;
  std::unordered_map<std::size_t, Channel> channels_;
  std::vector<Event> events_;  // what may happen next, in no order
  std::mt19937_64 random_;
  bool done_ = false;
  std::string failure_;
};

}  // namespace tutti::core
