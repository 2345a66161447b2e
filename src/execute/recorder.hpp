#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tutti::core {

/// What a rank did, in nanoseconds of its own clock.
struct TraceEvent {
  enum class Kind : std::uint8_t { send, recv, reduce, copy, wait };
  Kind kind = Kind::wait;
  std::int32_t peer = -1;   // in the call's communicator
  std::uint32_t call = 0;   // which of this rank's
  std::uint32_t round = 0;  // of the schedule
  /// Which action of the schedule: messages of a pair of ranks are sent and received in the same
  /// order.
  std::uint32_t order = 0;
  std::uint64_t bytes = 0;
  std::int64_t begin = 0, end = 0;
};

/// A collective call of a rank, noted when it ends.
struct TraceCall {
  /// What all ranks that take part know it by; no communicator: a call of one rank alone.
  struct Key {
    std::int64_t communicator = -1;
    bool is_native = false;
    std::uint32_t turn = 0;  // among those of the communicator
    auto operator<=>(const Key&) const = default;
  };
  Key key;
  std::uint32_t number = 0;  // as its events have it
  std::uint32_t label = 0;
  std::uint64_t bytes = 0;
  bool knows_bytes = false;
  std::int64_t begin = 0, end = 0;
};

/// Notes what this rank does, in memory that is bounded: what no longer fits is counted. A call is
/// noted after all its events, so one that is there is whole. Any thread may note.
class Recorder {
 public:
  using Clock = std::int64_t (*)();
  Recorder(std::size_t most_events, Clock clock)
      : clock_(clock),
        most_(most_events),
        events_(std::make_unique_for_overwrite<TraceEvent[]>(most_events)) {}

  std::int64_t now() const { return clock_(); }
  /// The number of a call that begins.
  std::uint32_t next_call() { return next_call_.fetch_add(1, std::memory_order_relaxed); }

  void note(const TraceEvent& event) {
    const std::size_t place = next_.fetch_add(1, std::memory_order_acq_rel);
    if (place < most_) events_[place] = event;
  }
  void note(const TraceCall& call) {
    const std::scoped_lock lock(mutex_);
    if (next_.load(std::memory_order_acquire) > most_ || calls_.size() == most_)
      ++dropped_calls_;
    else
      calls_.push_back(call);
  }
  /// The number of a name. `key`: an address that stands for it, so that it is made once.
  template <class Make>
  std::uint32_t label(const void* key, Make&& make) {
    const std::scoped_lock lock(mutex_);
    const auto [place, is_new] = numbers_.try_emplace(key, labels_.size());
    if (is_new) labels_.push_back(make());
    return static_cast<std::uint32_t>(place->second);
  }

  /// What was noted, to be asked for when nobody notes any more.
  std::vector<TraceEvent> events() const {
    return {events_.get(), events_.get() + std::min(next_.load(), most_)};
  }
  const std::vector<TraceCall>& calls() const { return calls_; }
  const std::vector<std::string>& labels() const { return labels_; }
  std::uint64_t dropped_events() const { return next_.load() - std::min(next_.load(), most_); }
  std::uint64_t dropped_calls() const { return dropped_calls_; }

 private:
  const Clock clock_;
  const std::size_t most_;
  const std::unique_ptr<TraceEvent[]> events_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint32_t> next_call_{0};
  std::mutex mutex_;
  std::vector<TraceCall> calls_;
  std::vector<std::string> labels_;
  std::unordered_map<const void*, std::size_t> numbers_;
  std::uint64_t dropped_calls_ = 0;
};

/// Where this process notes what it does; null: nobody asks.
extern Recorder* recorder;

}  // namespace tutti::core
