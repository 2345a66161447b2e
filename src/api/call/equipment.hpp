// What the ranks of a communicator need to run algorithms.

#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/call/planning.hpp"
#include "api/machine/knowledge.hpp"
#include "api/machine/node_memory.hpp"
#include "api/machine/world.hpp"
#include "api/process/settings.hpp"
#include "select/young.hpp"

namespace tutti::core {

/// Where the ranks of a communicator live, and how those of this node reach each other.
struct Site {
  /// Finds out where they live. All ranks call it, with what the world says of them.
  static Site of(MPI_Comm comm, Rank rank, const std::vector<int>& in_the_world);
  /// To the ranks of this node, for blocking calls; null: the MPI takes their messages, too.
  Channels* channels() const { return memory ? &memory->channels() : nullptr; }

  NodeRanks here;                            // those of this one's node
  std::shared_ptr<const Topology> topology;  // null for one rank
  int cores = 0;                             // that its ranks of a node share; 0: one for each
  bool is_crowded = false;                   // this node has more ranks than cores
  NodeTransport transport;
  std::unique_ptr<NodeMemory> memory;  // null: there is none to share
};

/// What the ranks of a communicator need to run algorithms: a private communicator over the same
/// group, their site, what is known of the machine, and plans. When the communicator is freed it is
/// kept for the next one of the same ranks, with all that was learned.
class Equipment {
 public:
  /// All ranks of a communicator come here: one that was kept, or a new one. Null, and why, if
  /// there can be none.
  static std::unique_ptr<Equipment> for_ranks_of(MPI_Comm comm, int p, Rank rank, const char*& why);
  /// Nobody uses it any more.
  static void keep(std::unique_ptr<Equipment> equipment);
  /// How its communicator has it.
  struct Keeps {
    void operator()(Equipment* equipment) const { keep(std::unique_ptr<Equipment>(equipment)); }
  };

  ~Equipment();
  Equipment(const Equipment&) = delete;
  Equipment& operator=(const Equipment&) = delete;

  /// Nobody has used it yet: what it knows of the machine may be little.
  bool is_new() const { return is_new_; }
  void know(std::shared_ptr<const Knowledge> knowledge) {
    knowledge_ = std::move(knowledge);
    is_new_ = false;
  }
  const std::shared_ptr<const Knowledge>& knowledge() const { return knowledge_; }

  MPI_Comm comm() const { return private_; }
  int next_tag() { return tag_ = tag_ == last_tag_ ? 0 : tag_ + 1; }
  const Site& site() const { return site_; }
  Planning& planning() { return planning_; }
  YoungKinds& young_kinds() { return young_kinds_; }
  /// What all its ranks know it by.
  std::int64_t number() const { return number_; }
  /// All its ranks agreed that the state which has it is to be at hand.
  bool is_for_hand() const { return is_for_hand_; }
  /// What failed may still be sent to.
  bool has_failed() const { return site_.channels() != nullptr && site_.channels()->has_failed(); }

 private:
  Equipment();
  /// What a list of ranks of the world is known again by: the list is long. Those who have kept the
  /// same for it agree on that.
  using Print = std::array<std::uint64_t, 2>;
  static Print print_of(const std::vector<int>& ranks);
  /// Of those of these ranks that are kept the one that was made first; null: none is.
  static std::unique_ptr<Equipment> take_kept(const Print& ranks);
  void find_site(Rank rank, const std::vector<int>& in_the_world);

  std::optional<Print> ranks_;  // of the world; none: some are not of it, and it is not kept
  std::int64_t number_ = -1;
  MPI_Comm private_ = MPI_COMM_NULL;
  int tag_ = 0, last_tag_ = 0;
  bool is_new_ = true, is_for_hand_ = false;
  Site site_;
  std::shared_ptr<const Knowledge> knowledge_;  // of the machine; null for one rank
  Planning planning_{*this};
  YoungKinds young_kinds_{settings().young};
};

}  // namespace tutti::core
