// What a rank does by itself: copies, and combines.
#pragma once

#include "execute/mpi/notes.hpp"

namespace tutti::core {

class LocalWork {
 public:
  LocalWork(const Bound& bound, const Notes& notes) : bound_(bound), notes_(notes) {}

  /// Copies, or combines what is here.
  int local(std::uint32_t number) const {
    const Program::Vertex& vertex = bound_.program->vertices[number];
    std::uint32_t f = vertex.from_first, t = vertex.first;
    std::size_t used_f = 0, used_t = 0;
    while (t < vertex.last) {
      const Slice &from = bound_.program->slices[f], &to = bound_.program->slices[t];
      const std::size_t count = std::min(from.count - used_f, to.count - used_t);
      const char* source = bound_.address(from) + bound_.bytes(used_f);
      char* target = bound_.address(to) + bound_.bytes(used_t);
      if (vertex.kind == Kind::copy) {
        std::memcpy(target, source, bound_.bytes(count));
      } else if (const int error = bound_.apply(vertex.side, source, target, target, count)) {
        return error;
      }
      if ((used_f += count) == from.count) ++f, used_f = 0;
      if ((used_t += count) == to.count) ++t, used_t = 0;
    }
    return MPI_SUCCESS;
  }

  /// Combines elements that came, with what is here. The target may be several slices; the incoming
  /// elements stand one after the other.
  int combine(const Program::Vertex& vertex, std::size_t from, std::size_t count) const {
    const char* incoming = bound_.staging(vertex) + bound_.bytes(from);
    return notes_.during(bound_.number_of(vertex), count, [&] {
      return bound_.walk(vertex, from, count, [&](char* mine, std::size_t part) {
        const int error = bound_.apply(vertex, incoming, mine, part);
        incoming += bound_.bytes(part);
        return error;
      });
    });
  }

  /// Does what remains when all has come: local actions, and what staged messages leave to do.
  int finish(std::uint32_t number, bool is_combined) const {
    const Program::Vertex& vertex = bound_.program->vertices[number];
    if (vertex.kind == Kind::copy || vertex.kind == Kind::reduce)
      return notes_.during(number, vertex.count, [&] { return local(number); });
    if (vertex.kind == Kind::recv_reduce && !is_combined) return combine(vertex, 0, vertex.count);
    if (vertex.kind != Kind::recv || !vertex.staged) return MPI_SUCCESS;
    const char* from = bound_.staging(vertex);
    return notes_.during(number, vertex.count, [&] {
      return bound_.walk(vertex, 0, vertex.count, [&](char* mine, std::size_t part) {
        std::memcpy(mine, from, bound_.bytes(part));
        from += bound_.bytes(part);
        return MPI_SUCCESS;
      });
    });
  }

 private:
  const Bound& bound_;
  const Notes& notes_;
};

}  // namespace tutti::core
