// What is known of the machine: a profile that all ranks of a communicator have.

#pragma once

#include <mpi.h>

#include <memory>

#include "model/profile.hpp"
#include "select/kept_choices.hpp"
#include "select/learning/store.hpp"

namespace tutti::core {

/// What is known of the machine: a profile, the same on all ranks of a communicator.
struct Knowledge {
  Profile profile;     // of its nodes, too
  std::string text;    // what it was read from, and others may read; empty: it was not read
  std::string origin;  // a file or a shipped profile's name; else one of the following
  std::size_t digest = 0;
  /// What the model took under it, for all communicators of this process.
  std::shared_ptr<KeptChoices> choices = std::make_shared<KeptChoices>();

  /// Nobody gave a profile: the default's rates stand where none were found out yet.
  static constexpr std::string_view nothing = "nothing", network = "network", nodes = "nodes",
                                    both = "network and nodes";
  /// What an earlier run stored may lack one of them, too.
  bool lacks_network() const {
    return origin == nothing || origin == nodes ||
           (is_learned(profile) && has_default_network(profile));
  }
  bool lacks_nodes() const {
    return origin == nothing || origin == network ||
           (is_learned(profile) && has_default_nodes(profile));
  }
};

/// All ranks of a communicator get what its first rank knows; if that knows nothing yet, it looks
/// for a profile. So a file is read by one rank, and nobody acts on another. A profile that is
/// damaged, or named and foreign, ends the program with a line that says so.
std::shared_ptr<const Knowledge> share_knowledge(MPI_Comm comm);

/// All ranks of a communicator, which know the same, get the rates that the first one has found out
/// beside it; what they found out themselves is forgotten.
std::shared_ptr<const Knowledge> give_rates(MPI_Comm comm, const Knowledge& known, Profile profile,
                                            std::string_view origin);

/// What this process uses where it is the first rank; the default profile if it has none yet.
Profile known_profile();

}  // namespace tutti::core
