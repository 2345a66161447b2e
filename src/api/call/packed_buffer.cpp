// Examines datatypes, packs and unpacks.

#include "api/call/packed_buffer.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <optional>

#include "api/call/known_types.hpp"
#include "api/process/native.hpp"
#include "reduce/mpi/typed.hpp"

namespace tutti::core {

namespace {

/// MPI_Pack counts bytes in an int.
constexpr std::size_t most_packed = std::size_t{1} << 30;

/// A type without gaps may still list its parts in another order than memory. One element, whose
/// bytes are numbered, shows it.
bool is_in_order(MPI_Datatype type, std::size_t size) {
  if (size > most_packed) return false;
  std::vector<unsigned char> element(size), packed(size);
  for (int shift = 0; shift < 64 && (shift == 0 || (size - 1) >> shift > 0); shift += 8) {
    for (std::size_t i = 0; i < size; ++i) element[i] = static_cast<unsigned char>(i >> shift);
    int position = 0;
    if (PMPI_Pack(element.data(), 1, type, packed.data(), static_cast<int>(size), &position,
                  quiet_self()) != MPI_SUCCESS ||
        element != packed)
      return false;
  }
  return true;
}

/// What a type was made by; MPI_UNDEFINED: by a function with large counts, of which the plain
/// questions must not be asked.
int combiner_of(MPI_Datatype type) {
  int combiner = 0;
#ifdef TUTTI_LARGE_COUNTS
  MPI_Count integers = 0, addresses = 0, large = 0, types = 0;
  PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner);
  if (large > 0) return MPI_UNDEFINED;
#else
  int integers = 0, addresses = 0, types = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
  return combiner;
}

/// A type without gaps, again and again: in order however large. Nothing if it is none. A vector is
/// one if there is nothing between its blocks, or one block alone.
std::optional<TypeShape> row_of_elements(MPI_Datatype type, int combiner) {
  const int integers = combiner == MPI_COMBINER_DUP          ? 0
                       : combiner == MPI_COMBINER_CONTIGUOUS ? 1
                       : combiner == MPI_COMBINER_VECTOR     ? 3
                                                             : -1;
  if (integers < 0) return std::nullopt;
  int read[3] = {1, 1, 1};  // count; of a vector its blocks, their length, and what lies between
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  if (PMPI_Type_get_contents(type, integers, 0, 1, read, nullptr, &inner) != MPI_SUCCESS)
    return std::nullopt;
  const auto [blocks, length, stride] = read;
  const bool is_row = blocks <= 1 || length == stride;
  TypeShape shape = known_types().shape_of(inner);
  if (!shape.named) {
    const int inside = combiner_of(inner);
    // It need not be committed; then only what it consists of can tell.
    if (!shape.usable) shape = row_of_elements(inner, inside).value_or(TypeShape{});
    // Fortran's numbers of so many digits have no name, but are the MPI's own.
    if (inside != MPI_COMBINER_F90_REAL && inside != MPI_COMBINER_F90_COMPLEX &&
        inside != MPI_COMBINER_F90_INTEGER)
      PMPI_Type_free(&inner);
  }
  if (!shape.dense || !is_row) return std::nullopt;
  const MPI_Aint count = static_cast<MPI_Aint>(blocks) * length;
  shape.size *= static_cast<std::size_t>(count);
  shape.extent = shape.true_extent = shape.extent * count;
  shape.named = false;
  return shape;
}

int type_keyval() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    PMPI_Type_create_keyval(
        MPI_TYPE_NULL_COPY_FN,
        [](MPI_Datatype, int, void* value, void*) -> int {
          delete static_cast<TypeShape*>(value);
          return MPI_SUCCESS;
        },
        &made, nullptr);
    return made;
  }();
  return key;
}

/// All but whether elements follow one another: `dense` says that they have no gaps.
TypeShape measure(MPI_Datatype type) {
  TypeShape shape;
  MPI_Count bytes = 0;
  MPI_Aint lower = 0;
  PMPI_Type_size_x(type, &bytes);
  shape.size = static_cast<std::size_t>(bytes);
  PMPI_Type_get_extent(type, &lower, &shape.extent);
  PMPI_Type_get_true_extent(type, &shape.true_lower, &shape.true_extent);
  shape.dense = lower == 0 && shape.true_lower == 0 && shape.extent == shape.true_extent &&
                shape.extent == bytes;
  shape.usable = true;
  return shape;
}

/// MPI has no question for it, but packs nothing, not even no element, of a type that was not
/// committed.
bool is_committed(MPI_Datatype type) {
  char nothing = 0;
  int position = 0;
  return PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, quiet_self()) == MPI_SUCCESS;
}

TypeShape examine(MPI_Datatype type) {
  const int combiner = combiner_of(type);
  if (const auto row = row_of_elements(type, combiner)) return *row;
  TypeShape shape = measure(type);
  shape.named = combiner == MPI_COMBINER_NAMED;
  if (shape.named || !shape.dense) return shape;
  // To find out takes long, and so it is kept; that, too, takes longer than all above.
  void* found = nullptr;
  int exists = 0;
  PMPI_Type_get_attr(type, type_keyval(), &found, &exists);
  if (exists) return *static_cast<TypeShape*>(found);
  shape.dense = is_in_order(type, shape.size);
  PMPI_Type_set_attr(type, type_keyval(), new TypeShape(shape));
  return shape;
}

}  // namespace

TypeShape TypeShape::of(MPI_Datatype type) {
  if (combiner_of(type) != MPI_COMBINER_NAMED && !is_committed(type)) return {};
  return examine(type);
}

namespace {

/// Memory at absolute addresses, counted from MPI_BOTTOM. MPICH packs nothing from address 0: there
/// it is counted from 1.
class Absolute {
 public:
  Absolute(char*& address, MPI_Datatype& type) {
#ifdef MPICH
    if (address != nullptr) return;
    const MPI_Aint before = -1;
    PMPI_Type_create_hindexed_block(1, 1, &before, type, &shifted_);
    PMPI_Type_commit(&shifted_);
    type = shifted_;
    address = reinterpret_cast<char*>(MPI_Aint{1});
#else
    (void)address, (void)type;
#endif
  }
  ~Absolute() {
    if (shifted_ != MPI_DATATYPE_NULL) PMPI_Type_free(&shifted_);
  }
  Absolute(const Absolute&) = delete;
  Absolute& operator=(const Absolute&) = delete;

 private:
  MPI_Datatype shifted_ = MPI_DATATYPE_NULL;
};

/// Many elements go in several steps of this many; one that is too large cannot go at all.
std::size_t step(std::size_t size, int& error) {
  if (size > INT_MAX) error = MPI_ERR_COUNT;
  return std::max<std::size_t>(1, most_packed / size);
}

}  // namespace

void PackedBuffer::transfer(Direction direction, std::size_t all, int& error) {
  char* bytes = room_.data();
  char* const end = bytes + all;
  for (const Part& part : parts_) {
    if (bytes == end || error) return;
    if (part.padded) {
      if (direction == Direction::pack)
        std::memcpy(bytes, part.address, part.size * part.count);
      else
        error = copy_typed(bytes, part.address, part.count, part.type, part.packed, part.extent);
      bytes += part.size * part.count;
      continue;
    }
    const std::size_t most = step(part.size, error);
    for (std::size_t done = 0; done < part.count && !error; done += most) {
      const int count = static_cast<int>(std::min(most, part.count - done));
      const int length = static_cast<int>(part.size * static_cast<std::size_t>(count));
      char* memory = part.address + part.extent * static_cast<MPI_Aint>(done);
      MPI_Datatype type = part.type;
      const Absolute absolute(memory, type);
      int position = 0;
      error = direction == Direction::pack
                  ? PMPI_Pack(memory, count, type, bytes, length, &position, quiet_self())
                  : PMPI_Unpack(bytes, length, &position, memory, count, type, quiet_self());
      bytes += length;
    }
  }
}

}  // namespace tutti::core
