// A machine with two levels: the rates that messages have on it.

#include "model/machine.hpp"

#include <algorithm>

namespace tutti::core {

double Interface::factor(int cores) const {
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const auto& [fewer, low] = curve[i - 1];
    const auto& [more, high] = curve[i];
    if (cores <= more)
      return low + (high - low) * std::max(0, cores - fewer) / static_cast<double>(more - fewer);
  }
  return curve.back().second;
}

std::optional<Mesh> Machine::mesh_of(const Topology* topology) const {
  if (!mesh || topology == nullptr || topology->nodes() < 3 || topology->nodes() > mesh->p() ||
      topology->p() > most_thorough)
    return std::nullopt;
  return topology->nodes() == mesh->p() ? *mesh : Mesh({topology->nodes()});
}

Rates Machine::rates_of(double bytes) const {
  Rates found = rates;
  for (const Step& step : steps) {
    if (static_cast<double>(step.from) > bytes) break;
    found.alpha = step.alpha;
    found.beta = step.beta;
    found.alpha_uni = step.alpha_uni;
    found.beta_uni = step.beta_uni;
  }
  return found;
}

int Machine::cores_for(int ranks) const {
  return node.cores > 0 ? std::min(ranks, node.cores) : ranks;
}

Rates Machine::rates_for(const Topology* topology) const {
  if (topology == nullptr || topology->nodes() > 1 || topology->p() == 1) return rates;
  const int p = topology->p(), cores = cores_for(p);
  const double alpha =
      node.latency + 2 * node.message + node.switching * ((p + cores - 1) / cores - 1);
  const double beta = node.byte * p / cores;
  return {.alpha = alpha, .beta = beta, .gamma = rates.gamma, .alpha_uni = alpha, .beta_uni = beta};
}

}  // namespace tutti::core
