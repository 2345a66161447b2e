#pragma once

#include <tutti/types.hpp>

#include <functional>

namespace tutti {
inline namespace api {

namespace detail {

struct Max {
  template <class T>
  constexpr auto operator()(const T& a, const T& b) const -> decltype(a < b, T(a)) {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  constexpr auto operator()(const T& a, const T& b) const -> decltype(b < a, T(a)) {
    return b < a ? b : a;
  }
};
struct LogicalXor {
  template <class T>
  constexpr auto operator()(const T& a, const T& b) const -> decltype(!a != !b) {
    return !a != !b;
  }
};
struct Maxloc {
  template <class T>
  constexpr Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    if (a.value == b.value) return a.index < b.index ? a : b;
    return b.value < a.value ? a : b;
  }
};
struct Minloc {
  template <class T>
  constexpr Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    if (a.value == b.value) return a.index < b.index ? a : b;
    return a.value < b.value ? a : b;
  }
};

template <class F>
struct Commutative {};

}  // namespace detail

/// @name The operators of reductions and scans
///
/// The function objects of the standard library are operators too, and so are lambdas without
/// captures. Where MPI has the operator for the type it is used, else the C++ one: tutti::sum adds
/// whatever has a `+`.
/// @code
/// double total = world.allreduce(mine, tutti::sum);
/// double norm = world.allreduce(mine, [](double a, double b) { return std::hypot(a, b); });
/// @endcode
/// @{
inline constexpr std::plus<> sum{};                 ///< `a + b`
inline constexpr std::multiplies<> prod{};          ///< `a * b`
inline constexpr detail::Max max{};                 ///< the larger
inline constexpr detail::Min min{};                 ///< the smaller
inline constexpr std::logical_and<> logical_and{};  ///< `a && b`
inline constexpr std::logical_or<> logical_or{};    ///< `a || b`
inline constexpr detail::LogicalXor logical_xor{};  ///< one of both, not both
inline constexpr std::bit_and<> bit_and{};          ///< `a & b`
inline constexpr std::bit_or<> bit_or{};            ///< `a | b`
inline constexpr std::bit_xor<> bit_xor{};          ///< `a ^ b`
/// The largest tutti::Located; of equals that with the least index.
inline constexpr detail::Maxloc maxloc{};
/// The smallest tutti::Located; of equals that with the least index.
inline constexpr detail::Minloc minloc{};
/// @}

/// Promises that an operator may be applied in any order, which allows more algorithms. Lambdas,
/// and operators of registered structs, are else applied in the order of ranks.
/// @code
/// world.allreduce(x, tutti::commutative([](double a, double b) { return std::hypot(a, b); }));
/// @endcode
template <class F>
constexpr detail::Commutative<F> commutative(F) {
  return {};
}

namespace detail {

/// The standard's function objects come with and without a type.
template <class F, template <class> class Std, class T>
inline constexpr bool is_std = std::is_same_v<F, Std<void>> || std::is_same_v<F, Std<T>>;

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

/// MPI's own operator, if it has this one for the type; else MPI_OP_NULL.
template <class F, class T>
MPI_Op named_operator() {
  // For MPI a char is text, which no operator combines.
  constexpr bool is_text = std::is_same_v<T, char> || std::is_same_v<T, wchar_t>;
  constexpr bool is_bool = std::is_same_v<T, bool>;
  constexpr bool is_integer = std::is_integral_v<T> && !is_bool && !is_text;
  constexpr bool is_real = is_integer || std::is_floating_point_v<T>;
  constexpr bool has_bits = is_integer || std::is_same_v<T, std::byte>;
  if constexpr (is_real || is_complex<T>) {
    if constexpr (is_std<F, std::plus, T>) return MPI_SUM;
    if constexpr (is_std<F, std::multiplies, T>) return MPI_PROD;
  }
  if constexpr (is_real) {
    if constexpr (std::is_same_v<F, Max>) return MPI_MAX;
    if constexpr (std::is_same_v<F, Min>) return MPI_MIN;
  }
  if constexpr (is_integer || is_bool) {
    if constexpr (is_std<F, std::logical_and, T>) return MPI_LAND;
    if constexpr (is_std<F, std::logical_or, T>) return MPI_LOR;
    if constexpr (std::is_same_v<F, LogicalXor>) return MPI_LXOR;
  }
  if constexpr (has_bits) {
    if constexpr (is_std<F, std::bit_and, T>) return MPI_BAND;
    if constexpr (is_std<F, std::bit_or, T>) return MPI_BOR;
    if constexpr (is_std<F, std::bit_xor, T>) return MPI_BXOR;
  }
  if constexpr (HasName<T>) {
    if constexpr (std::is_same_v<F, Maxloc>) return MPI_MAXLOC;
    if constexpr (std::is_same_v<F, Minloc>) return MPI_MINLOC;
  }
  return MPI_OP_NULL;
}

template <class F, class T>
inline constexpr bool is_known =
    is_std<F, std::plus, T> || is_std<F, std::multiplies, T> || is_std<F, std::logical_and, T> ||
    is_std<F, std::logical_or, T> || is_std<F, std::bit_and, T> || is_std<F, std::bit_or, T> ||
    is_std<F, std::bit_xor, T> || std::is_same_v<F, Max> || std::is_same_v<F, Min> ||
    std::is_same_v<F, LogicalXor>;

/// Of numbers the known operators commute. What a program's own type makes of them nobody knows.
template <class F, class T>
inline constexpr bool commutes = std::is_same_v<F, Maxloc> || std::is_same_v<F, Minloc> ||
                                 (HasName<T> && is_known<F, T>);

template <class F, class T>
concept Combines = requires(const F& f, const T& a, const T& b) {
  static_cast<T>(f(a, b));
};

/// The MPI's handle of an operator: made once for each type, freed when MPI ends.
template <class T, class F, bool commutative>
struct OperatorOf {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "tutti: lambdas with captures cannot be operators, nor can pointers to functions: "
                "MPI calls the operator with the elements alone");
  static_assert(Combines<F, T>, "tutti: this operator cannot combine two elements of this type");

  static MPI_Op handle() {
    if (const MPI_Op named = named_operator<F, T>(); named != MPI_OP_NULL) return named;
    static const MPI_Op made = [] {
      MPI_Op op = MPI_OP_NULL;
      check(MPI_Op_create(combine, commutative, &op));
      at_finalize([op]() mutable { MPI_Op_free(&op); });
      return op;
    }();
    return made;
  }

 private:
  static void combine(void* left, void* right, int* count, MPI_Datatype*) noexcept {
    const auto* const a = static_cast<const T*>(left);
    auto* const b = static_cast<T*>(right);
    for (int i = 0; i < *count; ++i) b[i] = static_cast<T>(F{}(a[i], b[i]));
  }
};
template <class T, class F>
MPI_Op operator_of(const F&) {
  return OperatorOf<T, F, commutes<F, T>>::handle();
}
template <class T, class F>
MPI_Op operator_of(const Commutative<F>&) {
  return OperatorOf<T, F, true>::handle();
}

}  // namespace detail

}  // namespace api
}  // namespace tutti
