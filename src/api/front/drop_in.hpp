// What drop-ins need of the library beyond tutti.h. They may be libraries of their own: wherever
// several are loaded, all find the same one behind these names, and there is one explanation.

#pragma once

#include <mpi.h>

#include <cstddef>

extern "C" {

/// To be called by every process of the world when the MPI has been initialized: settings are
/// compared, and the explanation is given at the end.
void tutti_begin();

/// Whether processes of other worlds may be in communicators from now on, spawned or connected: to
/// be called by who stands in front of all that brings them in. If nobody does they may.
void tutti_meets_others(int may_be);

/// Every communicator that the program frees is told of, before: to be called, when the MPI has
/// begun and before anything else, by who stands in front of all that frees them.
void tutti_tells_of_frees();
void tutti_lets_go(MPI_Comm comm);

/// The communicator of those ranks of another that name the same part, in the order of their
/// places; the other itself if that is so already. Collective. Returns null, or why there is none.
const char* tutti_part(MPI_Comm comm, int part, int place, MPI_Comm* made);
/// Frees one that was made so, and is not the other itself.
void tutti_free_part(MPI_Comm part);

/// Why Tutti leaves the calls of a collective (tutti::core::Collective) on a communicator to
/// others, on all its ranks alike; null: it does not. Collective when it is asked for the first
/// time.
const char* tutti_leaves(int collective, MPI_Comm comm);

/// A call that others do, as the explanation is to tell of it.
struct tutti_left {
  int collective;     ///< tutti::core::Collective
  int ranks;          ///< who take part; 0: not known
  int rank;           ///< the caller among them
  std::size_t bytes;  ///< known alike to all
  const char* why;
};
/// Notes such a call and makes it: `make(argument)`.
void tutti_leave(const tutti_left* left, void (*make)(void*), void* argument);

}  // extern "C"

/// The code that the MPI's initialization returned, after Tutti has begun, too.
inline int begun(int error) {
  if (error == MPI_SUCCESS) tutti_begin();
  return error;
}
