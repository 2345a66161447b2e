#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/decisions.hpp"
#include "model/machine.hpp"
#include "schedule/work.hpp"

namespace tutti::core {

/// Where a profile was measured. It says nothing about another MPI or processor.
struct MeasuredOn {
  std::string mpi;        // `Open MPI 4.1.4`
  std::string processor;  // as the system names it
  int cores = 0;          // of a node

  bool operator==(const MeasuredOn&) const = default;
};

/// A machine: its rates and where they come from.
struct Profile {
  std::string name;
  std::string source;
  Rates rates;
  std::optional<NodeRates> node{};  // none: nothing is known of what ranks of a node do
  Interface interface {};
  std::vector<Step> steps{};                            // none: rates are for all sizes
  std::optional<Mesh> mesh{};                           // of the nodes; none: as good as a switch
  std::map<std::string, double, std::less<>> gammas{};  // seconds per byte, by gamma_names
  std::size_t piece = 0;  // bytes into which messages between nodes are best cut; 0: not known
  /// Half of what holds a number in 95 of 100 cases, as a share of it, by uncertainty_names.
  std::map<std::string, double, std::less<>> uncertainty{};
  std::optional<MeasuredOn> measured_on{};  // none: nominal, for any machine
  Decisions decisions{};

  /// For ranks that live so (null: each on a node of its own) and combine so. `cores`: how many the
  /// ranks of a node share, if the profile does not tell; 0: one for each. Throws
  /// std::invalid_argument, with the remedy, if ranks share nodes of which nothing is known.
  Machine machine_for(const Topology* topology = nullptr, int cores = 0,
                      Work work = Work::sum_double) const;
  /// Seconds per byte; that of sums of doubles where no other is known.
  double gamma_of(Work work) const;
};

/// Reads a profile:
///
///     {
///       "name": "gigabit-ethernet",
///       "source": "where the numbers come from",
///       "alpha_us": 50, "beta_ns_per_byte": 8.5,
///       "alpha_uni_us": 45, "beta_uni_ns_per_byte": 8.5,
///       "gamma_ns_per_byte": 0.25,
///       "node": {
///         "latency_us": 0.15, "message_us": 0.12, "attach_us": 3, "copy_ns_per_byte": 0.1,
///         "switch_us": 2.5, "attach_copies": 1.5, "across": 2, "again": 0, "cores": 0
///       },
///       "interface": {"1": 1, "2": 1.9, "4": 3.2, "8": 4},
///       "steps": [
///         {"from": 0, "alpha_us": 45, "beta_ns_per_byte": 9, "alpha_uni_us": 40,
///         "beta_uni_ns_per_byte": 9},
///         {"from": 65536, "alpha_us": 140, "beta_ns_per_byte": 8.5, "alpha_uni_us": 130,
///         "beta_uni_ns_per_byte": 8.5}
///       ],
///       "mesh": "torus:4x4x4",
///       "gammas": {"sum_float": 0.25, "user": 1.2},
///       "post_us": 1.5, "piece_bytes": 32768,
///       "uncertainty_percent": {"alpha": 3, "beta": 1},
///       "measured_on": {"mpi": "Open MPI 4.1.4", "processor": "...", "cores": 2},
///       "decisions": [
///         {"collective": "allreduce", "topology": "4x2", "choices": [
///           {"from": 0, "algorithm": "leader:inner=recursive_doubling", "us": 31, "measured":
///           true},
///           {"from": 65536, "algorithm": "native", "us": 420, "measured": false}
///         ]}
///       ]
///     }
///
/// From `node` on a field may be left out; every other is required and no other is known.
/// `node` holds what NodeRates does, `attach_copies`, 1 if left out, its `reading`; `across`, too,
/// is 1 if left out, and `again` 0; 0 cores: the file does not tell, as many as the caller has.
/// `interface` is the bandwidth that so many cores of a node get together, in terms of one, which
/// is 1; linear in between, constant beyond; left out it is 1 for any number. `steps` are the
/// network's rates by the size of a message, the first from 0 on; alpha and beta above are one line
/// through all sizes. `mesh` says how the nodes are joined, node by node in the order of their
/// first ranks: 16x32, torus:4x4x4; messages that need the same link share its beta. `gammas` are
/// nanoseconds per byte of further operators and types; gamma above is that of sums of doubles.
/// Throws std::invalid_argument with a line that names file, field and remedy.
Profile read_profile(const std::filesystem::path& path);

/// The same from text; `origin` stands for the file in messages.
Profile parse_profile(std::string_view text, std::string_view origin);

/// What parse_profile reads back, laid out for people.
std::string format_profile(const Profile& profile);

/// What `gammas` may hold: an operator's and a type's class, or `user`, an operator of the
/// program's own.
std::span<const std::string_view> gamma_names();
/// What `uncertainty_percent` may hold: the fields without their units.
std::span<const std::string_view> uncertainty_names();

/// The profiles that come with the library: name and JSON text.
const std::vector<std::pair<std::string, std::string_view>>& shipped_profiles();

/// What predictions use when nobody names a machine: the shipped fabric-100g.
const Profile& default_profile();

}  // namespace tutti::core
