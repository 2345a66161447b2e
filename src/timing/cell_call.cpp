// A cell's call: its buffers, and the MPI's or the library's function.

#include "timing/cell_call.hpp"

#include <tutti/tutti.h>

#include <cstring>
#include <stdexcept>

#include "api/process/tuning.hpp"
#include "timing/stopwatch.hpp"

namespace tutti::core {

const Calls& native_calls() {
  static const Calls table = [] {
    Calls calls;
#define X(Name, name, parameters, arguments) calls.name = PMPI_##Name;
#include "api/process/collectives.def"
#undef X
    return calls;
  }();
  return table;
}

const Calls& tutti_calls() {
  static const Calls table = [] {
    Calls calls;
#define X(Name, name, parameters, arguments) calls.name = tutti_##name;
#include "api/process/collectives.def"
#undef X
    return calls;
  }();
  return table;
}

namespace {

/// What the library says that a call would do.
thread_local std::string told;

/// Calls that are not made: the library tells which algorithm it takes for them.
const Calls& asking_calls() {
  static const Calls table = [] {
    Calls calls;
#define COUNT int
#define DISPL int
#define UNWRAP(...) __VA_ARGS__
#define X(Name, name, parameters, arguments)                             \
  calls.name = [] parameters {                                           \
    tutti_operation operation = nullptr;                                 \
    const int error = tutti_##name##_init(UNWRAP arguments, &operation); \
    if (error != MPI_SUCCESS) return error;                              \
    told = tutti_tune_algorithm(operation);                              \
    return tutti_free(&operation);                                       \
  };
#include "api/process/collectives.def"
#undef X
#undef UNWRAP
#undef COUNT
#undef DISPL
    return calls;
  }();
  return table;
}

/// Offsets of blocks that stand one after the other.
std::vector<int> offsets_of(const std::vector<int>& counts) {
  std::vector<int> offsets(counts.size());
  for (std::size_t i = 1; i < counts.size(); ++i) offsets[i] = offsets[i - 1] + counts[i - 1];
  return offsets;
}

/// Small whole numbers, so that sums are exact in any order.
template <class Number>
void fill_numbers(std::vector<char>& memory, int rank) {
  for (std::size_t i = 0; i < memory.size() / sizeof(Number); ++i) {
    const auto value = static_cast<Number>((i * 7 + static_cast<std::size_t>(rank) * 13) % 61);
    std::memcpy(memory.data() + i * sizeof value, &value, sizeof value);
  }
}

}  // namespace

CellCall::CellCall(MPI_Comm comm, const Cell& cell)
    : cell_(cell), problem_(cell.problem()), comm_(comm) {
  PMPI_Comm_rank(comm, &rank_);
  switch (cell.element) {
    case Element::usual: type_ = reduces(cell.collective) ? MPI_DOUBLE : MPI_BYTE; break;
    case Element::byte: type_ = MPI_BYTE; break;
    case Element::int32: type_ = MPI_INT; break;
    case Element::float32: type_ = MPI_FLOAT; break;
    case Element::float64: type_ = MPI_DOUBLE; break;
    case Element::strided:
      PMPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &type_);
      PMPI_Type_commit(&type_);
      derived_ = true;
      break;
  }
  extent_ = cell.element_bytes() * (derived_ ? 2 : 1);
  count_ = static_cast<int>(problem_.count);
  const int p = problem_.p;
  for (Rank i = 0; i < p && !problem_.counts.empty(); ++i) {
    const bool pairs = is_alltoall(cell.collective);
    counts_.push_back(static_cast<int>(pairs ? problem_.block(rank_, i) : problem_.block(i)));
    if (pairs) in_counts_.push_back(static_cast<int>(problem_.block(i, rank_)));
  }
  displs_ = offsets_of(counts_);
  in_displs_ = offsets_of(in_counts_);
  if (cell.collective == Collective::alltoallw) {
    types_.assign(p, type_);  // offsets are bytes there
    for (std::vector<int>* list : {&displs_, &in_displs_})
      for (int& each : *list) each *= static_cast<int>(extent_);
  }
  // Some MPIs refuse a null buffer even for nothing.
  in_.reserve(1);
  out_.reserve(1);
  in_.resize(bytes_of(problem_.input_count(rank_)));
  out_.resize(bytes_of(problem_.output_count(rank_)));
  fill();
}

CellCall::~CellCall() {
  if (derived_) PMPI_Type_free(&type_);
}

void CellCall::fill() {
  if (reduces(cell_.collective)) {
    if (type_ == MPI_INT)
      fill_numbers<int>(in_, rank_);
    else if (type_ == MPI_FLOAT)
      fill_numbers<float>(in_, rank_);
    else
      fill_numbers<double>(in_, rank_);
  } else {
    fill_numbers<char>(in_, rank_);
  }
  std::fill(out_.begin(), out_.end(), char(-1));
  if (cell_.collective == Collective::bcast && rank_ == cell_.root) fill_numbers<char>(out_, rank_);
}

void CellCall::refresh() {
  constexpr std::size_t cache_line = 64;
  const bool gives_output = cell_.collective == Collective::bcast && rank_ == cell_.root;
  std::vector<char>& given = gives_output ? out_ : in_;
  for (std::size_t i = 0; i < given.size(); i += cache_line) {
    volatile char& byte = given[i];
    byte = byte;
  }
}

std::string CellCall::chosen() {
  const int error = call(asking_calls());
  if (error != MPI_SUCCESS) throw std::runtime_error(error_text(error));
  return told;
}

std::vector<char> CellCall::result() const {
  if (cell_.collective == Collective::exscan && rank_ == 0) return {};
  if (cell_.collective == Collective::reduce && rank_ != cell_.root) return {};
  return out_;
}

int CellCall::call(const Calls& calls) {
  const void* const in = in_.data();
  void* const out = out_.data();
  const int root = cell_.root, mine = counts_.empty() ? count_ : counts_[rank_];
  const int* const counts = counts_.data();
  const int* const displs = displs_.data();
  switch (cell_.collective) {
    case Collective::barrier: return calls.barrier(comm_);
    case Collective::bcast: return calls.bcast(out, count_, type_, root, comm_);
    case Collective::scatter:
      return calls.scatter(in, count_, type_, out, count_, type_, root, comm_);
    case Collective::scatterv:
      return calls.scatterv(in, counts, displs, type_, out, mine, type_, root, comm_);
    case Collective::gather:
      return calls.gather(in, count_, type_, out, count_, type_, root, comm_);
    case Collective::gatherv:
      return calls.gatherv(in, mine, type_, out, counts, displs, type_, root, comm_);
    case Collective::allgather:
      return calls.allgather(in, count_, type_, out, count_, type_, comm_);
    case Collective::allgatherv:
      return calls.allgatherv(in, mine, type_, out, counts, displs, type_, comm_);
    case Collective::reduce: return calls.reduce(in, out, count_, type_, MPI_SUM, root, comm_);
    case Collective::allreduce: return calls.allreduce(in, out, count_, type_, MPI_SUM, comm_);
    case Collective::reduce_scatter:
      return calls.reduce_scatter(in, out, counts, type_, MPI_SUM, comm_);
    case Collective::reduce_scatter_block:
      return calls.reduce_scatter_block(in, out, count_, type_, MPI_SUM, comm_);
    case Collective::alltoall: return calls.alltoall(in, count_, type_, out, count_, type_, comm_);
    case Collective::alltoallv:
      return calls.alltoallv(in, counts, displs, type_, out, in_counts_.data(), in_displs_.data(),
                             type_, comm_);
    case Collective::alltoallw:
      return calls.alltoallw(in, counts, displs, types_.data(), out, in_counts_.data(),
                             in_displs_.data(), types_.data(), comm_);
    case Collective::scan: return calls.scan(in, out, count_, type_, MPI_SUM, comm_);
    case Collective::exscan: return calls.exscan(in, out, count_, type_, MPI_SUM, comm_);
  }
  return MPI_ERR_INTERN;
}

}  // namespace tutti::core
