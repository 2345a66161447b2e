#include "reduce/mpi_reduction.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tutti {
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
char* room(std::vector<char>& memory, std::size_t bytes) {
  if (memory.size() < bytes) memory.resize(bytes);
  return memory.data();
}

}  // namespace

Reduction reduction_for(MPI_Op op, MPI_Datatype type) {
  Reduction made;
  if (const auto known = operator_of(op)) {
    static const KnownTypes types;
    made.kernel = types.kernel(*known, type);
    if (made.kernel != nullptr) return made;
    made.undefined = true;
  }
  made.op_ = op;
  made.type_ = type;
  MPI_Aint lower_bound = 0;
  MPI_Count size = 0;
  PMPI_Type_get_extent(type, &lower_bound, &made.extent_);
  PMPI_Type_get_true_extent(type, &made.true_lower_bound_, &made.true_extent_);
  PMPI_Type_size_x(type, &size);
  made.dense_ = size == made.extent_ && size == made.true_extent_;
  const MPI_Aint widest = std::max<MPI_Aint>({1, std::abs(made.extent_), made.true_extent_});
  made.chunk_ = static_cast<int>(std::max<MPI_Aint>(1, chunk_bytes / widest));
  return made;
}

int Reduction::through_mpi(const void* left, const void* right, void* result,
                           std::size_t count) const {
  const auto* a = static_cast<const char*>(left);
  const auto* b = static_cast<const char*>(right);
  auto* c = static_cast<char*>(result);
  const std::size_t most = b == c ? std::numeric_limits<int>::max() : chunk_;
  while (count > 0) {
    const auto now = static_cast<int>(std::min(count, most));
    if (const int error = combine(a, b, c, now)) return error;
    a += now * extent_;
    b += now * extent_;
    c += now * extent_;
    count -= now;
  }
  return MPI_SUCCESS;
}

/// `MPI_Reduce_local` leaves its result in the right operand's place.
int Reduction::combine(const char* left, const char* right, char* result, int count) const {
  if (result == right) return PMPI_Reduce_local(left, result, count, type_, op_);
  char* const place = result == left ? swap_for(right) : result;
  if (const int error = copy(right, place, count)) return error;
  if (const int error = PMPI_Reduce_local(left, place, count, type_, op_)) return error;
  return place == result ? MPI_SUCCESS : copy(place, result, count);
}

int Reduction::copy(const char* from, char* to, int count) const {
  if (dense_) {
    std::memcpy(to + true_lower_bound_, from + true_lower_bound_, count * extent_);
    return MPI_SUCCESS;
  }
  thread_local std::vector<char> memory;
  int bytes = 0, packed = 0, unpacked = 0;
  if (const int error = PMPI_Pack_size(count, type_, MPI_COMM_SELF, &bytes)) return error;
  char* const between = room(memory, bytes);
  if (const int error = PMPI_Pack(from, count, type_, between, bytes, &packed, MPI_COMM_SELF))
    return error;
  return PMPI_Unpack(between, packed, &unpacked, to, count, type_, MPI_COMM_SELF);
}

/// Place for a chunk, aligned as the right operand is: a user's function may count on it.
char* Reduction::swap_for(const char* right) const {
  thread_local std::vector<char> memory;
  const MPI_Aint reach = (chunk_ - 1) * extent_;
  char* const place = room(memory, true_extent_ + std::abs(reach) + cache_line) -
                      true_lower_bound_ - std::min<MPI_Aint>(0, reach);
  const auto off =
      reinterpret_cast<std::uintptr_t>(right) - reinterpret_cast<std::uintptr_t>(place);
  return place + off % cache_line;
}

}  // namespace tutti
