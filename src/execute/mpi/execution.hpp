#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "algorithms/registry.hpp"
#include "execute/program.hpp"
#include "reduce/mpi_reduction.hpp"

namespace tutti {

/// How elements lie in memory and in messages. Contiguous ones travel as bytes; others as `type`.
struct Elements {
  std::size_t size = 1;       // bytes in a message
  std::ptrdiff_t extent = 1;  // bytes from one to the next
  bool contiguous = true;
  std::ptrdiff_t lower = 0, span = 1;  // where an element's bytes begin and how far they reach

  /// Memory for `count` elements: its bytes, and where the first element stands in it.
  std::size_t bytes(std::size_t count) const {
    return count == 0 ? 0
                      : static_cast<std::size_t>(std::abs(last(count)) + std::max(span, extent));
  }
  std::ptrdiff_t first(std::size_t count) const {
    return count == 0 ? 0 : -(lower + std::min<std::ptrdiff_t>(0, last(count)));
  }
  bool operator==(const Elements&) const = default;

 private:
  std::ptrdiff_t last(std::size_t count) const {
    return static_cast<std::ptrdiff_t>(count - 1) * extent;
  }
};

/// How messages are cut: below the MPI's eager size, with several under way at a time.
struct Pieces {
  std::size_t bytes = 32 * 1024;
  std::size_t in_flight = 8;
};

/// What a plan is bound to when it starts. Nothing of it is kept: handles may be freed afterwards.
struct Binding {
  const void* input = nullptr;
  void* output = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int tag = 0;
  MPI_Datatype type = MPI_BYTE;  // of one element, if not contiguous
  Reduction* reduction = nullptr;
};

/// One rank's schedule on MPI point-to-point messages. Resumable: start, progress, done. After the
/// first run it allocates nothing.
class MpiExecution {
 public:
  MpiExecution(const Algorithm& algorithm, const Call& call, const Parameters& parameters,
               const Elements& elements, const Pieces& pieces);

  /// All return an MPI error code.
  int start(const Binding& binding);
  int progress();
  int wait();
  bool done() const { return done_; }
  /// The schedule learns counts on its way: it must be generated anew for every call.
  bool learns() const { return learns_; }

 private:
  struct Piece {
    std::uint32_t node;
    std::size_t from, count;  // elements
  };
  struct State {
    std::uint32_t before_post, before_work;
    std::size_t posted, arrived;  // elements
    bool combines_early;
  };

  void begin_stage(std::size_t first_round);
  int run_ready();
  int post(std::uint32_t node);
  int post_piece(std::uint32_t node);
  int work(std::uint32_t node);
  int combine(const Program::Node& node, std::size_t from, std::size_t count);
  void complete(std::uint32_t node);
  int arrived(std::size_t index);
  int next_stage();
  int copy(const char* from, char* to, std::size_t count);
  void bind_room();
  int drive(bool blocking);

  char* address(Buffer buffer, std::size_t element) const {
    return bases_[static_cast<int>(buffer)] + offset(element);
  }
  std::ptrdiff_t offset(std::size_t element) const {
    return static_cast<std::ptrdiff_t>(element) * elements_.extent;
  }
  char* address(const Slice& slice) const { return address(slice.buffer, slice.offset); }
  char* staging(const Program::Node& node) const { return bases_[3] + offset(node.staging); }

  std::unique_ptr<Generator> generator_;
  Elements elements_;
  Pieces cut_;
  Program program_;
  std::size_t rounds_done_ = 0;
  bool learns_ = false, done_ = true;

  Binding binding_;
  char* bases_[4] = {};
  std::vector<char> scratch_, staging_;
  std::vector<State> states_;
  std::vector<std::uint32_t> to_post_, to_work_;
  std::size_t open_nodes_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<Piece> pieces_;
  std::vector<int> indices_;
};

}  // namespace tutti
