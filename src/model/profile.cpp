// A profile: the names of its numbers, the machine that it tells of, and the usual one.

#include "model/profile.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace tutti::core {

namespace {

constexpr std::array<std::string_view, 13> uncertain{
    "alpha",  "beta",          "gamma", "alpha_uni", "beta_uni",  "latency", "message",
    "attach", "attach_copies", "copy",  "switch",    "interface", "post"};

}  // namespace

std::span<const std::string_view> gamma_names() { return std::span(work_names).subspan(1); }
std::span<const std::string_view> uncertainty_names() { return uncertain; }

double Profile::gamma_of(Work work) const {
  const auto found = gammas.find(name_of(work));
  return found != gammas.end() ? found->second : rates.gamma;
}

Machine Profile::machine_for(const Topology* topology, int cores, Work work) const {
  if (!node && topology != nullptr && topology->largest() > 1)
    throw std::invalid_argument(fmt::format(
        "profile {}: tells nothing of its nodes; add \"node\", or leave the topology out", name));
  Machine machine{rates, node.value_or(NodeRates{}), interface, steps, mesh};
  machine.rates.gamma = gamma_of(work);
  if (machine.node.cores == 0) machine.node.cores = cores;
  return machine;
}

const Profile& default_profile() {
  static const Profile profile = [] {
    for (const auto& [name, text_of_file] : shipped_profiles())
      if (name == "fabric-100g") return parse_profile(text_of_file, name);
    throw std::logic_error("profiles/fabric-100g.json was not there at build time; add it");
  }();
  return profile;
}

}  // namespace tutti::core
