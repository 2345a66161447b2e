// When each rank is done, by replaying all ranks' schedules.

#include "model/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <stdexcept>

#include "schedule/match.hpp"

namespace tutti::core {

namespace {

/// Sums of the same terms in another order differ in the last bits: such times are the same time,
/// or else ties would be broken by rounding.
constexpr double same_time = 1 + 1e-12;

class Replay {
 public:
  Replay(const std::vector<Schedule>& schedules, std::size_t element_bytes, const Rates& rates)
      : schedules_(schedules),
        ranks_(schedules.size()),
        element_bytes_(element_bytes),
        rates_(rates) {
    pair_messages();
  }

  /// To be called once.
  Timeline run() {
    for (Rank r = 0; r < static_cast<Rank>(ranks_.size()); ++r) enter_next_round(r);
    start_messages();
    while (true) {
      if (events_.empty()) {
        if (done_ == ranks_.size()) break;
        send_out_of_order();
      } else {
        const double until = events_.top().time * same_time;
        std::vector<Event> batch;
        for (; !events_.empty() && events_.top().time <= until; events_.pop())
          batch.push_back(events_.top());
        now_ = batch.back().time;
        for (const Event& event : batch)
          event.message >= 0 ? finish_message(event.message) : enter_next_round(event.rank);
      }
      start_messages();
    }
    return std::move(times_);
  }

 private:
  struct Travel {
    Rank from = 0, to = 0;
    int round = 0;  // the receiver's
    int order = 0;  // among the receives of that round
    double seconds = 0;
  };

  /// A message arrived, or a rank has combined what its round received.
  struct Event {
    double time;
    int message;  // or -1
    Rank rank;
    bool operator>(const Event& other) const { return time > other.time; }
  };

  /// A message whose sender is ready, at its receiver; the earliest first, then in the order
  /// listed.
  struct Offer {
    double since;
    int order;
    int message;
    bool operator>(const Offer& other) const {
      return since != other.since ? since > other.since : order > other.order;
    }
  };
  template <class T>
  using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

  struct State {
    int round = -1;
    int open = 0;               // messages of the round that have not arrived
    std::vector<int> sends;     // messages in the order listed, all rounds
    std::size_t next = 0;       // the first of them that has not been sent
    std::size_t sends_end = 0;  // of this round
    bool sending = false, receiving = false;
    Earliest<Offer> offers;  // to this round
    std::vector<int> early;  // offered to a later one
  };

  double seconds(bool exchange, double bytes) const {
    return exchange ? rates_.alpha + bytes * rates_.beta
                    : rates_.alpha_uni + bytes * rates_.beta_uni;
  }

  void pair_messages() {
    const Matching matching = match(schedules_);
    if (!matching.unmatched.empty())
      throw std::runtime_error(
          fmt::format("replay: rank {}, round {}: a message has no partner; check the schedules",
                      matching.unmatched.front().rank, matching.unmatched.front().round));
    travels_.resize(matching.messages.size());
    times_.begins.resize(travels_.size());
    times_.ends.resize(travels_.size());
    times_.round_ends.resize(ranks_.size());
    for (Rank r = 0; r < static_cast<Rank>(schedules_.size()); ++r) {
      const Schedule& schedule = schedules_[r];
      for (std::size_t t = 0; t < schedule.round_count(); ++t) {
        int all_sends = 0, all_receives = 0;
        for (const Action& action : schedule.round(t)) {
          all_sends += action.sends();
          all_receives += action.receives();
        }
        int sends = 0, receives = 0;
        for (std::size_t a = schedule.round_begin(t); a < schedule.round_end(t); ++a) {
          const Action& action = schedule.actions[a];
          if (!action.is_message()) continue;
          const int index = matching.message_of[r][a];
          Travel& travel = travels_[index];
          const double bytes = static_cast<double>(schedule.count_of(action) * element_bytes_);
          if (action.sends()) {
            travel.from = r;
            travel.seconds = std::max(travel.seconds, seconds(sends++ < all_receives, bytes));
            ranks_[r].sends.push_back(index);
          } else {
            travel.to = r;
            travel.round = static_cast<int>(t);
            travel.order = receives;
            travel.seconds = std::max(travel.seconds, seconds(receives++ < all_sends, bytes));
          }
        }
      }
    }
  }

  void enter_next_round(Rank r) {
    State& rank = ranks_[r];
    const Schedule& schedule = schedules_[r];
    if (rank.round >= 0) times_.round_ends[r].push_back(now_);
    if (++rank.round == static_cast<int>(schedule.round_count())) {
      ++done_;
      return;
    }
    for (const Action& action : schedule.round(rank.round)) {
      rank.open += action.is_message();
      rank.sends_end += action.sends();
    }
    if (rank.open == 0) return finish_round(r);
    std::erase_if(rank.early, [&](int message) {
      if (travels_[message].round != rank.round) return false;
      offer(message);
      return true;
    });
    offer_next(r);
  }

  void finish_round(Rank r) {
    std::size_t combined = 0;
    for (const Action& action : schedules_[r].round(ranks_[r].round))
      if (action.combines()) combined += schedules_[r].count_of(action);
    const double time = rates_.gamma * static_cast<double>(combined * element_bytes_);
    if (time > 0)
      events_.push({now_ + time, -1, r});
    else
      enter_next_round(r);
  }

  void finish_message(int message) {
    const Travel& travel = travels_[message];
    times_.ends[message] = now_;
    State& sender = ranks_[travel.from];
    State& receiver = ranks_[travel.to];
    sender.sending = false;
    receiver.receiving = false;
    touched_.push_back(travel.to);
    --receiver.open;
    if (--sender.open == 0)
      finish_round(travel.from);
    else
      offer_next(travel.from);
    if (receiver.open == 0 && travel.to != travel.from) finish_round(travel.to);
  }

  void offer_next(Rank r) {
    State& rank = ranks_[r];
    if (rank.sending || rank.next == rank.sends_end) return;
    const int message = rank.sends[rank.next];
    if (is_in_round(message))
      offer(message);
    else
      ranks_[travels_[message].to].early.push_back(message);
  }

  bool is_in_round(int message) const {
    return ranks_[travels_[message].to].round == travels_[message].round;
  }

  void offer(int message) {
    const Travel& travel = travels_[message];
    ranks_[travel.to].offers.push({now_, travel.order, message});
    touched_.push_back(travel.to);
  }

  /// Every receiver that something happened to takes its next message.
  void start_messages() {
    for (const Rank r : touched_) {
      State& rank = ranks_[r];
      if (rank.receiving || rank.offers.empty()) continue;
      const int message = rank.offers.top().message;
      rank.offers.pop();
      State& sender = ranks_[travels_[message].from];
      ++sender.next;
      sender.sending = rank.receiving = true;
      times_.begins[message] = now_;
      events_.push({now_ + travels_[message].seconds, message, r});
    }
    touched_.clear();
  }

  /// Nothing moves in the order listed: ranks send first what somebody waits for.
  void send_out_of_order() {
    for (Rank r = 0; r < static_cast<Rank>(ranks_.size()); ++r) {
      State& rank = ranks_[r];
      const auto head = rank.sends.begin() + static_cast<std::ptrdiff_t>(rank.next);
      const auto end = rank.sends.begin() + static_cast<std::ptrdiff_t>(rank.sends_end);
      const auto found = std::find_if(head, end, [&](int m) { return is_in_round(m); });
      if (found == end) continue;
      std::erase(ranks_[travels_[*head].to].early, *head);
      std::rotate(head, found, found + 1);
      offer(*head);
    }
    if (!touched_.empty()) return;
    Rank stuck = 0;
    while (ranks_[stuck].open == 0) ++stuck;
    throw std::runtime_error(
        fmt::format("replay: deadlock, rank {} waits in round {}; check the "
                    "schedules",
                    stuck, ranks_[stuck].round));
  }

  const std::vector<Schedule>& schedules_;
  std::vector<State> ranks_;
  std::vector<Travel> travels_;
  Timeline times_;
  std::size_t element_bytes_;
  Rates rates_;
  double now_ = 0;
  std::size_t done_ = 0;
  Earliest<Event> events_;
  std::vector<Rank> touched_;  // receivers that may take a message now
};

}  // namespace

std::vector<double> finish_times(const std::vector<Schedule>& schedules, std::size_t element_bytes,
                                 const Rates& rates) {
  std::vector<double> finish;
  for (const auto& ends : timeline_of(schedules, element_bytes, rates).round_ends)
    finish.push_back(ends.empty() ? 0 : ends.back());
  return finish;
}

Timeline timeline_of(const std::vector<Schedule>& schedules, std::size_t element_bytes,
                     const Rates& rates) {
  return Replay(schedules, element_bytes, rates).run();
}

double replay(const std::vector<Schedule>& schedules, std::size_t element_bytes,
              const Rates& rates) {
  const std::vector<double> finish = finish_times(schedules, element_bytes, rates);
  return finish.empty() ? 0 : *std::max_element(finish.begin(), finish.end());
}

}  // namespace tutti::core
