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
#include "api/front/collectives.def"
#undef X
#undef COUNT
#undef DISPL
};

/// The MPI's own. The preloaded library defines MPI_X and PMPI_X itself, so there they are looked
/// up behind it; elsewhere they are simply PMPI_X.
struct Native : Calls {
  int (*ibarrier)(MPI_Comm comm, MPI_Request* request) = nullptr;
  decltype(&PMPI_Iallreduce) iallreduce = nullptr;
#ifdef TUTTI_LARGE_COUNTS
#define COUNT MPI_Count
#define DISPL MPI_Aint
#define X(Name, name, parameters, arguments) int(*name##_c) parameters = nullptr;
#define ONLY_WITH_COUNTS
#include "api/front/collectives.def"
#undef ONLY_WITH_COUNTS
#undef X
#undef COUNT
#undef DISPL
#endif
};

const Native& native();

}  // namespace tutti::core
