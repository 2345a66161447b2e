#pragma once

#include <mpi.h>

namespace tutti {

/// The MPI's own collectives. The preloaded library defines MPI_X and PMPI_X itself, so there they
/// are looked up behind it; elsewhere they are simply PMPI_X.
struct Native {
#define X(Name, name, parameters, arguments) int(*name) parameters = nullptr;
#include "api/collectives.def"
#undef X
};

const Native& native();

}  // namespace tutti
