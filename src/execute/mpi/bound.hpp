// What a running schedule is bound to, and where its slices stand.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstring>

#include "execute/node/channels.hpp"
#include "execute/program.hpp"
#include "execute/recorder.hpp"
#include "reduce/mpi/reduction.hpp"

namespace tutti::core {

/// What a plan is bound to when it starts. Nothing of it is kept: handles may be freed afterwards.
struct Binding {
  const void* input = nullptr;
  void* output = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int tag = 0;
  const Reduction* reduction = nullptr;
  Channels* channels = nullptr;  // to the ranks of this node; null: the MPI takes theirs, too
  std::uint32_t call = 0;        // its number on the communicator, the same on all ranks
  Recorder* recorder = nullptr;  // where what is done is noted; null: nobody asks
  std::uint32_t recorded = 0;    // the call's number there
  bool blocks = false;           // nothing else is to go on meanwhile: start may wait
};

/// A call's binding and the program it runs: shared by all that carries it out.
struct Bound {
  explicit Bound(std::size_t element_bytes) : element(element_bytes) {}

  std::size_t bytes(std::size_t elements) const { return elements * element; }
  char* address(const Slice& slice) const {
    return bases[static_cast<int>(slice.buffer)] + bytes(slice.offset);
  }
  char* staging(const Program::Vertex& vertex) const { return bases[3] + bytes(vertex.staging); }
  /// Where a message stands in one piece: its staging, or its only slice.
  char* memory(const Program::Vertex& vertex) const {
    return vertex.staged ? staging(vertex) : address(program->slices[vertex.first]);
  }
  std::uint32_t number_of(const Program::Vertex& vertex) const {
    return static_cast<std::uint32_t>(&vertex - program->vertices.data());
  }

  int apply(Side side, const char* incoming, const char* other, char* result,
            std::size_t count) const {
    return side == Side::left ? binding.reduction->apply(incoming, other, result, count)
                              : binding.reduction->apply(other, incoming, result, count);
  }
  /// Combines what a message brought for `mine`, a place in its target.
  int apply(const Program::Vertex& vertex, const char* incoming, char* mine,
            std::size_t count) const {
    const char* other = mine;
    if (vertex.from_first != vertex.from_last)
      other = address(program->slices[vertex.from_first]) +
              (mine - address(program->slices[vertex.first]));
    return apply(vertex.side, incoming, other, mine, count);
  }

  /// Where elements [from, from + count) of a message stand here, piece by piece, until one fails:
  /// `work` gets the address and the number of elements, and returns an MPI error code.
  template <class Work>
  int walk(const Program::Vertex& vertex, std::size_t from, std::size_t count, Work&& work) const {
    for (std::uint32_t i = vertex.first; i < vertex.last && count > 0; ++i) {
      const Slice& slice = program->slices[i];
      if (from >= slice.count) {
        from -= slice.count;
        continue;
      }
      const std::size_t part = std::min(count, slice.count - from);
      if (const int error = work(address(slice) + bytes(from), part)) return error;
      count -= part;
      from = 0;
    }
    return MPI_SUCCESS;
  }
  /// Elements [from, from + count) of what a vertex sends.
  void gather(const Program::Vertex& vertex, std::size_t from, std::size_t count, char* to) const {
    walk(vertex, from, count, [&](const char* mine, std::size_t part) {
      std::memcpy(to, mine, bytes(part));
      to += bytes(part);
      return MPI_SUCCESS;
    });
  }

  const std::size_t element;  // bytes
  Binding binding;
  const Program* program = nullptr;
  char* bases[4] = {};  // input, output, scratch, staging
};

}  // namespace tutti::core
