// The MPI's name and version.

#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <string>

namespace tutti::core {

/// `Open MPI 4.1.4`, `MPICH 4.0.2`, `SMPI Version 3.32`
inline std::string mpi_name() {
#if defined(TUTTI_SIMULATED)
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(text, &length);
  const std::string line(text);  // `SMPI Version 3.32. Copyright ...`
  return line.substr(0, line.find(". "));
#elif defined(OPEN_MPI)
  return fmt::format("Open MPI {}.{}.{}", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION,
                     OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
  return "MPICH " MPICH_VERSION;
#else
  return "unknown MPI";
#endif
}

}  // namespace tutti::core
