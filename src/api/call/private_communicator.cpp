// Makes communicators that the program does not see, and counts them.

#include "api/call/private_communicator.hpp"

#include <atomic>
#include <limits>

#include "api/call/operation.hpp"
#include "api/process/native.hpp"
#include "api/process/settings.hpp"

namespace tutti::core {

namespace {

/// Those alive. An MPI has a few thousand communicators for everybody: the program must not run out
/// of them on our account.
std::atomic<std::size_t> alive{0};

/// While it lives the program's error handler does not see what fails.
class QuietErrors {
 public:
  explicit QuietErrors(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm, &handler_);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  ~QuietErrors() {
    PMPI_Comm_set_errhandler(comm_, handler_);
    PMPI_Errhandler_free(&handler_);
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

  /// The program's.
  MPI_Errhandler handler() const { return handler_; }

 private:
  MPI_Comm comm_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

/// The first rank's, for all. Never the same again.
std::int64_t next_number(MPI_Comm comm) {
  static std::atomic<std::int64_t> numbers{0};
  int rank = 0, world = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_rank(MPI_COMM_WORLD, &world);
  if (rank != 0) return std::numeric_limits<std::int64_t>::max();
  return (static_cast<std::int64_t>(world) << 32) + numbers.fetch_add(1);
}

/// What `make` makes of a communicator.
template <class Make>
MPI_Comm make_together(MPI_Comm comm, const Agreement& agreed, std::int64_t& number, Make&& make,
                       const char*& why) {
  if (!agreed.has_room) {
    why = "too many communicators (TUTTI_COMMUNICATORS)";
    return MPI_COMM_NULL;
  }
  const QuietErrors quiet(comm);
  MPI_Comm result = MPI_COMM_NULL;
  const bool made = make(&result) == MPI_SUCCESS && result != MPI_COMM_NULL;
  const long long mine[2] = {made, next_number(comm)};
  long long all[2] = {};
  native().allreduce(mine, all, 2, MPI_LONG_LONG, MPI_MIN, comm);
  if (all[0] == 0) {
    if (made) PMPI_Comm_free(&result);
    why = "the MPI has no communicator left";
    return MPI_COMM_NULL;
  }
  number = all[1];
  PMPI_Comm_set_errhandler(result, quiet.handler());
  alive.fetch_add(1, std::memory_order_relaxed);
  return result;
}

}  // namespace

Agreement agree(MPI_Comm comm, std::int64_t number, bool wants) {
  const QuietErrors quiet(comm);
  const bool room = alive.load(std::memory_order_relaxed) < settings().communicators;
  const long long mine[4] = {room, number, -number, wants};
  long long least[4] = {0, 0, 1, 0};  // what an error leaves
  native().allreduce(mine, least, 4, MPI_LONG_LONG, MPI_MIN, comm);
  return {least[0] != 0, least[1] == -least[2] ? least[1] : -1, least[3] != 0};
}

MPI_Comm make_private(MPI_Comm comm, const Agreement& agreed, std::int64_t& number,
                      const char*& why) {
  const auto make = [comm](MPI_Comm* result) {
    MPI_Group group;
    PMPI_Comm_group(comm, &group);
    const int error = PMPI_Comm_create(comm, group, result);
    PMPI_Group_free(&group);
    return error;
  };
  MPI_Comm result = make_together(comm, agreed, number, make, why);
  if (result != MPI_COMM_NULL) PMPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN);
  return result;
}

MPI_Comm make_part(MPI_Comm comm, int part, int place, const char*& why) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  meet(comm);
  const int mine[3] = {rank == place, part, -part};
  int least[3] = {};
  native().allreduce(mine, least, 3, MPI_INT, MPI_MIN, comm);
  if (least[0] != 0 && least[1] == -least[2]) return comm;
  std::int64_t number = -1;
  return make_together(
      comm, agree(comm), number,
      [=](MPI_Comm* result) { return PMPI_Comm_split(comm, part, place, result); }, why);
}

void free_private(MPI_Comm made) {
  PMPI_Comm_free(&made);
  alive.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace tutti::core
