// What is to be done when the MPI is finalized.

#pragma once

namespace tutti::core {

/// Does this when MPI_Finalize begins, while the MPI still works.
void at_finalize(void (*work)());

}  // namespace tutti::core
