// The MPI's own collectives, also where this library stands in front of them.

#pragma once

#include <mpi.h>

/// MPI 4 has every collective a second time, with counts beyond an int.
#if MPI_VERSION >= 4
#define TUTTI_LARGE_COUNTS 1
#endif

namespace tutti::core {

/// The blocking collectives of one implementation.
struct Calls {
#define COUNT int
#define DISPL int
#define X(Name, name, parameters, arguments) int(*name) parameters = nullptr;
#include "api/process/collectives.def"
#undef X
#undef COUNT
#undef DISPL
};

/// The MPI's own, and their nonblocking forms. The preloaded library defines MPI_X and PMPI_X
/// itself, so there they are looked up behind it, and no call is entered twice; elsewhere they are
/// simply PMPI_X.
struct Native : Calls {
#define X(Name, name, parameters, arguments) decltype(&PMPI_I##name) i##name = nullptr;
#include "api/process/collectives.def"
#undef X
#ifdef TUTTI_LARGE_COUNTS
#define COUNT MPI_Count
#define DISPL MPI_Aint
#define X(Name, name, parameters, arguments) \
  int(*name##_c) parameters = nullptr;       \
  decltype(&PMPI_I##name##_c) i##name##_c = nullptr;
#define ONLY_WITH_COUNTS
#include "api/process/collectives.def"
#undef ONLY_WITH_COUNTS
#undef X
#undef COUNT
#undef DISPL
#endif
};

const Native& native();

}  // namespace tutti::core
