// What is known of the datatypes and operators that were used last.

#pragma once

#include "api/call/packed_buffer.hpp"
#include "reduce/mpi/reduction.hpp"

namespace tutti::core {

/// Asking the MPI takes longer than a small call.
class KnownTypes {
 public:
  /// A datatype's shape. Those of MPI's own types are kept.
  TypeShape shape_of(MPI_Datatype type);
  /// How a datatype's elements are combined, likewise.
  const Reduction& reduction_of(MPI_Op op, MPI_Datatype type, const TypeShape& shape,
                                bool& commutes);

 private:
  struct KnownType {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    TypeShape shape;
  } types_[2];
  int next_type_ = 0;
  struct KnownReduction {
    MPI_Op op = MPI_OP_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    bool commutes = true;
    Reduction reduction;
  } reduction_;
};

/// What this thread's calls have asked, on whatever communicator.
KnownTypes& known_types();

}  // namespace tutti::core
