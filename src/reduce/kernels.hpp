#pragma once

#include <cstddef>

namespace tutti::core {

/// The predefined reduction operators of MPI.
enum class Operator { sum, prod, max, min, land, lor, lxor, band, bor, bxor, maxloc, minloc };

/// What an element is. complexN is a pair of floatN; a logical is N bytes that hold zero for false
/// and one for true; the last eight are the pairs (value, index) of maxloc and minloc, laid out as
/// the C structs, of which the last two are Fortran's, whose index is a real too.
enum class Type {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  float80,
  complex32,
  complex64,
  complex80,
  logical1,
  logical2,
  logical4,
  logical8,
  byte,
  short_int,
  int_int,
  long_int,
  float_int,
  double_int,
  long_double_int,
  float_float,
  double_double,
};

/// Bytes from one element to the next, padding included.
std::size_t size_of(Type type);

/// Computes result[i] = left[i] op right[i]. The result may stand exactly where left or right does,
/// else it overlaps neither. Buffers need no alignment; padding inside elements is left alone.
using Kernel = void (*)(const void* left, const void* right, void* result, std::size_t count);

/// Which instructions a kernel may use.
enum class Level { baseline, avx2, avx512 };

/// The most that this machine offers.
Level best_level();

/// The kernel at the machine's best level; nullptr where MPI does not define the operator for the
/// type.
Kernel kernel_for(Operator op, Type type);

/// The same at a given level, which the machine must have.
Kernel kernel_for(Operator op, Type type, Level level);

}  // namespace tutti::core
