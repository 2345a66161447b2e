#pragma once

#include <mpi.h>

#include <cstddef>

#include "reduce/kernels.hpp"
#include "schedule/work.hpp"

namespace tutti::core {

/// How the elements of a datatype are combined by an operator: with a kernel of our own, or through
/// `MPI_Reduce_local`. Operator and datatype must live as long as this is used.
///
/// Elements stand one after the other, as they do in memory if the datatype has no gaps; a
/// datatype with gaps is packed, unless a kernel knows it.
struct Reduction {
  /// nullptr where the MPI does it.
  Kernel kernel = nullptr;

  /// The result does not depend on the order in which elements are combined.
  bool exact = false;

  /// What it costs by.
  Work work = Work::user;

  /// As far as we know MPI does not define this predefined operator for the datatype. An MPI may
  /// abort on it in `MPI_Reduce_local` (MPICH does): its own collective must judge.
  bool undefined = false;

  /// Bytes of an element.
  std::size_t element = 0;

  /// result[i] = left[i] op right[i]. The result may stand exactly where left or right does, else
  /// it overlaps neither. At most as many elements as one buffer of the program has. Returns the
  /// MPI's error code.
  int apply(const void* left, const void* right, void* result, std::size_t count) const {
    if (kernel == nullptr) return through_mpi(left, right, result, count);
    kernel(left, right, result, count);
    return MPI_SUCCESS;
  }

 private:
  friend Reduction reduction_for(MPI_Op op, MPI_Datatype type, bool dense);

  int through_mpi(const void* left, const void* right, void* result, std::size_t count) const;
  int combine(const char* left, const char* right, char* result, int count) const;
  int combine_packed(const char* left, const char* right, char* result, int count) const;

  MPI_Op op_ = MPI_OP_NULL;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Aint extent_ = 0, true_lower_bound_ = 0, true_extent_ = 0;
  bool dense_ = false;
  int chunk_ = 1;  // elements that are moved at a time, so that little room is needed
};

/// `dense`: the datatype's elements lie in memory as they travel.
Reduction reduction_for(MPI_Op op, MPI_Datatype type, bool dense);

}  // namespace tutti::core
