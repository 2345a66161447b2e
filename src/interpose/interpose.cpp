// The drop-in: MPI_X and PMPI_X of every blocking collective, in front of the MPI's own. C programs
// come through MPI_X; Fortran's interfaces of some MPIs through PMPI_X. What these do is in
// api/collectives.cpp.

#include <mpi.h>

#include "tutti/tutti.h"

extern "C" {

#define X(Name, name, parameters, arguments)                   \
  int MPI_##Name parameters { return tutti_##name arguments; } \
  int PMPI_##Name parameters { return tutti_##name arguments; }
#include "api/collectives.def"
#undef X

}  // extern "C"
