// Rates from a few messages, where nobody gave a profile.

#include "api/call/first_guess.hpp"

#include <algorithm>
#include <vector>

#include "api/call/describe.hpp"
#include "api/machine/across.hpp"
#include "api/machine/exchange.hpp"
#include "api/process/native.hpp"
#include "api/process/requests.hpp"
#include "api/process/settings.hpp"
#include "select/candidates.hpp"
#include "select/learning/learner.hpp"
#include "select/predict.hpp"

namespace tutti::core {

namespace {

constexpr int few = 8, many = 32 * 1024;  // bytes of a message
// What a line lets through at once, as one may that has been idle, must be little beside it.
constexpr int large = 128 * 1024;
constexpr int times = 5;             // of each kind; the first one does not count
constexpr int large_times = 3;       // the same
constexpr double slow_line = 0.002;  // seconds of a large message
constexpr int in_row = 8;            // messages, one behind the other
constexpr int tag = 1;

/// What `once` usually takes on this rank: of one call, or of all but the first.
template <class Once>
double usual(Once&& once, int calls = times) {
  std::vector<double> all = time_calls(
      calls, 1, [] {}, once);
  if (calls > 1) all.erase(all.begin());
  return Learner::usual(all);
}

/// Rates between the first rank and another, as the first one sees them; both call it. What is no
/// time at all leaves those that are known.
Rates measure_network(MPI_Comm comm, Rank rank, Rank other, Rates rates) {
  const Rank peer = rank == 0 ? other : 0;
  std::vector<char> out(large), in(large);
  const bool begins = rank == 0;
  const double least =
      usual([&] { there_and_back(comm, peer, begins, out.data(), in.data(), few, few); }) / 2;
  const auto exchanged = [&](int bytes, int calls) {
    return usual([&] { exchange(comm, {peer, peer}, out.data(), in.data(), bytes); }, calls);
  };
  const double small = exchanged(few, times);
  double both = exchanged(large, 1);
  // Of a line that is slow one more is enough: what else there is to a message is little beside it,
  // and it is as slow one way.
  int is_slow = both > slow_line;
  begins ? PMPI_Send(&is_slow, 1, MPI_INT, peer, tag, comm)
         : PMPI_Recv(&is_slow, 1, MPI_INT, peer, tag, comm, MPI_STATUS_IGNORE);
  both = exchanged(large, is_slow ? 1 : large_times);
  const auto both_ways = [&](int bytes) { return bytes == few ? small : both; };
  // One direction only, back comes a word: what rests while the other sends would catch up.
  const auto one_way = [&](int bytes) {
    if (bytes == few) return least;
    if (is_slow) return least + both - small;
    const double seconds =
        usual([&] { there_and_back(comm, peer, begins, out.data(), in.data(), bytes, few); },
              large_times);
    return std::max(0.0, seconds - least);
  };
  rates = measure_line(few, large, both_ways, one_way, rates);
  InARow<in_row> messages(comm, peer, begins);
  const double row = usual([&] {
    messages.begin();
    for (int i = 0; i < in_row; ++i) messages.post();
    messages.end();
    if (begins)
      PMPI_Recv(in.data(), few, MPI_BYTE, peer, tag, comm, MPI_STATUS_IGNORE);
    else
      PMPI_Send(out.data(), few, MPI_BYTE, peer, tag, comm);
  });
  // Whoever sends and receives at once is not faster than who does one of the two.
  rates.alpha = std::max(rates.alpha, rates.alpha_uni);
  rates.beta = std::max(rates.beta, rates.beta_uni);
  // Nor is it twice as slow.
  rates.alpha_uni = std::max(rates.alpha_uni, rates.alpha / 2);
  rates.beta_uni = std::max(rates.beta_uni, rates.beta / 2);
  if (least > 0 && row > 2 * least) rates.post = (row - 2 * least) / (in_row - 1);
  return rates;
}

/// What a small call of Tutti's takes, by the slowest rank; n: bytes of each rank's block.
double measure_call(CommunicatorState& state, int n, int request) {
  const auto p = static_cast<std::size_t>(state.p());
  std::vector<char> in(static_cast<std::size_t>(n)), out(p * in.size());
  Operation operation(state);
  operation.clear(Collective::allgather);
  describe_allgather(operation, in.data(), n, MPI_BYTE, out.data(), n, MPI_BYTE,
                     state.equipment().comm());
  double mine = usual([&] {
    if (!operation.takes_known_plan(request)) operation.plan(request, true);
    operation.run();
  });
  double longest = 0;
  native().allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, state.equipment().comm());
  return longest;
}

/// What such a call takes over what the model says. A disturbance is no property of the machine.
double measured_over_predicted(CommunicatorState& state, int n, const Profile& profile) {
  static const Request asked = parse_request("allgather/bruck");
  static const int request = request_number("allgather/bruck");
  Problem problem =
      Problem::even(Collective::allgather, state.p(),
                    static_cast<std::size_t>(n) * static_cast<std::size_t>(state.p()));
  problem.topology = state.site().topology;
  const Topology* const topology = state.site().topology.get();
  const Machine machine = profile.machine_for(topology, state.site().cores);
  const Parameters parameters =
      asked.algorithm->resolve(problem, machine.rates_for(topology), asked.parameters);
  const double took = measure_call(state, n, request);
  const double expected = predicted_seconds(problem, machine, *asked.algorithm, parameters);
  return took > 0 && expected > 0 ? std::clamp(took / expected, 0.1, 100.0) : 1.0;
}

/// What a message to another domain takes, as all ranks are told; 1 if none are known.
double across_of(CommunicatorState& state) {
  const Topology& topology = *state.site().topology;
  std::optional<std::array<Rank, 3>> ranks;
  for (int node = 0; topology.has_domains() && !ranks && node < topology.nodes(); ++node)
    ranks = across_domains(topology, node);
  if (!ranks) return 1;
  double across = measure_across(state.equipment().comm(), *ranks);
  native().bcast(&across, 1, MPI_DOUBLE, ranks->front(), state.equipment().comm());
  return across;
}

/// The node's rates in the proportions that are known, such that two calls take what they did.
NodeRates fit_node(CommunicatorState& state, Profile profile) {
  NodeRates& node = *profile.node;
  node.across = across_of(state);
  const double small = measured_over_predicted(state, few, profile);
  node.latency *= small;
  node.message *= small;
  node.switching *= small;
  const double large = measured_over_predicted(state, std::max(few, 2 * many / state.p()), profile);
  node.attach *= large;
  node.byte *= large;
  return node;
}

/// Two ranks may have been faster than all are at once: nodes that share cores, or lines.
Rates fit_network(CommunicatorState& state, const Profile& profile) {
  const double slower = std::max(1.0, measured_over_predicted(state, few, profile));
  Rates rates = profile.rates;
  rates.alpha *= slower;
  rates.alpha_uni *= slower;
  rates.post *= slower;
  return rates;
}

}  // namespace

std::shared_ptr<const Knowledge> first_guess(CommunicatorState& state,
                                             std::shared_ptr<const Knowledge> known) {
  const Topology& topology = *state.site().topology;
  const bool is_one_node = topology.nodes() == 1;
  const bool lacks = is_one_node ? known->lacks_nodes() : known->lacks_network();
  if (!lacks || (is_one_node && state.p() > most_thorough)) return known;
  // On nodes that are pretended there is nothing to find out.
  int wanted = settings().topology.empty();
  native().bcast(&wanted, 1, MPI_INT, 0, state.equipment().comm());
  if (!wanted) return known;
  Profile profile = known->profile;
  if (profile.node && topology.largest() > 1 && state.site().transport.is_off())
    profile.node->again = 1;
  if (is_one_node) {
    profile.node = fit_node(state, profile);
  } else {
    Rank other = 1;
    while (topology.node_of(other) == topology.node_of(0)) ++other;
    if (state.rank() == 0 || state.rank() == other)
      profile.rates = measure_network(state.equipment().comm(), state.rank(), other, profile.rates);
    if (profile.node && known->lacks_nodes()) profile.node->across = across_of(state);
    profile.rates = fit_network(state, profile);
  }
  if (profile.node) profile.node->reading = state.site().transport.reading;
  if (!is_learned(profile)) {
    profile.name = "first guess";
    profile.source = "a few messages in the first collective";
  }
  const bool knows_all = is_one_node ? !known->lacks_network() : !known->lacks_nodes();
  return give_rates(state.equipment().comm(), *known, profile,
                    knows_all     ? Knowledge::both
                    : is_one_node ? Knowledge::nodes
                                  : Knowledge::network);
}

}  // namespace tutti::core
