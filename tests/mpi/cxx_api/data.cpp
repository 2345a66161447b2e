// Data of every type and kind of range travel, and only what is registered.

#include <array>
#include <complex>

#include "cxx_api.hpp"

namespace tutti::test {

struct Inner {
  char letter;
  long number;
  bool operator==(const Inner&) const = default;
};
struct Particle {
  double x[3];
  std::array<float, 2> charge;
  bool alive;
  Inner inner;
  std::complex<double> phase;
  int left_behind;
  bool operator==(const Particle&) const = default;
};

}  // namespace tutti::test

TUTTI_REGISTER(tutti::test::Inner, &tutti::test::Inner::letter, &tutti::test::Inner::number);
template <>
struct tutti::Type<tutti::test::Particle> {
  static constexpr auto members = std::tuple(
      &tutti::test::Particle::x, &tutti::test::Particle::charge, &tutti::test::Particle::alive,
      &tutti::test::Particle::inner, &tutti::test::Particle::phase);
};

namespace tutti::test {
namespace {

template <class T>
void travels(const T& first, const T& second) {
  T one = rank == p - 1 ? first : second;
  world.bcast(one, p - 1);
  EXPECT(one == first);
  T several[2] = {first, rank == 0 ? second : first};
  world.bcast(several, 0);
  EXPECT(several[0] == first && several[1] == second);
  std::array<T, 4> all = {};
  world.split(rank).allgather(std::span<const T>(several), std::span(all).first(2));
  EXPECT(all[0] == first && all[1] == second);
  if constexpr (!std::is_same_v<T, bool>) {
    const std::vector<T> list = world.allgather(rank == 0 ? second : first);
    EXPECT(list.size() == ranks && list.front() == second && (p == 1 || list.back() == first));
  }
  int bytes = 0;
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_size(tutti::datatype<T>(), &bytes);
  MPI_Type_get_extent(tutti::datatype<T>(), &lower, &extent);
  EXPECT(lower == 0 && extent == sizeof(T) && bytes <= static_cast<int>(sizeof(T)));
  EXPECT(tutti::datatype<const T>() == tutti::datatype<T>());
}

template <class... T>
void numbers_travel() {
  (travels<T>(static_cast<T>(1), static_cast<T>(100)), ...);
}

void every_type_travels() {
  numbers_travel<char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                 unsigned long, long long, unsigned long long, std::int8_t, std::uint8_t,
                 std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                 std::uint64_t, std::size_t, std::ptrdiff_t, wchar_t, char8_t, char16_t, char32_t,
                 float, double, long double>();
  travels(true, false);
  travels(std::byte{200}, std::byte{3});
  travels(std::complex<float>(1, 2), std::complex<float>(-3, 4));
  travels(std::complex<double>(1, 2), std::complex<double>(-3, 4));
  travels(std::complex<long double>(1, 2), std::complex<long double>(-3, 4));
  travels(some, none);
  travels(Scoped::high, Scoped::low);
  travels(tutti::Located<double>{1.5, 3}, tutti::Located<double>{-1, 2});
  travels(tutti::Located<unsigned long>{9, 3}, tutti::Located<unsigned long>{8, 2});
  travels(Inner{'a', 5}, Inner{'b', -5});
  travels(Vector2{1, 2}, Vector2{3, 4});
  travels(Particle{{1, 2, 3}, {4, 5}, true, {'c', 6}, {7, 8}, 0},
          Particle{{-1, 0, 1}, {2, 3}, false, {'d', 9}, {0, 1}, 0});
}

void unregistered_members_stay_behind() {
  Particle one{{1. + rank, 2, 3}, {4, 5}, true, {'c', 6}, {7, 8}, rank};
  world.bcast(one, p - 1);
  EXPECT(one.x[0] == p && one.left_behind == rank);
}

void ranges_of_all_kinds() {
  std::string text = rank == 0 ? "tutti" : "-----";
  world.bcast(text, 0);
  EXPECT(text == "tutti");
  int array[3] = {rank, 1, 2};
  EXPECT((world.allreduce(array, tutti::max) == Ints{p - 1, 1, 2}));
  const std::array<int, 2> fixed = {rank, -rank};
  const std::array<int, 2> most = world.allreduce(fixed, tutti::max);
  EXPECT(most[0] == p - 1 && most[1] == 0);
  Ints list = values(rank, 10);
  world.bcast(std::span(list).subspan(2, 3), 0);
  EXPECT(list[1] == value(rank, 1) && list[2] == value(0, 2) && list[4] == value(0, 4) &&
         list[5] == value(rank, 5));
  // Elements that are arrays themselves.
  const std::vector<std::array<int, 2>> pairs = world.allgather(std::vector{fixed});
  EXPECT(pairs.size() == ranks && pairs.back() == (std::array<int, 2>{p - 1, 1 - p}));
}

}  // namespace

const std::vector<Case> data_cases = {
    CASE(every_type_travels), CASE(unregistered_members_stay_behind), CASE(ranges_of_all_kinds)};

}  // namespace tutti::test
