// Every collective with every algorithm on simulated ranks. What only moves data is compared with
// the MPI's own; what combines is compared with the definition, since every rank knows all inputs.
//
//   bench/sim --platform switched --ranks 7 -- build/smpi/bin/test_sim_collectives

#include <fmt/format.h>
#include <mpi.h>
#include <tutti/tutti.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/registry.hpp"

namespace {

using Word = std::uint64_t;
using Words = std::vector<Word>;
using tutti::core::Collective;

int rank = 0, p = 1;

Word input(int of, std::size_t index) {
  return (static_cast<Word>(of) + 1) * 0x9e3779b97f4a7c15u + index * 0xbf58476d1ce4e5b9u;
}
Words inputs(std::size_t count) {
  Words list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = input(rank, i);
  return list;
}

/// Two halves of a word as x -> a x + b, one after the other: the order matters.
Word compose(Word left, Word right) {
  const auto a = static_cast<std::uint32_t>(left >> 32), b = static_cast<std::uint32_t>(left);
  const auto c = static_cast<std::uint32_t>(right >> 32), d = static_cast<std::uint32_t>(right);
  return static_cast<Word>(a * c) << 32 | static_cast<std::uint32_t>(a * d + b);
}
void compose_all(void* in, void* inout, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i)
    static_cast<Word*>(inout)[i] =
        compose(static_cast<const Word*>(in)[i], static_cast<const Word*>(inout)[i]);
}

/// Elements `from` on, of all ranks before `end` together.
Words combined(std::size_t from, std::size_t count, int end, bool commutes) {
  Words list(count);
  for (std::size_t i = 0; i < count; ++i) {
    list[i] = input(0, from + i);
    for (int r = 1; r < end; ++r)
      list[i] = commutes ? list[i] + input(r, from + i) : compose(list[i], input(r, from + i));
  }
  return list;
}

/// Unequal shares, some empty, that all ranks know.
struct Shares {
  std::vector<int> counts, places;
  int total = 0;
  Shares(int count, int salt) {
    for (int r = 0; r < p; ++r) {
      counts.push_back((r + salt) % 3 * count);
      places.push_back(total);
      total += counts.back();
    }
  }
};

struct Sides {
  Words ours, right;
};
std::size_t words(int count) { return static_cast<std::size_t>(count); }

const MPI_Datatype type = MPI_UINT64_T;
const MPI_Comm comm = MPI_COMM_WORLD;
MPI_Op composition = MPI_OP_NULL;

/// Makes a call twice, by Tutti and by the MPI's own, each time with a fresh output.
Sides both(Words& output, const Words& fresh, const std::function<int(bool)>& call) {
  Sides sides;
  for (const bool is_ours : {true, false}) {
    output = fresh;
    call(is_ours);
    (is_ours ? sides.ours : sides.right) = output;
  }
  return sides;
}

#define BOTH(name, Name, size, ...)                                        \
  both(output, Words(size, 0xeeee), [&](bool is_ours) {                    \
    return is_ours ? tutti_##name(__VA_ARGS__) : PMPI_##Name(__VA_ARGS__); \
  })

Sides moved(Collective collective, int count, int root) {
  const auto all = words(count * p);
  const Words in = inputs(all + 3 * all);
  const Shares shares(count, 1);
  const int mine = shares.counts[static_cast<std::size_t>(rank)];
  Words output;
  switch (collective) {
    case Collective::bcast:
      return both(
          output, rank == root ? Words(in.begin(), in.begin() + count) : Words(words(count)),
          [&](bool is_ours) {
            return (is_ours ? tutti_bcast : PMPI_Bcast)(output.data(), count, type, root, comm);
          });
    case Collective::scatter:
      return BOTH(scatter, Scatter, words(count), in.data(), count, type, output.data(), count,
                  type, root, comm);
    case Collective::scatterv:
      return BOTH(scatterv, Scatterv, words(mine), in.data(), shares.counts.data(),
                  shares.places.data(), type, output.data(), mine, type, root, comm);
    case Collective::gather:
      return BOTH(gather, Gather, rank == root ? all : 0, in.data(), count, type, output.data(),
                  count, type, root, comm);
    case Collective::gatherv:
      return BOTH(gatherv, Gatherv, rank == root ? words(shares.total) : 0, in.data(), mine, type,
                  output.data(), shares.counts.data(), shares.places.data(), type, root, comm);
    case Collective::allgather:
      return BOTH(allgather, Allgather, all, in.data(), count, type, output.data(), count, type,
                  comm);
    case Collective::allgatherv:
      return BOTH(allgatherv, Allgatherv, words(shares.total), in.data(), mine, type, output.data(),
                  shares.counts.data(), shares.places.data(), type, comm);
    case Collective::alltoall:
      return BOTH(alltoall, Alltoall, all, in.data(), count, type, output.data(), count, type,
                  comm);
    case Collective::alltoallv: {
      const Shares pairs(count, rank);  // rank r and s exchange as many words both ways
      return BOTH(alltoallv, Alltoallv, words(pairs.total), in.data(), pairs.counts.data(),
                  pairs.places.data(), type, output.data(), pairs.counts.data(),
                  pairs.places.data(), type, comm);
    }
    case Collective::alltoallw: {
      const Shares pairs(count, rank);
      std::vector<int> bytes(pairs.places);
      for (int& place : bytes) place *= static_cast<int>(sizeof(Word));
      const std::vector<MPI_Datatype> types(words(p), type);
      return BOTH(alltoallw, Alltoallw, words(pairs.total), in.data(), pairs.counts.data(),
                  bytes.data(), types.data(), output.data(), pairs.counts.data(), bytes.data(),
                  types.data(), comm);
    }
    default: tutti_barrier(comm); return {};
  }
}

Sides reduced(Collective collective, int count, int root, bool commutes) {
  const MPI_Op op = commutes ? MPI_SUM : composition;
  const Shares shares(count, 1);
  const auto size = words(count), here = static_cast<std::size_t>(rank);
  const Words in = inputs(words(shares.total) + size * words(p));
  Words out(in.size(), 0xeeee);
  const auto result = [&](Words right) {
    out.resize(right.size());
    return Sides{out, std::move(right)};
  };
  switch (collective) {
    case Collective::reduce:
      tutti_reduce(in.data(), out.data(), count, type, op, root, comm);
      return result(rank == root ? combined(0, size, p, commutes) : Words(size, 0xeeee));
    case Collective::allreduce:
      tutti_allreduce(in.data(), out.data(), count, type, op, comm);
      return result(combined(0, size, p, commutes));
    case Collective::scan:
      tutti_scan(in.data(), out.data(), count, type, op, comm);
      return result(combined(0, size, rank + 1, commutes));
    case Collective::exscan:
      tutti_exscan(in.data(), out.data(), count, type, op, comm);
      return result(rank > 0 ? combined(0, size, rank, commutes) : Words(size, 0xeeee));
    case Collective::reduce_scatter_block:
      tutti_reduce_scatter_block(in.data(), out.data(), count, type, op, comm);
      return result(combined(here * size, size, p, commutes));
    default:
      tutti_reduce_scatter(in.data(), out.data(), shares.counts.data(), type, op, comm);
      return result(combined(words(shares.places[here]), words(shares.counts[here]), p, commutes));
  }
}

/// One algorithm with several sizes and roots. Returns what is wrong, on all ranks alike.
std::string finding(Collective collective, const tutti::core::Algorithm& algorithm, bool commutes) {
  const std::string name(name_of(collective));
  if (tutti_force(name.c_str(), std::string(algorithm.name).c_str()) != MPI_SUCCESS)
    return "cannot be forced";
  unsigned long long before = 0, after = 0;
  tutti_count(name.c_str(), std::string(algorithm.name).c_str(), &before);
  unsigned long long calls = 0;
  for (const int count : {1, 13, 3000})
    for (const int root : {0, p - 1}) {
      const Sides sides = tutti::core::reduces(collective)
                              ? reduced(collective, count, root, commutes)
                              : moved(collective, count, root);
      ++calls;
      int wrong = sides.ours != sides.right, any = 0;
      PMPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, comm);
      if (any) return fmt::format("count {}, root {}: wrong result", count, root);
    }
  tutti_count(name.c_str(), std::string(algorithm.name).c_str(), &after);
  if (p > 1 && after - before != calls)
    return fmt::format("ran in {} of {} calls", after - before, calls);
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &p);
  PMPI_Op_create(compose_all, 0, &composition);
  int passed = 0, failed = 0;
  for (int number = 0; number < tutti::core::collective_count; ++number) {
    const auto collective = static_cast<Collective>(number);
    for (const tutti::core::Algorithm* algorithm : tutti::core::algorithms_of(collective))
      for (const bool commutes : {true, false}) {
        if (!commutes && !tutti::core::reduces(collective)) continue;
        if (!algorithm->valid.unmet(p, commutes).empty()) continue;
        const std::string why = finding(collective, *algorithm, commutes);
        ++(why.empty() ? passed : failed);
        if (!why.empty() && rank == 0)
          fmt::print("FAILED {}/{}{}, p = {}: {}\n", name_of(collective), algorithm->name,
                     commutes ? "" : " with an operator that does not commute", p, why);
      }
  }
  if (rank == 0) fmt::print("{} passed, {} failed\n", passed, failed);
  PMPI_Op_free(&composition);
  MPI_Finalize();
  return failed > 0 || passed == 0 ? 1 : 0;
}
