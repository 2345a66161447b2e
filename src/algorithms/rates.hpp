#pragma once

namespace tutti::core {

/// The letters of the papers: seconds per message and seconds per byte. alpha and beta when a rank
/// sends and receives at once, alpha_uni and beta_uni when it does only one; gamma per byte
/// reduced.
struct Rates {
  double alpha = 0, beta = 0, gamma = 0, alpha_uni = 0, beta_uni = 0;
  /// Until a rank may post its next message while the last one is under way; 0: not before that one
  /// has arrived.
  double post = 0;

  bool operator==(const Rates&) const = default;
};

}  // namespace tutti::core
