// Operators: named ones on every type, the library's, lambdas, and those that do not commute.

#include <complex>

#include "cxx_api.hpp"

namespace tutti::test {

/// x -> a x + b: composing these does not commute.
struct Affine {
  long a, b;
  bool operator==(const Affine&) const = default;
};
constexpr auto then = [](const Affine& f, const Affine& g) {
  return Affine{f.a * g.a, g.a * f.b + g.b};
};

}  // namespace tutti::test

TUTTI_REGISTER(tutti::test::Affine, &tutti::test::Affine::a, &tutti::test::Affine::b);

namespace tutti::test {
namespace {

template <class T, class Op>
void folds(const Op& op, T (*of)(int)) {
  T expected = of(0);
  for (int r = 1; r < p; ++r) expected = static_cast<T>(op(expected, of(r)));
  EXPECT(world.allreduce(of(rank), op) == expected);
}

void operators_of_integers() {
  const auto of = [](int r) { return 12 + 5 * r; };
  folds<int>(tutti::sum, of);
  folds<int>(tutti::prod, of);
  folds<int>(tutti::max, of);
  folds<int>(tutti::min, of);
  folds<int>(tutti::bit_and, of);
  folds<int>(tutti::bit_or, of);
  folds<int>(tutti::bit_xor, of);
  folds<int>(tutti::logical_and, of);
  folds<int>(tutti::logical_or, of);
  folds<int>(tutti::logical_xor, of);
  folds<int>(std::plus<int>(), of);
  folds<int>(std::multiplies<>(), of);
  folds<int>(std::bit_or<int>(), of);
  folds<int>(std::logical_or<int>(), of);
  // Those that MPI has need none of their own.
  EXPECT(tutti::detail::operator_of<int>(tutti::sum) == MPI_SUM);
  EXPECT(tutti::detail::operator_of<double>(std::multiplies<double>()) == MPI_PROD);
  EXPECT(tutti::detail::operator_of<long>(tutti::logical_xor) == MPI_LXOR);
  EXPECT(tutti::detail::operator_of<std::byte>(tutti::bit_xor) == MPI_BXOR);
}

void operators_of_other_types() {
  folds<double>(tutti::sum, [](int r) { return 0.5 + r; });
  folds<float>(tutti::min, [](int r) { return 2.5f - static_cast<float>(r); });
  folds<long double>(tutti::prod, [](int r) { return 1.5L + r; });
  folds<std::complex<double>>(tutti::sum, [](int r) { return std::complex<double>(1, r); });
  folds<std::complex<float>>(tutti::prod,
                             [](int r) { return std::complex<float>(1, static_cast<float>(r)); });
  folds<std::byte>(tutti::bit_xor, [](int r) { return std::byte(3 * r + 1); });
  folds<bool>(tutti::logical_and, [](int r) { return r != 1; });
  folds<bool>(tutti::logical_xor, [](int r) { return r != 2; });
  // MPI does not define these.
  folds<bool>(tutti::bit_or, [](int r) { return r == 1; });
  folds<char>(tutti::max, [](int r) { return static_cast<char>('a' + r); });
  folds<wchar_t>(tutti::min, [](int r) { return static_cast<wchar_t>('z' - r); });
  folds<double>(tutti::logical_or, [](int r) { return r == 1 ? 0.5 : 0.; });
  folds<Plain>(tutti::bit_or, [](int r) { return r == 0 ? some : none; });
  folds<Scoped>(tutti::max, [](int r) { return r == 1 ? Scoped::high : Scoped::low; });
  folds<Vector2>(tutti::sum, [](int r) { return Vector2{1. * r, 2}; });
  EXPECT(world.allreduce(Vector2{1, 2}, tutti::commutative(tutti::sum)) ==
         (Vector2{1. * p, 2. * p}));
}

template <class T>
void locates() {
  // Rank 0 and the last have the most, the others the least.
  const bool most = rank == 0 || rank == p - 1;
  const tutti::Located<T> mine{static_cast<T>(most ? 9 : 4), 10 + rank};
  EXPECT((world.allreduce(mine, tutti::maxloc) == tutti::Located<T>{9, 10}));
  EXPECT((world.allreduce(mine, tutti::minloc) ==
          tutti::Located<T>{static_cast<T>(p > 2 ? 4 : 9), p > 2 ? 11 : 10}));
}
void minloc_and_maxloc() {
  locates<short>();
  locates<int>();
  locates<long>();
  locates<float>();
  locates<double>();
  locates<long double>();
  locates<long long>();
  locates<unsigned>();
  EXPECT(tutti::detail::operator_of<tutti::Located<double>>(tutti::maxloc) == MPI_MAXLOC);
  EXPECT(world.allreduce(tutti::Located{1.5, rank}, tutti::minloc).index == 0);
}

void lambdas() {
  const auto larger = [](double a, double b) { return a > b ? a : b; };
  EXPECT(world.allreduce(1.5 * rank, larger) == 1.5 * (p - 1));
  EXPECT(world.allreduce(rank, larger) == p - 1);  // converts

  // Ranks are combined in order, however long the data are.
  for (const std::size_t n : sizes) {
    const std::vector<Affine> mine(n, Affine{2 + rank % 2, 1 + rank});
    Affine expected{2, 1};
    for (int r = 1; r < p; ++r) expected = then(expected, Affine{2 + r % 2, 1 + r});
    for (const Affine& each : world.allreduce(mine, then)) EXPECT(each == expected);
  }

  const auto add = [](int a, int b) { return a + b; };
  const tutti::Algorithm ring("ring");
  EXPECT(world.allreduce(rank, tutti::commutative(add), ring) == p * (p - 1) / 2);
  // The ring needs an operator that commutes, which nobody promised.
  if (p > 1) {
    const std::string text =
        thrown_by<tutti::Error>([&] { (void)world.allreduce(rank, add, ring); });
    expect(contains(text, "allreduce/ring"), text);
  }
  EXPECT(world.allreduce(rank, add) == p * (p - 1) / 2);

  // Each operator is made once.
  const int before = operators_alive;
  for (int k = 0; k < 5; ++k) EXPECT(world.allreduce(1, add) == p);
  EXPECT(operators_alive == before);
}

}  // namespace

const std::vector<Case> operator_cases = {CASE(operators_of_integers),
                                          CASE(operators_of_other_types), CASE(minloc_and_maxloc),
                                          CASE(lambdas)};

}  // namespace tutti::test
