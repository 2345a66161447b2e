#pragma once

#include <tutti/error.hpp>

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace tutti {
inline namespace api {

/// Tells how a struct of the program travels: by these members. The others stay behind.
/// @code
/// struct Particle { double x[3]; double mass; int id; };
///
/// template <>
/// struct tutti::Type<Particle> {
///   static constexpr auto members = std::tuple(&Particle::x, &Particle::mass, &Particle::id);
/// };
/// @endcode
/// The struct must be trivially copyable. Members may be whatever travels: numbers, arrays of them,
/// other registered structs.
template <class T>
struct Type {};

/// The same in a line, outside of all namespaces: `TUTTI_REGISTER(Particle, &Particle::x, ...);`
#define TUTTI_REGISTER(type, ...)                            \
  template <>                                                \
  struct tutti::Type<type> {                                 \
    static constexpr auto members = std::tuple(__VA_ARGS__); \
  }

/// A value and where it is from, for tutti::minloc and tutti::maxloc.
/// @code
/// auto worst = world.allreduce(tutti::Located{error, world.rank()}, tutti::maxloc);
/// @endcode
template <class T>
struct Located {
  T value;    ///< what is compared
  int index;  ///< whose it is: a rank, or a place
  /// Both are equal.
  bool operator==(const Located&) const = default;
};
/// The type is that of the value.
template <class T>
Located(T, int) -> Located<T>;

namespace detail {

/// What MPI has a name for.
template <class T>
struct Named {};
#define TUTTI_NAMED(type, name)                   \
  template <>                                     \
  struct Named<type> {                            \
    static MPI_Datatype handle() { return name; } \
  }
TUTTI_NAMED(bool, MPI_C_BOOL);
TUTTI_NAMED(std::byte, MPI_BYTE);
TUTTI_NAMED(char, MPI_CHAR);
TUTTI_NAMED(wchar_t, MPI_WCHAR);
TUTTI_NAMED(char8_t, MPI_UINT8_T);
TUTTI_NAMED(char16_t, MPI_UINT16_T);
TUTTI_NAMED(char32_t, MPI_UINT32_T);
TUTTI_NAMED(signed char, MPI_SIGNED_CHAR);
TUTTI_NAMED(unsigned char, MPI_UNSIGNED_CHAR);
TUTTI_NAMED(short, MPI_SHORT);
TUTTI_NAMED(unsigned short, MPI_UNSIGNED_SHORT);
TUTTI_NAMED(int, MPI_INT);
TUTTI_NAMED(unsigned, MPI_UNSIGNED);
TUTTI_NAMED(long, MPI_LONG);
TUTTI_NAMED(unsigned long, MPI_UNSIGNED_LONG);
TUTTI_NAMED(long long, MPI_LONG_LONG);
TUTTI_NAMED(unsigned long long, MPI_UNSIGNED_LONG_LONG);
TUTTI_NAMED(float, MPI_FLOAT);
TUTTI_NAMED(double, MPI_DOUBLE);
TUTTI_NAMED(long double, MPI_LONG_DOUBLE);
TUTTI_NAMED(std::complex<float>, MPI_C_FLOAT_COMPLEX);
TUTTI_NAMED(std::complex<double>, MPI_C_DOUBLE_COMPLEX);
TUTTI_NAMED(std::complex<long double>, MPI_C_LONG_DOUBLE_COMPLEX);
TUTTI_NAMED(Located<short>, MPI_SHORT_INT);
TUTTI_NAMED(Located<int>, MPI_2INT);
TUTTI_NAMED(Located<long>, MPI_LONG_INT);
TUTTI_NAMED(Located<float>, MPI_FLOAT_INT);
TUTTI_NAMED(Located<double>, MPI_DOUBLE_INT);
TUTTI_NAMED(Located<long double>, MPI_LONG_DOUBLE_INT);
#undef TUTTI_NAMED

template <class T>
concept HasName = requires {
  Named<T>::handle();
};
template <class T>
concept Registered = requires {
  Type<T>::members;
};

template <class T>
struct Travels : std::bool_constant<HasName<T> || std::is_enum_v<T> || Registered<T>> {};
template <class T>
struct Travels<Located<T>> : Travels<T> {};
template <class T, std::size_t n>
struct Travels<std::array<T, n>> : Travels<T> {};
template <class T, std::size_t n>
struct Travels<T[n]> : Travels<T> {};

}  // namespace detail

/// What can travel: integers, bool, characters, floating-point and complex numbers, std::byte,
/// enums, tutti::Located, registered structs, and std::array of these.
template <class T>
concept Element = detail::Travels<std::remove_cv_t<T>>::value;

/// As the first argument of a collective: the data are where the result goes.
/// @code
/// world.scan(tutti::in_place, numbers, tutti::sum);
/// @endcode
struct InPlace {
  explicit InPlace() = default;
};
/// The only value of its type.
inline constexpr InPlace in_place{};

template <class T>
MPI_Datatype datatype();

namespace detail {

template <class T>
struct Array : std::false_type {};
template <class T, std::size_t n>
struct Array<std::array<T, n>> : std::true_type {};

/// How the members of a struct lie in it.
template <class T, class... Members>
MPI_Datatype struct_type(Members T::*... members) {
  static_assert(std::is_trivially_copyable_v<T>,
                "tutti: only trivially copyable types can be registered");
  static_assert((Element<Members> && ...),
                "tutti: a member of this type cannot travel: register its type, or leave it out");
  alignas(T) const std::byte room[sizeof(T)] = {};
  const auto& object = reinterpret_cast<const T&>(room);
  const auto place = [&](const auto& member) {
    return reinterpret_cast<const std::byte*>(std::addressof(member)) - room;
  };
  const int lengths[] = {(static_cast<void>(members), 1)...};
  const MPI_Aint places[] = {place(object.*members)...};
  const MPI_Datatype types[] = {datatype<Members>()...};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check(MPI_Type_create_struct(sizeof...(members), lengths, places, types, &made));
  return made;
}

/// A type made of MPI's own; the caller frees it.
template <class T>
MPI_Datatype new_type() {
  MPI_Datatype inner = MPI_DATATYPE_NULL, made = MPI_DATATYPE_NULL;
  if constexpr (Registered<T>)
    inner =
        std::apply([](auto... members) { return struct_type<T>(members...); }, Type<T>::members);
  else if constexpr (std::is_array_v<T>)
    check(MPI_Type_contiguous(std::extent_v<T>, datatype<std::remove_extent_t<T>>(), &inner));
  else if constexpr (Array<T>::value)
    check(MPI_Type_contiguous(std::tuple_size_v<T>, datatype<typename T::value_type>(), &inner));
  else
    inner = struct_type(&T::value, &T::index);  // Located
  // The next element is where C++ puts it.
  check(MPI_Type_create_resized(inner, 0, sizeof(T), &made));
  check(MPI_Type_free(&inner));
  check(MPI_Type_commit(&made));
  return made;
}

}  // namespace detail

/// MPI's type for T: made once, freed when MPI ends.
/// @code
/// MPI_Send(particles.data(), n, tutti::datatype<Particle>(), 1, 0, MPI_COMM_WORLD);
/// @endcode
template <class T>
MPI_Datatype datatype() {
  static_assert(Element<T>, "tutti: this type cannot travel: register it with tutti::Type<T>");
  using U = std::remove_cv_t<T>;
  if constexpr (!Element<T>) {
    return MPI_DATATYPE_NULL;  // one message is enough
  } else if constexpr (!std::is_same_v<T, U>) {
    return datatype<U>();
  } else if constexpr (detail::HasName<U>) {
    return detail::Named<U>::handle();
  } else if constexpr (std::is_enum_v<U>) {
    return datatype<std::underlying_type_t<U>>();
  } else {
    static const MPI_Datatype made = [] {
      MPI_Datatype type = detail::new_type<U>();
      detail::at_finalize([type]() mutable { MPI_Type_free(&type); });
      return type;
    }();
    return made;
  }
}

namespace detail {

/// Elements one after the other; all else is a single value.
template <class D>
concept Range = std::ranges::contiguous_range<D> && std::ranges::sized_range<D> &&
    !Registered<std::remove_cvref_t<D>>;

template <class D>
struct ElementOf {
  using type = std::remove_cvref_t<D>;
};
template <Range D>
struct ElementOf<D> {
  using type = std::ranges::range_value_t<D>;
};
template <class D>
using element_of = typename ElementOf<D>::type;

template <class D>
constexpr void require_data() {
  static_assert(!std::is_same_v<std::remove_cvref_t<D>, std::vector<bool>>,
                "tutti: std::vector<bool> has no bools in memory: use std::vector<char>");
  static_assert(Element<element_of<D>>,
                "tutti: this type cannot travel: register it with tutti::Type<T>");
}

/// Data to read.
template <class D>
auto view(const D& data) {
  require_data<const D>();
  using T = const element_of<const D>;
  if constexpr (Range<const D>)
    return std::span<T>(std::ranges::data(data), std::ranges::size(data));
  else
    return std::span<T>(std::addressof(data), 1);
}

/// Memory to write to.
template <class D>
auto room(D&& data) {
  require_data<D>();
  static_assert(std::is_lvalue_reference_v<D> || std::ranges::borrowed_range<D>,
                "tutti: the result has nowhere to go: pass a variable or a std::span");
  using T = element_of<D>;
  if constexpr (Range<D>) {
    static_assert(!std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<D>>>,
                  "tutti: the result cannot be written to constant data");
    return std::span<T>(std::ranges::data(data), std::ranges::size(data));
  } else {
    static_assert(!std::is_const_v<std::remove_reference_t<D>>,
                  "tutti: the result cannot be written to constant data");
    return std::span<T>(std::addressof(data), 1);
  }
}

template <class T>
constexpr void require_default() {
  static_assert(std::is_default_constructible_v<T>,
                "tutti: a result by value needs a default constructor: pass memory to write to");
}

template <class T>
std::vector<T> new_vector(std::size_t size) {
  static_assert(!std::is_same_v<T, bool>,
                "tutti: std::vector<bool> has no bools in memory: use char, or pass a bool array");
  require_default<T>();
  return std::vector<T>(size);
}

/// A place for a result by value: a value for a value, a std::array for the same, else a vector.
template <class In>
auto result_like(const In& in) {
  require_data<const In>();
  if constexpr (Range<const In> && !Array<In>::value) {
    return new_vector<element_of<const In>>(std::ranges::size(in));
  } else {
    require_default<In>();
    return In{};
  }
}

}  // namespace detail

}  // namespace api
}  // namespace tutti
