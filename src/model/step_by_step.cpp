// Follows the schedules of a sample step by step.

#include "model/step_by_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "topology/transport.hpp"

namespace tutti::core {

namespace {

bool same_slices(const Schedule& schedule, const Action& a, const Action& b) {
  const auto x = schedule.slices_of(a), y = schedule.slices_of(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

int cores_of(double ranks) { return std::max(1, static_cast<int>(std::lround(ranks))); }

class StepByStep {
 public:
  StepByStep(const Sample& sample, const Topology& topology, const std::optional<Mesh>& mesh,
             std::size_t element_bytes, const Machine& machine)
      : sample_(sample),
        topology_(topology),
        mesh_(mesh),
        element_bytes_(static_cast<double>(element_bytes)),
        machine_(machine),
        number_(sample.members.size()),
        states_(number_),
        pairs_(number_ * number_) {
    node_.resize(number_);
    for (std::size_t node = 0; node < sample.nodes.size(); ++node)
      for (const std::size_t i : sample.nodes[node]) node_[i] = node;
    for (std::size_t i = 0; i < number_; ++i) ready_.push_back(i);
    while (!ready_.empty()) {
      const std::size_t i = ready_.back();
      ready_.pop_back();
      enter_round(i);
    }
    for (const State& each : states_) count_ = std::max(count_, each.cells.size());
  }

  Followed followed() const {
    for (std::size_t i = 0; i < number_; ++i)
      if (states_[i].round < sample_.members[i].schedule.round_count())
        return {std::numeric_limits<double>::infinity(), count_};
    Followed result{0, count_};
    std::vector<double> done(sample_.nodes.size()), between;
    for (std::size_t step = 0; step < count_; ++step) {
      const double slowest = take(step, done);
      if (is_between_nodes(step)) between.push_back(slowest);
    }
    result.seconds = *std::max_element(done.begin(), done.end());
    if (between.empty()) return result;
    const auto middle = between.begin() + static_cast<std::ptrdiff_t>(between.size() / 2);
    std::nth_element(between.begin(), middle, between.end());
    result.between = *middle;
    return result;
  }

 private:
  /// What one rank does in one step.
  struct Cell {
    double sending = 0, receiving = 0;  // seconds of the network's latency, all messages
    double out = 0, in = 0;             // and of its bandwidth
    double moving = 0;                  // work for messages inside the node
    double working = 0;                 // copies and combining
    double before = 0;                  // of that, before any message
    bool sends_far = false, receives_far = false, sends_near = false, receives_near = false;
    double first_piece = 0;  // until its sender has written it
    double beside = 0;       // what a neighbour does for it who is not in the sample
    bool attaches = false;
    double across = 1;  // the farthest that it receives from, inside the node

    bool is_active() const {
      return sends_far || receives_far || sends_near || receives_near || working > 0;
    }
  };

  struct State {
    std::size_t round = 0;
    std::size_t begin = 0, end = 0;  // the round's first step, and one behind its last so far
    int open = 0;                    // messages whose partner is not there yet
    std::vector<Cell> cells;
  };

  /// One side of a message.
  struct Side {
    double bytes = 0;
    double latency = 0, per_byte = 0;  // over the network, as this side sees it
    double across = 1;                 // inside the node
    bool sends = false, combines = false;
    bool again = false;  // what another neighbour gets, too: it is written once
    bool stays = false;  // in its sender's memory, to be read there
    int next = -1;       // of the same pair, while they wait
  };

  /// What a node takes for a step: until its messages begin, for them, and after them.
  struct Taken {
    double before = 0, messages = 0, after = 0;
  };

  /// From one rank to another: the sides that wait for the other one, all of the same kind.
  struct Pair {
    int first = -1, last = -1;
  };

  /// Two nodes of which one sends the other a message.
  using Meeting = std::pair<std::size_t, std::size_t>;

  /// A message from node to node.
  struct Travel {
    int from = 0, to = 0;
    double latency = 0, seconds = 0;  // of its bytes
  };

  bool is_near(Rank a, Rank b) const { return topology_.node_of(a) == topology_.node_of(b); }
  /// What a message takes inside a node, in those within one domain.
  double across(Rank a, Rank b) const {
    return topology_.share_domain(a, b) ? 1 : machine_.node.across;
  }

  Cell& cell(std::size_t i, std::size_t step) {
    std::vector<Cell>& cells = states_[i].cells;
    if (cells.size() <= step) cells.resize(step + 1);
    return cells[step];
  }

  void enter_round(std::size_t i) {
    const Schedule& schedule = sample_.members[i].schedule;
    State& state = states_[i];
    if (state.round == schedule.round_count()) return;
    const Rank rank = sample_.members[i].rank;
    int far_sends = 0, far_receives = 0;
    NeighbourRound neighbours;
    state.open = 1;  // until all are looked at
    for (const Action& action : schedule.round(state.round)) {
      if (!action.is_message()) continue;
      ++state.open;
      if (!is_near(rank, action.peer)) {
        ++(action.sends() ? far_sends : far_receives);
      } else {
        neighbours.add(action.kind, action.peer,
                       static_cast<double>(schedule.count_of(action)) * element_bytes_);
      }
    }
    const bool has_messages = state.open > 1;
    const int ranks = topology_.size_of(topology_.node_of(rank));
    const bool crowded = ranks > machine_.cores_for(ranks);
    const Rates& rates = machine_.rates;
    const Action* last_near = nullptr;
    int sent = 0, received = 0;
    for (const Action& action : schedule.round(state.round)) {
      Side side{.bytes = static_cast<double>(schedule.count_of(action)) * element_bytes_,
                .sends = action.sends(),
                .combines = action.combines()};
      if (!action.is_message()) {
        const double seconds = side.bytes * (side.combines ? rates.gamma : machine_.node.byte);
        cell(i, state.begin).working += seconds;
        if (!has_messages) cell(i, state.begin).before += seconds;
        continue;
      }
      if (!is_near(rank, action.peer)) {
        const bool exchange = action.sends() ? sent++ < far_receives : received++ < far_sends;
        const Rates line = machine_.steps.empty() ? rates : machine_.rates_of(side.bytes);
        side.latency = exchange ? line.alpha : line.alpha_uni;
        side.per_byte = exchange ? line.beta : line.beta_uni;
      } else {
        side.across = across(rank, action.peer);
        side.again =
            side.sends && last_near != nullptr && same_slices(schedule, *last_near, action);
        side.stays = side.sends &&
                     neighbours.stays(side.bytes, element_bytes_, crowded, machine_.node.reading);
        if (side.sends) last_near = &action;
      }
      const int peer = sample_.place[action.peer];
      if (peer >= 0) {
        post(i, static_cast<std::size_t>(peer), side);
      } else {  // nothing is known of it: it is there
        meet_nobody(i, is_near(rank, action.peer), neighbours, crowded, side);
        close(i, state.begin);
      }
    }
    finish(i);
  }

  /// The k-th message from one rank to another meets the k-th receive.
  void post(std::size_t i, std::size_t peer, Side side) {
    const bool sends = side.sends;
    Pair& pair = pairs_[sends ? i * number_ + peer : peer * number_ + i];
    if (pair.first < 0 || sides_[pair.first].sends == sends) {
      const auto place = static_cast<int>(sides_.size());
      sides_.push_back(side);
      (pair.first < 0 ? pair.first : sides_[pair.last].next) = place;
      pair.last = place;
      return;
    }
    Side other = sides_[pair.first];
    pair.first = other.next;
    const std::size_t step = std::max(states_[i].begin, states_[peer].begin);
    side.latency = other.latency = std::max(side.latency, other.latency);
    side.per_byte = other.per_byte = std::max(side.per_byte, other.per_byte);
    sends ? travel(i, peer, step, side, other) : travel(peer, i, step, other, side);
    close(i, step);
    close(peer, step);
  }

  /// One side of a message whose other side is not in the sample.
  void meet_nobody(std::size_t i, bool near, const NeighbourRound& neighbours, bool crowded,
                   Side side) {
    const std::size_t step = states_[i].begin;
    if (!near) return side.sends ? send_far(i, step, side) : receive_far(i, step, side);
    double& beside = cell(i, step).beside;
    const NodeRates& node = machine_.node;
    if (side.sends) {
      send_near(i, step, side);
      const double copy = node.byte * (side.stays ? node.reading : 1);
      beside = std::max(beside, node.message + side.across * (node.message + side.bytes * copy));
      return;
    }
    // Its sender does as this rank would.
    const bool stays = neighbours.stays(side.bytes, element_bytes_, crowded, node.reading);
    receive_near(i, step, side, stays);
    if (!stays) beside = std::max(beside, 2 * node.message + side.bytes * node.byte);
  }

  Rank rank_of(std::size_t i) const { return sample_.members[i].rank; }

  void travel(std::size_t from, std::size_t to, std::size_t step, const Side& sent,
              const Side& received) {
    if (!is_near(rank_of(from), rank_of(to))) {
      if (mesh_) {
        if (travels_.size() <= step) travels_.resize(step + 1);
        travels_[step].push_back({topology_.node_of(rank_of(from)), topology_.node_of(rank_of(to)),
                                  sent.latency, sent.bytes * sent.per_byte});
      }
      if (meets_.size() <= step) meets_.resize(step + 1);
      meets_[step].emplace_back(node_[from], node_[to]);
      send_far(from, step, sent);
      return receive_far(to, step, received);
    }
    send_near(from, step, sent);
    receive_near(to, step, received, sent.stays);
  }
  void send_near(std::size_t i, std::size_t step, const Side& side) {
    const NodeRates& node = machine_.node;
    Cell& sender = cell(i, step);
    sender.sends_near = true;
    const double share = side.again && side.bytes <= Transport::most_sent ? node.again : 1;
    sender.moving += share * (node.message + (side.stays ? 0 : side.bytes * node.byte));
  }
  /// What is received may stay in its sender's memory.
  void receive_near(std::size_t i, std::size_t step, const Side& side, bool stays) {
    const NodeRates& node = machine_.node;
    Cell& receiver = cell(i, step);
    receiver.receives_near = true;
    receiver.attaches = receiver.attaches || stays;
    // What is combined is read by that, unless it stands in its sender's memory.
    const bool reads = stays || !side.combines;
    const double copy = node.byte * (stays ? node.reading : 1);
    const double farther = (side.across - 1) * (node.message + side.bytes * copy);
    receiver.across = std::max(receiver.across, side.across);
    receiver.moving += node.message + side.bytes * (reads ? copy : machine_.rates.gamma) + farther;
    if (!stays)
      receiver.first_piece =
          std::max(receiver.first_piece, std::min(side.bytes, Transport::piece) * node.byte);
    if (side.combines && reads) receiver.working += side.bytes * machine_.rates.gamma;
  }
  /// Of a message behind another one of the same step.
  double next_latency(double latency) const {
    const double post = machine_.rates.post;
    return post > 0 ? std::min(post, latency) : latency;
  }
  void send_far(std::size_t i, std::size_t step, const Side& side) {
    Cell& sender = cell(i, step);
    sender.sending += sender.sends_far ? next_latency(side.latency) : side.latency;
    sender.sends_far = true;
    sender.out += side.bytes * side.per_byte;
  }
  void receive_far(std::size_t i, std::size_t step, const Side& side) {
    Cell& receiver = cell(i, step);
    receiver.receiving += receiver.receives_far ? next_latency(side.latency) : side.latency;
    receiver.receives_far = true;
    receiver.in += side.bytes * side.per_byte;
    if (side.combines) receiver.working += side.bytes * machine_.rates.gamma;
  }

  void close(std::size_t i, std::size_t step) {
    states_[i].end = std::max(states_[i].end, step + 1);
    finish(i);
  }
  void finish(std::size_t i) {
    State& state = states_[i];
    if (--state.open > 0) return;
    ++state.round;
    state.begin = state.end;
    ready_.push_back(i);
  }

  bool is_between_nodes(std::size_t step) const {
    return std::any_of(states_.begin(), states_.end(), [&](const State& each) {
      return step < each.cells.size() &&
             (each.cells[step].sends_far || each.cells[step].receives_far);
    });
  }

  /// Nodes take a step: messages begin when both sides are there, and end on both. Returns what the
  /// slowest takes.
  double take(std::size_t step, std::vector<double>& done) const {
    const std::span<const Meeting> pairs =
        step < meets_.size() ? meets_[step] : std::span<const Meeting>();
    const auto together = [&](std::vector<double>& times) {
      const std::vector<double> own = times;
      for (const auto& [a, b] : pairs) {
        times[a] = std::max(times[a], own[b]);
        times[b] = std::max(times[b], own[a]);
      }
    };
    std::vector<Taken> taken;
    for (const auto& node : sample_.nodes) taken.push_back(node_step(node, step));
    double slowest = step < travels_.size() ? links_time(travels_[step]) : 0;
    const double links = *std::max_element(done.begin(), done.end()) + slowest;
    for (std::size_t node = 0; node < done.size(); ++node) done[node] += taken[node].before;
    together(done);
    for (std::size_t node = 0; node < done.size(); ++node) done[node] += taken[node].messages;
    together(done);
    for (std::size_t node = 0; node < done.size(); ++node) {
      const Taken& own = taken[node];
      done[node] += own.after;
      if (step < travels_.size()) done[node] = std::max(done[node], links);
      slowest = std::max(slowest, own.before + own.messages + own.after);
    }
    return slowest;
  }

  Taken node_step(const std::vector<std::size_t>& node, std::size_t step) const {
    double active = 0, fresh = 0, out_cores = 0, in_cores = 0;
    double out = 0, in = 0, moving = 0, most_moving = 0, working = 0, most_working = 0;
    double before = 0, most_before = 0;
    const auto each_cell = [&](auto&& look) {
      for (const std::size_t i : node) {
        const std::vector<Cell>& cells = states_[i].cells;
        if (step >= cells.size()) continue;
        look(cells[step], sample_.members[i].weight, step == 0 || cells[step - 1].is_active());
      }
    };
    bool attaches = false;
    bool near = false;
    double across = 1;
    each_cell([&](const Cell& each, double weight, bool was_active) {
      active += each.is_active() ? weight : 0;
      fresh += each.is_active() && !was_active ? weight : 0;
      out_cores += each.sends_far ? weight : 0;
      in_cores += each.receives_far ? weight : 0;
      out += weight * each.out;
      in += weight * each.in;
      working += weight * each.working;
      most_working = std::max(most_working, each.working);
      before += weight * each.before;
      most_before = std::max(most_before, each.before);
      if (!each.sends_near && !each.receives_near) return;
      near = true;
      moving += weight * each.moving;
      attaches = attaches || each.attaches;
      across = std::max(across, each.across);
      // Who only sends, or only receives, waits for the work of the other side.
      const bool both = each.sends_near && each.receives_near;
      most_moving = std::max({most_moving, each.beside,
                              each.moving + (both ? 0 : machine_.node.message + each.first_piece)});
    });
    if (active == 0) return {};
    const double out_factor = machine_.interface.factor(cores_of(out_cores));
    const double in_factor = machine_.interface.factor(cores_of(in_cores));
    double far = std::max(out / out_factor, in / in_factor);
    each_cell([&](const Cell& each, double, bool) {
      far = std::max({far, each.sending / std::min(1.0, out_factor) + each.out,
                      each.receiving / std::min(1.0, in_factor) + each.in});
    });
    const int size = topology_.size_of(topology_.node_of(rank_of(node.front())));
    const int cores = machine_.cores_for(size);
    const double latency = machine_.node.latency * across + (attaches ? machine_.node.attach : 0);
    const double inside = near ? latency + std::max(most_moving, moving / cores) : 0.0;
    const auto turns = [&](double ranks) {
      return (static_cast<int>(std::lround(ranks)) + cores - 1) / cores;
    };
    const int switches = size > cores ? std::max(turns(active) - 1, turns(fresh)) : 0;
    const double first = std::max(most_before, before / cores);
    return {first, std::max(far, inside) + machine_.node.switching * switches,
            std::max(most_working, working / cores) - first};
  }

  /// What the busiest link takes, once a message has come to it.
  double links_time(const std::vector<Travel>& travels) const {
    std::vector<double> busy(2 * static_cast<std::size_t>(mesh_->dimensions() * mesh_->p()));
    double latency = 0;
    for (const Travel& each : travels) {
      latency = std::max(latency, each.latency);
      mesh_->follow(each.from, each.to,
                    [&](const Link& link) { busy[mesh_->index_of(link)] += each.seconds; });
    }
    // A link carries what all cores of a node get out of it, however little one gets alone.
    const double factor = std::max(1.0, machine_.interface.factor(topology_.largest()));
    return latency + *std::max_element(busy.begin(), busy.end()) / factor;
  }

  const Sample& sample_;
  const Topology& topology_;
  const std::optional<Mesh>& mesh_;
  const double element_bytes_;
  const Machine& machine_;
  const std::size_t number_;
  std::vector<State> states_;
  std::vector<Pair> pairs_;  // for each sender and receiver
  std::vector<Side> sides_;
  std::vector<std::vector<Travel>> travels_;  // of each step, on a mesh
  std::vector<std::size_t> node_;             // of each member, among those of the sample
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>>
      meets_;  // who does whom, in each step
  std::vector<std::size_t> ready_;
  std::size_t count_ = 0;
};

}  // namespace

Followed step_by_step(const Sample& sample, const Topology& topology,
                      const std::optional<Mesh>& mesh, std::size_t element_bytes,
                      const Machine& machine) {
  return StepByStep(sample, topology, mesh, element_bytes, machine).followed();
}

}  // namespace tutti::core
