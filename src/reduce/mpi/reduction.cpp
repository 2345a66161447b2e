// Which kernel an MPI's operator and datatype mean, or that only the MPI knows.

#include "reduce/mpi/reduction.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reduce/mpi/typed.hpp"

namespace tutti::core {
namespace {

std::optional<Operator> operator_of(MPI_Op op) {
  static const std::unordered_map<MPI_Op, Operator> known{
      {MPI_SUM, Operator::sum},   {MPI_PROD, Operator::prod},     {MPI_MAX, Operator::max},
      {MPI_MIN, Operator::min},   {MPI_LAND, Operator::land},     {MPI_LOR, Operator::lor},
      {MPI_LXOR, Operator::lxor}, {MPI_BAND, Operator::band},     {MPI_BOR, Operator::bor},
      {MPI_BXOR, Operator::bxor}, {MPI_MAXLOC, Operator::maxloc}, {MPI_MINLOC, Operator::minloc}};
  const auto found = known.find(op);
  if (found == known.end()) return std::nullopt;
  return found->second;
}

/// The predefined datatypes of MPI, each as the candidate that is as long.
class KnownTypes {
 public:
  KnownTypes() {
    using enum Type;
    const auto integers = {int8, int16, int32, int64};
    // MPI_CHAR, MPI_WCHAR and MPI_CHARACTER are text, for which MPI defines no operator.
    add({MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_INT8_T, MPI_INT16_T,
         MPI_INT32_T, MPI_INT64_T, MPI_AINT, MPI_OFFSET, MPI_COUNT},
        integers);
    add({MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
         MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T},
        {uint8, uint16, uint32, uint64});
    add({MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8}, integers, true);
    // Fortran's 16-byte reals have another format than C's long double: they are left out.
    add({MPI_FLOAT, MPI_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8},
        {float32, float64});
    add({MPI_LONG_DOUBLE}, {float80});
    add({MPI_C_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX,
         MPI_COMPLEX8, MPI_COMPLEX16},
        {complex32, complex64});
    add({MPI_C_LONG_DOUBLE_COMPLEX}, {complex80});
    add({MPI_C_BOOL, MPI_LOGICAL}, {logical1, logical2, logical4, logical8});
    add({MPI_BYTE}, {byte});
    add({MPI_SHORT_INT}, {short_int});
    add({MPI_2INT, MPI_2INTEGER}, {int_int});
    add({MPI_LONG_INT}, {long_int});
    add({MPI_FLOAT_INT}, {float_int});
    add({MPI_DOUBLE_INT}, {double_int});
    add({MPI_LONG_DOUBLE_INT}, {long_double_int});
    add({MPI_2REAL, MPI_2DOUBLE_PRECISION}, {float_float, double_double});
#ifdef MPI_CXX_BOOL
    add({MPI_CXX_BOOL}, {logical1});
#endif
#if defined MPI_CXX_BOOL && !defined SMPI_H  // SimGrid's header misspells them
    add({MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX}, {complex32, complex64});
    add({MPI_CXX_LONG_DOUBLE_COMPLEX}, {complex80});
#endif
#ifdef MPI_LOGICAL1
    add({MPI_LOGICAL1, MPI_LOGICAL2, MPI_LOGICAL4, MPI_LOGICAL8},
        {logical1, logical2, logical4, logical8});
#endif
  }

  Kernel kernel(Operator op, MPI_Datatype type) const {
    const auto found = known_.find(type);
    if (found == known_.end()) return nullptr;
    const bool logical = op == Operator::land || op == Operator::lor || op == Operator::lxor;
    if (logical && found->second.fortran_integer) return nullptr;
    return kernel_for(op, found->second.type);
  }

  /// Integers, logicals and bytes, of one that is known.
  bool is_exact(MPI_Datatype type) const {
    using enum Type;
    const Type known = known_.at(type).type;
    return known < float32 || (known >= logical1 && known <= long_int);
  }

  /// Of one that is known.
  Work work(Operator op, MPI_Datatype type) const {
    using enum Type;
    const Type known = known_.at(type).type;
    const bool is_complex = known >= complex32 && known <= complex80;
    const bool is_float = known == float32 || known == float_int || known == float_float;
    switch (op) {
      case Operator::sum:
        return is_complex       ? Work::sum_complex
               : is_exact(type) ? Work::sum_integer
               : is_float       ? Work::sum_float
                                : Work::sum_double;
      case Operator::prod:
        return is_complex       ? Work::product_complex
               : is_exact(type) ? Work::product_integer
               : is_float       ? Work::product_float
                                : Work::product_double;
      case Operator::max:
      case Operator::min:
      case Operator::maxloc:
      case Operator::minloc:
        return is_exact(type) ? Work::extreme_integer
               : is_float     ? Work::extreme_float
                              : Work::extreme_double;
      case Operator::land:
      case Operator::lor:
      case Operator::lxor: return Work::logical_integer;
      case Operator::band:
      case Operator::bor:
      case Operator::bxor: return Work::bitwise_integer;
    }
    return Work::user;
  }

 private:
  struct Known {
    Type type;
    bool fortran_integer;  // has no logical operators, unlike C's
  };

  void add(std::initializer_list<MPI_Datatype> handles, std::initializer_list<Type> candidates,
           bool fortran_integer = false) {
    for (const MPI_Datatype handle : handles) {
      if (handle == MPI_DATATYPE_NULL) continue;  // an MPI without this type
      MPI_Aint lower_bound = 0, extent = 0;
      PMPI_Type_get_extent(handle, &lower_bound, &extent);
      for (const Type type : candidates)
        if (size_of(type) == static_cast<std::size_t>(extent))
          known_.emplace(handle, Known{type, fortran_integer});
    }
  }

  std::unordered_map<MPI_Datatype, Known> known_;
};

constexpr MPI_Aint chunk_bytes = 64 * 1024;
constexpr std::uintptr_t cache_line = 64;

/// Room that is kept from call to call, each thread its own.
class Room {
 public:
  /// Place for bytes from `lower` to `upper` about an aligned address: a program's function may
  /// count on it.
  char* about(MPI_Aint lower, MPI_Aint upper) {
    const auto bytes = static_cast<std::size_t>(upper - lower) + cache_line;
    if (memory_.size() < bytes) memory_.resize(bytes);
    const auto first =
        reinterpret_cast<std::uintptr_t>(memory_.data()) - static_cast<std::uintptr_t>(lower);
    return memory_.data() - lower + (cache_line - first % cache_line) % cache_line;
  }

 private:
  std::vector<char> memory_;
};

}  // namespace

Reduction reduction_for(MPI_Op op, MPI_Datatype type, bool dense) {
  Reduction made;
  MPI_Aint lower_bound = 0;
  MPI_Count size = 0;
  PMPI_Type_get_extent(type, &lower_bound, &made.extent_);
  made.element = static_cast<std::size_t>(made.extent_);
  if (const auto known = operator_of(op)) {
    static const KnownTypes types;
    made.kernel = types.kernel(*known, type);
    if (made.kernel != nullptr) {
      made.exact = types.is_exact(type);
      made.work = types.work(*known, type);
      return made;
    }
    made.undefined = true;
  }
  // These are for one-sided communication only.
  if (op == MPI_REPLACE || op == MPI_NO_OP) made.undefined = true;
  made.op_ = op;
  made.type_ = type;
  PMPI_Type_get_true_extent(type, &made.true_lower_bound_, &made.true_extent_);
  PMPI_Type_size_x(type, &size);
  made.dense_ = dense;
  made.element = static_cast<std::size_t>(size);
  const MPI_Aint widest = std::max<MPI_Aint>({1, std::abs(made.extent_), size});
  made.chunk_ = static_cast<int>(std::max<MPI_Aint>(1, chunk_bytes / widest));
  return made;
}

int Reduction::through_mpi(const void* left, const void* right, void* result,
                           std::size_t count) const {
  const auto* a = static_cast<const char*>(left);
  const auto* b = static_cast<const char*>(right);
  auto* c = static_cast<char*>(result);
  const std::size_t most =
      dense_ && b == c ? std::numeric_limits<int>::max() : static_cast<std::size_t>(chunk_);
  while (count > 0) {
    const auto now = static_cast<int>(std::min(count, most));
    if (const int error = dense_ ? combine(a, b, c, now) : combine_packed(a, b, c, now))
      return error;
    const std::size_t bytes = static_cast<std::size_t>(now) * element;
    a += bytes;
    b += bytes;
    c += bytes;
    count -= static_cast<std::size_t>(now);
  }
  return MPI_SUCCESS;
}

/// `MPI_Reduce_local` leaves its result in the right operand's place.
int Reduction::combine(const char* left, const char* right, char* result, int count) const {
  if (result == right) return PMPI_Reduce_local(left, result, count, type_, op_);
  const std::size_t bytes = static_cast<std::size_t>(count) * element;
  thread_local Room room;
  char* const place = result == left ? room.about(0, static_cast<MPI_Aint>(bytes)) : result;
  std::memcpy(place, right, bytes);
  if (const int error = PMPI_Reduce_local(left, place, count, type_, op_)) return error;
  if (place != result) std::memcpy(result, place, bytes);
  return MPI_SUCCESS;
}

/// The operator sees elements as the program lays them out.
int Reduction::combine_packed(const char* left, const char* right, char* result, int count) const {
  thread_local Room rooms[2];
  const MPI_Aint reach = (count - 1) * extent_;
  const MPI_Aint lower = true_lower_bound_ + std::min<MPI_Aint>(0, reach);
  const MPI_Aint upper = true_lower_bound_ + true_extent_ + std::max<MPI_Aint>(0, reach);
  const int bytes = count * static_cast<int>(element);
  char* const a = rooms[0].about(lower, upper);
  char* const b = rooms[1].about(lower, upper);
  int done = 0;
  if (const int error = PMPI_Unpack(left, bytes, &done, a, count, type_, quiet_self()))
    return error;
  done = 0;
  if (const int error = PMPI_Unpack(right, bytes, &done, b, count, type_, quiet_self()))
    return error;
  if (const int error = PMPI_Reduce_local(a, b, count, type_, op_)) return error;
  done = 0;
  return PMPI_Pack(b, count, type_, result, bytes, &done, quiet_self());
}

}  // namespace tutti::core
