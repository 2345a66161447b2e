// How a message goes between two ranks of a node: what the executor does and the model expects.
#pragma once

#include "schedule/schedule.hpp"

namespace tutti::core {

/// A message goes through memory that both share: its sender writes it, its receiver reads it, in
/// pieces, at the same time. A large one may stay in its sender's memory instead, for its receiver
/// to read it there with the kernel's help.
struct Transport {
  /// Messages up to here are written at once, for all who get the same.
  static constexpr double most_sent = 8192;
  static constexpr double piece = 32 * 1024;

  /// Against two copies, one on each side. `reading`: what to read a byte there takes, in copies.
  static bool is_cheap(double reading) { return reading <= 2; }
};

/// What a rank has to do for its neighbours in one round, large messages only.
class NeighbourRound {
 public:
  void add(Kind kind, int neighbour, double bytes) {
    if (bytes <= Transport::most_sent) return;
    receives_ = receives_ || kind == Kind::recv;  // what is combined is best read where both write
    if (kind != Kind::send) return;
    neighbours_ += neighbour != last_;
    last_ = neighbour;
  }

  /// Whether a message of the round stays in this rank's memory: worth it if the rank has more to
  /// do meanwhile, and if reading takes no more copies than it saves. Either it receives a large
  /// one, too; or it has large ones for several neighbours, who can read at the same time unless
  /// the node is `crowded`, more ranks than cores. What cannot be cut into pieces stays, too.
  bool stays(double bytes, double element_bytes, bool crowded, double reading) const {
    if (element_bytes > Transport::piece) return bytes > 0;
    constexpr double some = 64 * 1024, much = 128 * 1024, more = 1024 * 1024;
    if (receives_) return bytes > (crowded ? some : more) && Transport::is_cheap(reading);
    return neighbours_ > 1 && !crowded && bytes > much && reading <= neighbours_;
  }

 private:
  bool receives_ = false;
  int neighbours_ = 0, last_ = -1;
};

}  // namespace tutti::core
