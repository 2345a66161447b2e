// A call's buffer as bytes, whatever datatypes it is made of.

#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace tutti::core {

/// A datatype as far as a call needs it.
struct TypeShape {
  std::size_t size = 0;
  MPI_Aint extent = 0, true_lower = 0, true_extent = 0;
  /// Elements lie in memory as they travel: without gaps, and in order.
  bool dense = false;
  /// One of MPI's own types: its handle means the same for ever.
  bool named = false;
  /// Committed: may be used in messages.
  bool usable = false;

  /// What takes long to find out about a type made by the program is kept as an attribute of it.
  static TypeShape of(MPI_Datatype type);
};

/// A buffer of a collective: its parts in order, as bytes one after the other. Where they stand so
/// in memory they are used there, else they are packed.
class PackedBuffer {
 public:
  void clear() {
    parts_.clear();
    bytes_ = 0;
    direct_ = nullptr;
    dense_ = readable_ = true;
  }
  /// `padded`: an element's bytes are those of its extent, its gaps with them. They may be read,
  /// but not written.
  void add(const void* base, MPI_Aint offset, std::size_t count, MPI_Datatype type,
           const TypeShape& shape, bool padded = false) {
    // MPI_BOTTOM is null: an address need not point into an object.
    char* const address = reinterpret_cast<char*>(reinterpret_cast<MPI_Aint>(base) + offset);
    const std::size_t size = padded ? static_cast<std::size_t>(shape.extent) : shape.size;
    const std::size_t bytes = size * count;
    if (bytes == 0) return;
    if (bytes_ == 0) direct_ = address;
    const bool follows = address == direct_ + bytes_;
    readable_ = readable_ && follows && (shape.dense || padded);
    if (dense_ && follows && shape.dense) {
      bytes_ += bytes;
      return;
    }
    // What stood dense up to here is one part of bytes.
    if (dense_ && bytes_ > 0) parts_.push_back({direct_, bytes_, MPI_BYTE, 1, 1, 1, false});
    dense_ = false;
    parts_.push_back({address, count, type, size, shape.size, shape.extent, padded});
    bytes_ += bytes;
  }
  std::size_t bytes() const { return bytes_; }
  /// Takes over the memory in which another one packs.
  void take_room(PackedBuffer& other) { room_ = std::move(other.room_); }
  void drop_room() { room_ = {}; }

  /// The bytes, for reading.
  const void* read(int& error) {
    if (readable_) return direct_;
    void* const memory = write();
    transfer(Direction::pack, bytes_, error);
    return memory;
  }
  /// Where to write the bytes; `finish` then puts them where they belong. `filled`: what is there
  /// already counts.
  void* write(bool filled, int& error) {
    void* const memory = write();
    if (!dense_ && filled) transfer(Direction::pack, bytes_, error);
    return memory;
  }
  /// The first `bytes` have their final value.
  void finish(std::size_t bytes, int& error) {
    if (!dense_) transfer(Direction::unpack, bytes, error);
  }

 private:
  struct Part {
    char* address;
    std::size_t count;
    MPI_Datatype type;
    std::size_t size;    // of an element among the bytes
    std::size_t packed;  // of an element without its gaps
    MPI_Aint extent;
    bool padded;
  };

  void* write() {
    if (dense_) return direct_;
    if (room_.size() < bytes_) room_.resize(bytes_);
    return room_.data();
  }
  enum class Direction { pack, unpack };
  /// Of the first `all` bytes, which end with a part.
  void transfer(Direction direction, std::size_t all, int& error);

  std::vector<Part> parts_;
  std::vector<char> room_;
  std::size_t bytes_ = 0;
  char* direct_ = nullptr;
  bool dense_ = true, readable_ = true;
};

}  // namespace tutti::core
