// Alltoall, alltoallv and alltoallw in all their forms.

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void alltoall() {
  for (const std::size_t n : sizes) {
    const Ints mine = values(rank, n * ranks);
    Ints expected, out(mine.size());
    for (int r = 0; r < p; ++r)
      for (const int number : part(values(r, n * ranks), n * static_cast<std::size_t>(rank), n))
        expected.push_back(number);
    const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
    FORMS(alltoall, reset, RIGHT(out == expected), mine, out);
    const auto put = [&] { std::copy(mine.begin(), mine.end(), out.begin()); };
    FORMS(alltoall, put, RIGHT(out == expected), tutti::in_place, out);
    put();
    world.alltoall_in_place(out);
    EXPECT(out == expected);
    EXPECT(world.alltoall(mine) == expected);
    EXPECT(world.ialltoall(mine).get() == expected);
  }
}

/// What rank r sends to rank q.
Ints letter(int r, int q) {
  return values(10 * r + q, r == q ? 0 : static_cast<std::size_t>(r + 2 * q));
}

void alltoallv() {
  std::vector<Ints> pieces;
  Ints in, expected, sent, received;
  for (int r = 0; r < p; ++r) {
    pieces.push_back(letter(rank, r));
    in.insert(in.end(), pieces.back().begin(), pieces.back().end());
    sent.push_back(static_cast<int>(pieces.back().size()));
    const Ints come = letter(r, rank);
    expected.insert(expected.end(), come.begin(), come.end());
    received.push_back(static_cast<int>(come.size()));
  }
  const tutti::Pieces<int> got = world.alltoallv(pieces);
  EXPECT(got.data == expected && std::ranges::equal(got.counts, received));
  EXPECT(world.alltoallv(in, sent).data == expected);
  // And back again.
  const tutti::Pieces<int> back = world.alltoallv(got);
  EXPECT(back.data == in && std::ranges::equal(back.counts, sent));
  Ints out(expected.size());
  const auto reset = [&] { std::fill(out.begin(), out.end(), -1); };
  FORMS(alltoallv, reset, RIGHT(out == expected), in, sent, out, received);
}

void alltoallw() {
  // Numbers of another type to each rank, in memory of their own; nothing to itself.
  std::vector<std::vector<double>> doubles(ranks), doubles_in(ranks);
  std::vector<Vector2> vectors(ranks), vectors_in(ranks);
  std::vector<tutti::ConstBlock> in(ranks);
  std::vector<tutti::Block> out(ranks);
  const auto is_double = [](std::size_t from, std::size_t to) { return (from + to) % 2 == 1; };
  const auto me = static_cast<std::size_t>(rank);
  const auto sent = [](std::size_t from, std::size_t to) {
    return std::vector<double>(from + to,
                               100. * static_cast<double>(from) + static_cast<double>(to));
  };
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == me) continue;
    doubles[r] = sent(me, r);
    doubles_in[r].resize(r + me);
    vectors[r] = {1. * rank, static_cast<double>(r)};
    in[r] = is_double(me, r) ? tutti::ConstBlock(doubles[r]) : tutti::ConstBlock(vectors[r]);
    out[r] = is_double(r, me) ? tutti::Block(doubles_in[r]) : tutti::Block(vectors_in[r]);
  }
  const auto reset = [&] {
    for (auto& list : doubles_in) std::fill(list.begin(), list.end(), -1);
    std::fill(vectors_in.begin(), vectors_in.end(), Vector2{-1, -1});
  };
  const auto check = [&] {
    for (std::size_t r = 0; r < ranks; ++r) {
      if (r == me)
        expect(vectors_in[r] == Vector2{-1, -1}, form);
      else if (is_double(r, me))
        expect(doubles_in[r] == sent(r, me), form);
      else
        expect(vectors_in[r] == Vector2{static_cast<double>(r), 1. * rank}, form);
    }
  };
  const int before = types_alive;
  FORMS(alltoallw, reset, check, in, out);
  EXPECT(types_alive == before);
}

}  // namespace

const std::vector<Case> alltoall_cases = {CASE(alltoall), CASE(alltoallv), CASE(alltoallw)};

}  // namespace tutti::test
