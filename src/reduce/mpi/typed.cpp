// Elements of a datatype are copied through a packed buffer.

#include "reduce/mpi/typed.hpp"

#include <algorithm>
#include <vector>

namespace tutti::core {

MPI_Comm quiet_self() {
  static const MPI_Comm made = [] {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_group(MPI_COMM_SELF, &group);
    PMPI_Comm_create(MPI_COMM_SELF, group, &comm);
    PMPI_Group_free(&group);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
  }();
  return made;
}

int copy_typed(const void* from, void* to, std::size_t count, MPI_Datatype type, std::size_t size,
               std::ptrdiff_t extent) {
  // Not by a message to oneself: another thread's could take it.
  constexpr std::size_t room = 64 * 1024;
  thread_local std::vector<char> packed;
  const std::size_t most = std::max<std::size_t>(1, room / std::max<std::size_t>(1, size));
  if (packed.size() < std::min(count, most) * size) packed.resize(std::min(count, most) * size);
  for (std::size_t done = 0; done < count && size > 0; done += most) {
    const int now = static_cast<int>(std::min(most, count - done));
    const auto at = static_cast<std::ptrdiff_t>(done) * extent;
    const int bytes = now * static_cast<int>(size);
    int position = 0, taken = 0;
    if (const int error = PMPI_Pack(static_cast<const char*>(from) + at, now, type, packed.data(),
                                    bytes, &position, quiet_self()))
      return error;
    if (const int error = PMPI_Unpack(packed.data(), bytes, &taken, static_cast<char*>(to) + at,
                                      now, type, quiet_self()))
      return error;
  }
  return MPI_SUCCESS;
}

}  // namespace tutti::core
