// What an algorithm takes where ranks share nodes, told from the schedules of a few nodes.

#include "model/estimate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "topology/transport.hpp"

namespace tutti::core {

namespace {

/// Actions, slices and the like that may be generated for one time: about a millisecond's worth.
/// The four nodes that stand for all may have some more.
constexpr std::size_t budget = 20'000;

/// The nodes that are looked at, and the schedules of all their ranks.
struct Sample {
  std::vector<int> nodes;
  std::vector<Schedule> schedules;
  std::vector<Rank> ranks;  // of the schedules
  std::vector<int> place;   // by rank: where its schedule stands; -1: there is none
};

/// Counts to learn are equal.
Schedule schedule_of(const Problem& problem, const Algorithm& algorithm,
                     const Parameters& parameters, Rank rank) {
  Generator generator(algorithm, problem.call(rank), parameters);
  const auto ranks = static_cast<std::size_t>(problem.p);
  const std::size_t block = (problem.total() + ranks - 1) / ranks;
  while (!generator.finished()) {
    const Slice& counts = generator.schedule().stages.back().slice;
    generator.resume(std::vector<std::size_t>(counts.count / sizeof(std::uint64_t), block));
  }
  return generator.schedule();
}

/// The root's node, the first, the last and one in the middle, then all others while the budget
/// lasts: trees have few messages and need all of their ranks, what is long is alike everywhere.
/// Links are shared by messages from everywhere, and need `all`.
Sample sample_of(const Problem& problem, const Topology& topology, const Algorithm& algorithm,
                 const Parameters& parameters, bool all) {
  const int last = topology.nodes() - 1;
  std::vector<int> order{topology.node_of(problem.root), 0, last, last / 2};
  for (int node = 0; node <= last; ++node) order.push_back(node);
  Sample sample;
  sample.place.assign(problem.p, -1);
  std::size_t spent = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!all && i > 0 && spent > (i < 4 ? 4 * budget : budget)) break;
    if (sample.place[topology.ranks_of(order[i])[0]] >= 0) continue;
    sample.nodes.push_back(order[i]);
    for (const Rank rank : topology.ranks_of(order[i])) {
      sample.place[rank] = static_cast<int>(sample.ranks.size());
      sample.ranks.push_back(rank);
      sample.schedules.push_back(schedule_of(problem, algorithm, parameters, rank));
      // Some look at all ranks and send little.
      spent += 8 + problem.p / 8 + sample.schedules.back().actions.size() +
               sample.schedules.back().slices.size();
      if (value_of(parameters, ParameterKind::leaders) != nullptr)
        spent += problem.p;  // each splits the whole topology
    }
  }
  return sample;
}

/// Follows the schedules step by step.
class StepByStep {
 public:
  StepByStep(const Sample& sample, const Topology& topology, const std::optional<Mesh>& mesh,
             std::size_t element_bytes, const Machine& machine)
      : sample_(sample),
        topology_(topology),
        mesh_(mesh),
        element_bytes_(static_cast<double>(element_bytes)),
        machine_(machine),
        number_(sample.ranks.size()),
        states_(number_),
        pairs_(number_ * number_) {
    for (std::size_t i = 0; i < number_; ++i) ready_.push_back(i);
    while (!ready_.empty()) {
      const std::size_t i = ready_.back();
      ready_.pop_back();
      enter_round(i);
    }
    for (const State& each : states_) count_ = std::max(count_, each.cells.size());
  }

  std::size_t count() const { return count_; }

  /// Infinite if some message never meets its partner.
  double seconds() const {
    for (std::size_t i = 0; i < number_; ++i)
      if (states_[i].round < sample_.schedules[i].round_count())
        return std::numeric_limits<double>::infinity();
    double total = 0;
    for (std::size_t step = 0; step < count_; ++step) {
      double slowest = 0;
      for (const int node : sample_.nodes) slowest = std::max(slowest, node_time(node, step));
      if (step < travels_.size()) slowest = std::max(slowest, links_time(travels_[step]));
      total += slowest;
    }
    return total;
  }

 private:
  /// What one rank does in one step.
  struct Cell {
    double sending = 0, receiving = 0;  // seconds of the network's latency, all messages
    double out = 0, in = 0;             // and of its bandwidth
    double moving = 0;                  // work for messages inside the node
    double working = 0;                 // copies and combining
    bool sends_far = false, receives_far = false, sends_near = false, receives_near = false;
    double first_piece = 0;  // until its sender has written it
    bool attaches = false;

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
    bool sends = false, combines = false;
    bool again = false;  // what another neighbour gets, too: it is written once
    bool stays = false;  // in its sender's memory, to be read there
    int next = -1;       // of the same pair, while they wait
  };

  /// From one rank to another: the sides that wait for the other one, all of the same kind.
  struct Pair {
    int first = -1, last = -1;
  };

  /// A message from node to node.
  struct Travel {
    int from = 0, to = 0;
    double latency = 0, seconds = 0;  // of its bytes
  };

  bool is_near(Rank a, Rank b) const { return topology_.node_of(a) == topology_.node_of(b); }

  Cell& cell(std::size_t i, std::size_t step) {
    std::vector<Cell>& cells = states_[i].cells;
    if (cells.size() <= step) cells.resize(step + 1);
    return cells[step];
  }

  void enter_round(std::size_t i) {
    const Schedule& schedule = sample_.schedules[i];
    State& state = states_[i];
    if (state.round == schedule.round_count()) return;
    const Rank rank = sample_.ranks[i];
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
        cell(i, state.begin).working +=
            side.bytes * (side.combines ? rates.gamma : machine_.node.byte);
        continue;
      }
      if (!is_near(rank, action.peer)) {
        const bool exchange = action.sends() ? sent++ < far_receives : received++ < far_sends;
        const Rates line = machine_.steps.empty() ? rates : machine_.rates_of(side.bytes);
        side.latency = exchange ? line.alpha : line.alpha_uni;
        side.per_byte = exchange ? line.beta : line.beta_uni;
      } else if (action.sends()) {
        side.again = last_near != nullptr && same_slices(schedule, *last_near, action);
        side.stays = neighbours.stays(side.bytes, element_bytes_, crowded, machine_.node.reading);
        last_near = &action;
      }
      const int peer = sample_.place[action.peer];
      if (peer >= 0) {
        post(i, static_cast<std::size_t>(peer), side);
      } else {  // nothing is known of it: it is there
        action.sends() ? send_far(i, state.begin, side) : receive_far(i, state.begin, side);
        close(i, state.begin);
      }
    }
    finish(i);
  }

  static bool same_slices(const Schedule& schedule, const Action& a, const Action& b) {
    const auto x = schedule.slices_of(a), y = schedule.slices_of(b);
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
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

  void travel(std::size_t from, std::size_t to, std::size_t step, const Side& sent,
              const Side& received) {
    if (!is_near(sample_.ranks[from], sample_.ranks[to])) {
      if (mesh_) {
        if (travels_.size() <= step) travels_.resize(step + 1);
        travels_[step].push_back({topology_.node_of(sample_.ranks[from]),
                                  topology_.node_of(sample_.ranks[to]), sent.latency,
                                  sent.bytes * sent.per_byte});
      }
      send_far(from, step, sent);
      return receive_far(to, step, received);
    }
    const NodeRates& node = machine_.node;
    Cell& sender = cell(from, step);
    sender.sends_near = true;
    if (!sent.again || sent.bytes > Transport::most_sent)
      sender.moving += node.message + (sent.stays ? 0 : sent.bytes * node.byte);
    Cell& receiver = cell(to, step);
    receiver.receives_near = true;
    receiver.attaches = receiver.attaches || sent.stays;
    // What is combined is read by that, unless it stands in its sender's memory.
    const bool reads = sent.stays || !received.combines;
    const double copy = node.byte * (sent.stays ? node.reading : 1);
    receiver.moving += node.message + received.bytes * (reads ? copy : machine_.rates.gamma);
    if (!sent.stays)
      receiver.first_piece =
          std::max(receiver.first_piece, std::min(sent.bytes, Transport::piece) * node.byte);
    if (received.combines && reads) receiver.working += received.bytes * machine_.rates.gamma;
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

  double node_time(int node, std::size_t step) const {
    int active = 0, fresh = 0, out_cores = 0, in_cores = 0;
    double out = 0, in = 0, moving = 0, most_moving = 0, working = 0, most_working = 0;
    const auto each_cell = [&](auto&& look) {
      for (const Rank rank : topology_.ranks_of(node)) {
        const std::vector<Cell>& cells = states_[sample_.place[rank]].cells;
        if (step >= cells.size()) continue;
        look(cells[step], step == 0 || cells[step - 1].is_active());
      }
    };
    bool attaches = false;
    bool near = false;
    each_cell([&](const Cell& each, bool was_active) {
      active += each.is_active();
      fresh += each.is_active() && !was_active;
      out_cores += each.sends_far;
      in_cores += each.receives_far;
      out += each.out;
      in += each.in;
      working += each.working;
      most_working = std::max(most_working, each.working);
      if (!each.sends_near && !each.receives_near) return;
      near = true;
      moving += each.moving;
      attaches = attaches || each.attaches;
      // Who only sends, or only receives, waits for the work of the other side.
      const bool both = each.sends_near && each.receives_near;
      most_moving = std::max(most_moving,
                             each.moving + (both ? 0 : machine_.node.message + each.first_piece));
    });
    if (active == 0) return 0;
    const double out_factor = machine_.interface.factor(std::max(1, out_cores));
    const double in_factor = machine_.interface.factor(std::max(1, in_cores));
    double far = std::max(out / out_factor, in / in_factor);
    each_cell([&](const Cell& each, bool) {
      far = std::max({far, each.sending / std::min(1.0, out_factor) + each.out,
                      each.receiving / std::min(1.0, in_factor) + each.in});
    });
    const int cores = machine_.cores_for(topology_.size_of(node));
    const double latency = machine_.node.latency + (attaches ? machine_.node.attach : 0);
    const double inside = near ? latency + std::max(most_moving, moving / cores) : 0.0;
    const auto turns = [&](int ranks) { return (ranks + cores - 1) / cores; };
    const int switches =
        topology_.size_of(node) > cores ? std::max(turns(active) - 1, turns(fresh)) : 0;
    return std::max(far, inside) + std::max(most_working, working / cores) +
           machine_.node.switching * switches;
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
  std::vector<std::size_t> ready_;
  std::size_t count_ = 0;
};

double estimate_all(const Problem& problem, const Topology& topology, const Algorithm& algorithm,
                    const Parameters& parameters, const Machine& machine) {
  const std::optional<Mesh> mesh = machine.mesh_of(&topology);
  const Sample sample = sample_of(problem, topology, algorithm, parameters, mesh.has_value());
  const StepByStep steps(sample, topology, mesh, problem.element_bytes, machine);
  const double seconds = steps.seconds();
  if (static_cast<int>(sample.ranks.size()) == problem.p || algorithm.rounds.value == nullptr)
    return seconds;
  // Steps in which no rank of the sample has anything to do cost what the others do.
  const double n = static_cast<double>(problem.total() * problem.element_bytes);
  const int rounds =
      algorithm.rounds.value({problem.p, n, problem.root, problem.commutative, parameters});
  const auto count = static_cast<double>(std::max<std::size_t>(1, steps.count()));
  return seconds * std::max(1.0, rounds / count);
}

/// Into how many pieces the data are cut, and the parameter that says so, if one does.
struct Pieces {
  std::size_t number = 1;
  std::string blocks;
};
Pieces pieces_of(const Problem& problem, const Algorithm& algorithm, const Parameters& parameters) {
  for (const Parameter& parameter : algorithm.parameters) {
    const auto value = parameters.find(parameter.name);
    if (value == parameters.end()) continue;
    if (parameter.inner) {
      Pieces inner = pieces_of(parameter.inner->of(problem, parameters),
                               inner_algorithm(parameter.inner->collective, value->second),
                               inner_parameters(parameters));
      if (!inner.blocks.empty()) inner.blocks = std::string(parameter.name) + "." + inner.blocks;
      return inner;
    }
    if (parameter.pieces == nullptr) continue;
    if (parameter.kind == ParameterKind::blocks)
      return {value->second, std::string(parameter.name)};
    return {parameter.pieces(problem, value->second), {}};
  }
  return {};
}

}  // namespace

double estimate(const Problem& problem, const Algorithm& algorithm, const Parameters& parameters,
                const Machine& given_machine) {
  Machine machine = given_machine;
  if (algorithm.is_pipelined()) machine.rates.post = 0;
  const Topology one_node =
      problem.topology ? Topology::one_node(1) : Topology::one_node(problem.p);
  const Topology& topology = problem.topology ? *problem.topology : one_node;
  // Once a pipeline is filled every piece more takes as long.
  const Pieces pieces = pieces_of(problem, algorithm, parameters);
  const auto filled = 8 + static_cast<std::size_t>(
                              is_vector(problem.collective) ? topology.largest() : 2 * problem.p);
  // Circulant graphs do so in turns of ceil(lg p) rounds.
  const auto turn = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(problem.p - 1)));
  const std::size_t more = filled + (turn > 0 ? (7 + turn) / turn * turn : 8);
  if (pieces.number <= more) return estimate_all(problem, topology, algorithm, parameters, machine);
  const auto of_pieces = [&](std::size_t number, double& total) {
    const auto shorter = [&](std::size_t count) {
      return static_cast<std::size_t>(
          std::llround(static_cast<double>(count) * static_cast<double>(number) /
                       static_cast<double>(pieces.number)));
    };
    Problem part = problem;
    part.count = shorter(problem.count);
    for (std::size_t& count : part.counts) count = shorter(count);
    Parameters given = parameters;
    if (!pieces.blocks.empty()) given[pieces.blocks] = number;
    total = static_cast<double>(part.total());
    return estimate_all(part, topology, algorithm, given, machine);
  };
  double few = 0, many = 0;
  const double first = of_pieces(filled, few), second = of_pieces(more, many);
  if (many <= few) return first;  // of so few elements that both are the same
  return first + (second - first) / (many - few) * (static_cast<double>(problem.total()) - few);
}

}  // namespace tutti::core
