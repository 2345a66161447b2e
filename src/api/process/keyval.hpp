// Keys under which something hangs on communicators.

#pragma once

#include <mpi.h>

namespace tutti::core {

/// A key under which something hangs on communicators; `forget` is called when one of them is
/// freed.
inline int make_keyval(MPI_Comm_delete_attr_function* forget) {
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, nullptr);
  return key;
}

}  // namespace tutti::core
