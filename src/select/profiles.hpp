#pragma once

#include <functional>
#include <optional>
#include <string>

#include "model/profile.hpp"

namespace tutti::core {

/// A profile as it was found, not read yet.
struct FoundProfile {
  std::string text;
  std::string origin;  // its file, or the name of a shipped one
  bool named = false;  // by TUTTI_PROFILE
};

/// The value of a variable; empty if there is none.
using Variables = std::function<std::string(const char* name)>;

/// Looks where TUTTI_PROFILE says (a shipped profile's name, a file, `none`); without it in the
/// user's configuration folder, then in the system's. Throws std::invalid_argument, with a line
/// that names the variable or the file, if what is named is not there or cannot be read.
std::optional<FoundProfile> find_profile(const Variables& variables,
                                         const std::filesystem::path& system = "/etc");

/// `home`/tutti, where `home` is what the variable says (XDG_CONFIG_HOME), or the folder in the
/// user's own; empty if there is neither.
std::filesystem::path folder_of(const Variables& variables, const char* variable,
                                const char* otherwise);

/// A profile for choosing: what it does not tell of nodes is as with any machine.
Profile with_nodes(Profile profile);

/// This machine's name; `unknown` if the system does not tell.
std::string host_name();

/// This machine and an MPI, as a profile would have it.
MeasuredOn here(std::string mpi);

/// Why what was measured there says nothing about what is here; empty if it does, or nominal.
std::string foreign(const Profile& profile, const MeasuredOn& here);

}  // namespace tutti::core
