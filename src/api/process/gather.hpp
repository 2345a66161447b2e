#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "api/process/native.hpp"

namespace tutti::core {

/// What each rank of a communicator says, at its rank 0; nothing elsewhere. By the MPI's own calls,
/// which the library and the command find in their own ways.
inline std::vector<std::string> gather_texts(const std::string& mine, MPI_Comm comm,
                                             const Calls& calls) {
  int rank = 0, p = 1;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &p);
  const auto ranks = static_cast<std::size_t>(p);
  // In parts, since an MPI counts and places all of it in ints.
  const std::size_t most = (std::size_t{1} << 30) / ranks;
  const auto length = static_cast<unsigned long long>(mine.size());
  std::vector<unsigned long long> lengths(ranks);
  unsigned long long longest = 0;
  calls.gather(&length, 1, MPI_UNSIGNED_LONG_LONG, lengths.data(), 1, MPI_UNSIGNED_LONG_LONG, 0,
               comm);
  calls.allreduce(&length, &longest, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, comm);
  std::vector<std::string> texts(rank == 0 ? ranks : 0);
  for (std::size_t at = 0; at < longest; at += most) {
    const auto part = [&](unsigned long long size) {
      return static_cast<int>(size > at ? std::min<std::size_t>(most, size - at) : 0);
    };
    std::vector<int> counts(ranks), places(ranks);
    int total = 0;
    for (std::size_t i = 0; rank == 0 && i < ranks; ++i) {
      places[i] = total;
      total += counts[i] = part(lengths[i]);
    }
    std::string all(static_cast<std::size_t>(total), '\0');
    calls.gatherv(mine.data() + std::min(at, mine.size()), part(length), MPI_CHAR, all.data(),
                  counts.data(), places.data(), MPI_CHAR, 0, comm);
    for (std::size_t i = 0; i < texts.size(); ++i)
      texts[i].append(all, static_cast<std::size_t>(places[i]),
                      static_cast<std::size_t>(counts[i]));
  }
  return texts;
}

/// The same of the world, in the library.
std::vector<std::string> gather_texts(const std::string& mine);

}  // namespace tutti::core
