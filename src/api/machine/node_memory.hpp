// Memory that the ranks of a node share.

#pragma once

#include <mpi.h>

#include <memory>
#include <string_view>
#include <vector>

#include "execute/node/channels.hpp"
#include "execute/node/node_ranks.hpp"

namespace tutti::core {

/// How messages within a node travel, on all ranks alike.
struct NodeTransport {
  const char* way = "off";  // shared, attach, copy or off, as TUTTI_NODE says them
  const char* why = "";     // why it is not shared
  bool sleeps = false;      // on some node ranks outnumber cores: who waits sleeps
  double reading = 1;       // what to read 64 KB in another's memory takes, in copies

  /// The MPI takes each message.
  bool is_off() const { return std::string_view(way) == "off"; }
};

/// Memory that the ranks of a node share, and the channels in it. It has no name anywhere: it is
/// gone when the last of them is, however that ends.
class NodeMemory {
 public:
  /// All ranks of the communicator call it. Null on all alike if one of them cannot share memory
  /// with its neighbours, or if there are none. A fallback that nobody asked for is told once.
  /// `here`: the ranks of this one's node. `crowded`: that node has more ranks than cores.
  static std::unique_ptr<NodeMemory> share(MPI_Comm comm, const NodeRanks& here, bool crowded,
                                           Rank rank, NodeTransport& transport);

  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  Channels& channels() { return *channels_; }

 private:
  NodeMemory() = default;

  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::unique_ptr<Channels> channels_;
};

}  // namespace tutti::core
