// Datatypes that know where their bytes stand, and memory that is guarded all round.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace tutti::test {

/// Small, and the same on every machine (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  long between(long low, long high) {
    return low + static_cast<long>(below(static_cast<std::size_t>(high - low + 1)));
  }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

/// `size` bytes at byte `at` of an element. Padding of a predefined type may hold anything after.
struct Range {
  MPI_Aint at = 0;
  std::size_t size = 0;
  bool padding = false;
};

/// A datatype and where its data stand. Frees the type it made.
struct Layout {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Aint extent = 0;
  std::vector<Range> data;
  std::string name;
  std::shared_ptr<void> owner;

  bool derived() const { return owner.use_count() > 0; }
  MPI_Aint least() const {
    return std::min_element(data.begin(), data.end(), [](auto& a, auto& b) { return a.at < b.at; })
        ->at;
  }
  MPI_Aint end() const {
    MPI_Aint last = 0;
    for (const Range& range : data)
      last = std::max(last, range.at + static_cast<MPI_Aint>(range.size));
    return last;
  }
};

inline void own(Layout& layout) {
  PMPI_Type_commit(&layout.type);
  MPI_Aint lb = 0;
  PMPI_Type_get_extent(layout.type, &lb, &layout.extent);
  layout.owner = std::shared_ptr<void>(
      nullptr, [type = layout.type](void*) mutable { PMPI_Type_free(&type); });
}

/// A predefined type and its bytes.
inline Layout predefined(MPI_Datatype type, std::string name, std::vector<Range> data) {
  Layout layout;
  layout.type = type;
  layout.data = std::move(data);
  layout.name = std::move(name);
  MPI_Aint lb = 0;
  PMPI_Type_get_extent(type, &lb, &layout.extent);
  return layout;
}

/// A struct: `types` at `places`, resized to `extent` bytes.
inline Layout structure(const std::vector<Layout>& types, std::vector<MPI_Aint> places,
                        MPI_Aint extent) {
  std::vector<MPI_Datatype> handles;
  Layout layout;
  layout.name = "struct{";
  for (std::size_t i = 0; i < types.size(); ++i) {
    handles.push_back(types[i].type);
    for (Range range : types[i].data) {
      range.at += places[i];
      layout.data.push_back(range);
    }
    layout.name += types[i].name + "@" + std::to_string(places[i]) + " ";
  }
  layout.name.back() = '}';
  std::vector<int> ones(types.size(), 1);
  MPI_Datatype raw = MPI_DATATYPE_NULL;
  PMPI_Type_create_struct(static_cast<int>(types.size()), ones.data(), places.data(),
                          handles.data(), &raw);
  PMPI_Type_create_resized(raw, 0, extent, &layout.type);
  PMPI_Type_free(&raw);
  own(layout);
  return layout;
}

/// How the atoms of an element stand: each is a kind of derived type that programs use.
enum class Shape { plain, contiguous, pairs, gaps, negative, resized, shifted, columns };
inline constexpr int shape_count = 8;

/// `number` atoms in a shape. `span` is how many elements one after the other the caller will use:
/// columns stand that far apart.
inline Layout arrange(const Layout& atom, int number, Shape shape, std::size_t span) {
  if (shape == Shape::plain && number == 1) return atom;
  if (shape == Shape::pairs && number % 2 != 0) shape = Shape::contiguous;
  const MPI_Aint e = atom.extent;
  const auto wide = static_cast<MPI_Aint>(std::max<std::size_t>(span, 1));
  Layout layout;
  MPI_Datatype raw = MPI_DATATYPE_NULL;
  std::vector<MPI_Aint> places;
  const auto step = [&](MPI_Aint first, MPI_Aint stride) {
    for (int i = 0; i < number; ++i) places.push_back(first + i * stride);
  };
  switch (shape) {
    case Shape::plain:
    case Shape::contiguous:
      layout.name = "contiguous";
      step(0, e);
      PMPI_Type_contiguous(number, atom.type, &layout.type);
      break;
    case Shape::pairs:
      layout.name = "contiguous of pairs";
      step(0, e);
      PMPI_Type_contiguous(2, atom.type, &raw);
      PMPI_Type_contiguous(number / 2, raw, &layout.type);
      break;
    case Shape::gaps:
      layout.name = "vector with gaps";
      step(0, 2 * e);
      PMPI_Type_vector(number, 1, 2, atom.type, &layout.type);
      break;
    case Shape::negative:
      layout.name = "negative lower bound";
      step(0, -2 * e);
      PMPI_Type_vector(number, 1, -2, atom.type, &layout.type);
      break;
    case Shape::resized:
      layout.name = "resized";
      step(0, e);
      PMPI_Type_contiguous(number, atom.type, &raw);
      PMPI_Type_create_resized(raw, -e, (number + 2) * e, &layout.type);
      break;
    case Shape::shifted: {
      layout.name = "backwards from above 0";
      step((2 * number - 1) * e, -2 * e);
      const std::vector<int> ones(static_cast<std::size_t>(number), 1);
      PMPI_Type_create_hindexed(number, ones.data(), places.data(), atom.type, &layout.type);
      break;
    }
    case Shape::columns:
      layout.name = "columns";
      step(0, wide * e);
      PMPI_Type_create_hvector(number, 1, wide * e, atom.type, &raw);
      PMPI_Type_create_resized(raw, 0, e, &layout.type);
      break;
  }
  if (raw != MPI_DATATYPE_NULL) PMPI_Type_free(&raw);
  own(layout);
  layout.name += "(" + std::to_string(number) + " " + atom.name + ")";
  for (const MPI_Aint place : places)
    for (Range range : atom.data) {
      range.at += place;
      layout.data.push_back(range);
    }
  return layout;
}

/// `count` elements from byte `at` of a buffer on. What is not compared may hold anything after.
struct Piece {
  MPI_Aint at = 0;
  std::size_t count = 0;
  const Layout* layout = nullptr;
  bool compared = true;
};

/// A buffer argument with guards round it; guards, gaps and data begin as noise of a seed.
class Memory {
 public:
  Memory(const std::vector<Piece>& pieces, std::size_t misaligned, std::uint64_t seed) {
    MPI_Aint least = 0, end = 0;
    for (const Piece& piece : pieces) {
      if (piece.count == 0) continue;
      const MPI_Aint last = static_cast<MPI_Aint>(piece.count - 1) * piece.layout->extent;
      least = std::min(least, piece.at + piece.layout->least());
      end = std::max(end, piece.at + last + piece.layout->end());
    }
    constexpr MPI_Aint guard = 64;
    const MPI_Aint before = (-least + guard + 15) / 16 * 16;
    bytes_.resize(static_cast<std::size_t>(before + end + guard) + 24);
    Random random(seed);
    for (std::size_t i = 0; i + 8 <= bytes_.size(); i += 8) {
      const std::uint64_t noise = random.next();
      std::memcpy(&bytes_[i], &noise, 8);
    }
    // New memory is aligned to 16 bytes, so equal buffers stand alike.
    offset_ = before + static_cast<MPI_Aint>(misaligned);
  }

  /// Where the MPI is told that the buffer begins.
  unsigned char* base() { return bytes_.data() + offset_; }

  /// Describes the first byte in which the MPI's buffer and Tutti's differ; empty if none does.
  static std::string difference(const Memory& native, const Memory& tutti,
                                const std::vector<Piece>& pieces) {
    if (native.bytes_ == tutti.bytes_) return "";
    std::vector<bool> data(native.bytes_.size(), false), loose(data);
    for (const Piece& piece : pieces) native.mark(piece, data, loose);
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (loose[i] || native.bytes_[i] == tutti.bytes_[i]) continue;
      char text[96];
      std::snprintf(text, sizeof text, "byte %ld (%s): native %02x, tutti %02x",
                    static_cast<long>(i) - static_cast<long>(native.offset_),
                    data[i] ? "data" : "a gap or guard", native.bytes_[i], tutti.bytes_[i]);
      return text;
    }
    return "";
  }

 private:
  void mark(const Piece& piece, std::vector<bool>& data, std::vector<bool>& loose) const {
    for (std::size_t i = 0; i < piece.count; ++i)
      for (const Range range : piece.layout->data) {
        const MPI_Aint at = piece.at + static_cast<MPI_Aint>(i) * piece.layout->extent + range.at;
        std::fill_n(data.begin() + offset_ + at, range.size, true);
        if (!piece.compared || range.padding)
          std::fill_n(loose.begin() + offset_ + at, range.size, true);
      }
  }

  std::vector<unsigned char> bytes_;
  MPI_Aint offset_ = 0;
};

}  // namespace tutti::test
