#pragma once

#include <string>

namespace tutti::core::cli {

/// `tutti check --conflicts`: what the messages of algorithms do to each other on the links of a
/// mesh.
struct ConflictsOptions {
  std::string mesh, what;
  unsigned jobs = 1;
  bool json = false;
};

/// Prints a line for each algorithm. `status` becomes `findings` if there is a conflict.
void check_conflicts(const ConflictsOptions& options, int& status);

}  // namespace tutti::core::cli
