// A simulated machine of nodes whose network interface gives another bandwidth to another number
// of cores: bench/sim --platform multicore --interface. Each core is a host of its own.
//
// Between nodes a message crosses the link of its core, which is as fast as one core alone can be,
// the interface of its node, and the same at the other end. Within a node it takes the time of both
// cores, who copy.

#include <smpi/smpi.h>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace sim = simgrid::s4u;

struct Machine {
  int nodes, cores;
  double latency, interface_cost, node_latency, node_bandwidth;
  double message_cost, node_message_cost;  // to each end
  std::vector<double> bandwidth;           // of an interface that 1, 2, ... cores use
};

/// What bench/sim has to say.
Machine machine_of(const char* text) {
  if (text == nullptr) throw std::invalid_argument("TEST_BED_MULTICORE is not set: use bench/sim");
  std::istringstream words(text);
  Machine m;
  words >> m.nodes >> m.cores >> m.latency >> m.interface_cost >> m.node_latency >>
      m.node_bandwidth >> m.message_cost >> m.node_message_cost;
  for (double each; words >> each;) m.bandwidth.push_back(each);
  return m;
}

/// One direction of an interface, and of the cores behind it.
struct Direction {
  sim::Link* shared;
  std::vector<sim::Link*> cores;
};

Direction direction(sim::NetZone* node, const std::string& name, const Machine& m) {
  Direction made;
  for (int core = 0; core < m.cores; ++core)
    made.cores.push_back(
        node->create_link(name + "-" + std::to_string(core), m.bandwidth[0])->seal());
  // How many of the cores have a message under way is what counts, not how many messages they have.
  const auto total = [cores = made.cores, m](double, int) {
    const auto used = std::count_if(cores.begin(), cores.end(),
                                    [](const sim::Link* each) { return each->is_used(); });
    const auto last = static_cast<std::ptrdiff_t>(m.bandwidth.size());
    return m.bandwidth[std::clamp<std::ptrdiff_t>(used, 1, last) - 1];
  };
  made.shared = node->create_link(name, *std::max_element(m.bandwidth.begin(), m.bandwidth.end()))
                    ->set_latency(m.latency / 2)
                    ->set_sharing_policy(sim::Link::SharingPolicy::NONLINEAR, total)
                    ->seal();
  return made;
}

bool share_node(const sim::Host* one, const sim::Host* other) {
  return one->get_englobing_zone() == other->get_englobing_zone();
}

sim::LinkInRoute in_route(const sim::Link* link) { return sim::LinkInRoute(link); }

void add_node(sim::NetZone* all, int number, const Machine& m) {
  const std::string name = "node" + std::to_string(number);
  sim::NetZone* node = sim::create_full_zone(name)->set_parent(all);
  auto* router = node->create_router(name + "-router");
  const Direction out = direction(node, name + "-out", m), in = direction(node, name + "-in", m);
  std::vector<sim::Host*> hosts;
  std::vector<sim::Link*> copies;
  for (int core = 0; core < m.cores; ++core) {
    const std::string place = std::to_string(number * m.cores + core);
    hosts.push_back(node->create_host("n" + place, 1e9)->seal());
    copies.push_back(node->create_link("copy" + place, m.node_bandwidth)
                         ->set_latency(m.node_latency / 2)
                         ->seal());
    auto* point = hosts[core]->get_netpoint();
    node->add_route(point, router, nullptr, nullptr, {in_route(out.cores[core])}, false);
    node->add_route(router, point, nullptr, nullptr, {in_route(in.cores[core])}, false);
    for (int other = 0; other < core; ++other)
      node->add_route(hosts[other]->get_netpoint(), point, nullptr, nullptr,
                      {in_route(copies[other]), in_route(copies[core])}, true);
  }
  node->seal();
  all->add_route(node->get_netpoint(), nullptr, router, nullptr, {in_route(out.shared)}, false);
  all->add_route(nullptr, node->get_netpoint(), nullptr, router, {in_route(in.shared)}, false);
}

}  // namespace

extern "C" void load_platform(const sim::Engine&) {
  const Machine m = machine_of(std::getenv("TEST_BED_MULTICORE"));
  sim::NetZone* all = sim::create_star_zone("all");
  for (int node = 0; node < m.nodes; ++node) add_node(all, node, m);
  all->seal();
  // A message takes the interface as long as more bytes would: a flow of which only a part counts.
  const double extra = m.interface_cost * m.bandwidth[0];
  all->get_network_model()->set_bw_factor_cb(
      [extra](double bytes, const sim::Host* from, const sim::Host* to, const auto&, const auto&) {
        return share_node(from, to) || bytes == 0 ? 1.0 : bytes / (bytes + extra);
      });
  for (const auto each : {SmpiOperation::SEND, SmpiOperation::ISEND, SmpiOperation::RECV})
    smpi_register_op_cost_callback(each, [m](std::size_t, sim::Host* from, sim::Host* to) {
      return share_node(from, to) ? m.node_message_cost : m.message_cost;
    });
}
