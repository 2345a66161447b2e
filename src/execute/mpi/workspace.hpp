// Memory that plans work in.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>

namespace tutti::core {

/// Memory that plans work in; those that never run at the same time may share it. Not initialised:
/// what nobody touches costs nothing.
class Workspace {
 public:
  enum Use { scratch, staging, bounce };
  char* at(Use use) const { return rooms_[use].memory.get(); }
  /// At least so many bytes; the first `kept` stay as they are.
  void need(Use use, std::size_t bytes, std::size_t kept = 0) {
    Room& room = rooms_[use];
    if (bytes <= room.bytes) return;
    auto memory = std::make_unique_for_overwrite<char[]>(bytes);
    if (kept > 0) std::memcpy(memory.get(), room.memory.get(), kept);
    room = {std::move(memory), bytes};
  }
  std::size_t bytes() const { return rooms_[0].bytes + rooms_[1].bytes + rooms_[2].bytes; }

 private:
  struct Room {
    std::unique_ptr<char[]> memory;
    std::size_t bytes = 0;
  } rooms_[3];
};

}  // namespace tutti::core
