// Shapes and reductions of the last datatypes and operators.

#include "api/call/known_types.hpp"

namespace tutti::core {

KnownTypes& known_types() {
  thread_local KnownTypes known;
  return known;
}

TypeShape KnownTypes::shape_of(MPI_Datatype type) {
  for (const KnownType& known : types_)
    if (known.type == type) return known.shape;
  const TypeShape shape = TypeShape::of(type);
  // A program's own handle may mean another type tomorrow.
  if (shape.named) types_[next_type_ ^= 1] = {type, shape};
  return shape;
}

const Reduction& KnownTypes::reduction_of(MPI_Op op, MPI_Datatype type, const TypeShape& shape,
                                          bool& commutes) {
  if (reduction_.op != op || reduction_.type != type) {
    reduction_.reduction = reduction_for(op, type, shape.dense);
    int answer = 0;
    PMPI_Op_commutative(op, &answer);
    reduction_.commutes = answer != 0;
    // There is a kernel for MPI's own operators and types only.
    const bool lasts = reduction_.reduction.kernel != nullptr;
    reduction_.op = lasts ? op : MPI_OP_NULL;
    reduction_.type = type;
  }
  commutes = reduction_.commutes;
  return reduction_.reduction;
}

}  // namespace tutti::core
