// What each collective asks of each rank, and what cannot be asked.

#include "schedule/problem.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <stdexcept>

namespace tutti::core {

namespace {

constexpr std::array<std::string_view, collective_count> names = {
    "barrier",   "bcast",      "scatter",   "scatterv",  "gather",         "gatherv",
    "allgather", "allgatherv", "reduce",    "allreduce", "reduce_scatter", "reduce_scatter_block",
    "alltoall",  "alltoallv",  "alltoallw", "scan",      "exscan"};

std::size_t sum(const std::vector<std::size_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

Blocks blocks_of(Buffer buffer, const std::vector<std::size_t>& counts, int p, std::size_t count) {
  const Slice base{buffer, 0, 0};
  return counts.empty() ? Blocks::equal(base, p, count) : Blocks::of(base, counts);
}

}  // namespace

std::string_view name_of(Collective collective) { return names[static_cast<int>(collective)]; }

std::optional<Collective> collective_named(std::string_view name) {
  for (int i = 0; i < collective_count; ++i)
    if (names[i] == name) return static_cast<Collective>(i);
  return std::nullopt;
}

bool has_root(Collective c) {
  return c == Collective::bcast || c == Collective::scatter || c == Collective::scatterv ||
         c == Collective::gather || c == Collective::gatherv || c == Collective::reduce;
}

bool reduces(Collective c) {
  return c == Collective::reduce || c == Collective::allreduce || c == Collective::reduce_scatter ||
         c == Collective::reduce_scatter_block || c == Collective::scan || c == Collective::exscan;
}

bool is_vector(Collective c) {
  return c == Collective::bcast || c == Collective::reduce || c == Collective::allreduce ||
         c == Collective::scan || c == Collective::exscan;
}

bool is_irregular(Collective c) {
  return c == Collective::scatterv || c == Collective::gatherv || c == Collective::allgatherv ||
         c == Collective::reduce_scatter || c == Collective::alltoallv ||
         c == Collective::alltoallw;
}

bool is_alltoall(Collective c) {
  return c == Collective::alltoall || c == Collective::alltoallv || c == Collective::alltoallw;
}

bool has_common_blocks(Collective c) {
  return c == Collective::allgatherv || c == Collective::reduce_scatter;
}

std::string_view name_of(Evenness evenness) {
  return evenness == Evenness::any ? "any" : evenness == Evenness::even ? "even" : "uneven";
}

std::size_t usual_element_bytes(Collective c) { return reduces(c) ? sizeof(double) : 1; }

bool allows_in_place(Collective c) { return c != Collective::barrier && c != Collective::bcast; }

Blocks Call::blocks_in(Buffer buffer) const { return blocks_of(buffer, counts, p, count); }
Blocks Call::outgoing_in(Buffer buffer) const { return blocks_of(buffer, send_counts, p, count); }
Blocks Call::incoming_in(Buffer buffer) const { return blocks_of(buffer, recv_counts, p, count); }

std::size_t Call::total() const {
  if (collective == Collective::barrier) return 0;
  if (is_vector(collective)) return count;
  if (!send_counts.empty()) return sum(send_counts);
  return counts.empty() ? count * p : sum(counts);
}

Evenness Call::evenness() const {
  if (!has_common_blocks(collective)) return Evenness::any;
  if (counts.empty()) return Evenness::even;
  std::size_t most = 0, sum = 0;
  for (const std::size_t each : counts) most = std::max(most, each), sum += each;
  const std::size_t mean = (sum + counts.size() - 1) / counts.size();  // of few elements: one
  return most > 2 * mean ? Evenness::uneven : Evenness::even;
}

std::size_t Problem::total() const {
  if (collective == Collective::barrier) return 0;
  if (is_vector(collective)) return count;
  if (counts.empty()) return count * p;
  if (!is_alltoall(collective)) return sum(counts);
  return std::accumulate(counts.begin(), counts.begin() + p, std::size_t{0});
}

std::size_t Problem::input_count(Rank rank) const {
  if (is_in_place(rank) &&
      !(collective == Collective::scatter || collective == Collective::scatterv))
    return 0;
  switch (collective) {
    case Collective::barrier:
    case Collective::bcast: return 0;
    case Collective::scatter:
    case Collective::scatterv: return rank == root ? total() : 0;
    case Collective::gather:
    case Collective::gatherv:
    case Collective::allgather:
    case Collective::allgatherv: return block(rank);
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan: return count;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block: return total();
    case Collective::alltoall: return count * p;
    case Collective::alltoallv:
    case Collective::alltoallw: {
      std::size_t all = 0;
      for (Rank j = 0; j < p; ++j) all += block(rank, j);
      return all;
    }
  }
  return 0;
}

std::size_t Problem::output_count(Rank rank) const {
  switch (collective) {
    case Collective::barrier: return 0;
    case Collective::scatter:
    case Collective::scatterv: return is_in_place(rank) ? 0 : block(rank);
    case Collective::gather:
    case Collective::gatherv: return rank == root ? total() : 0;
    case Collective::allgather:
    case Collective::allgatherv: return total();
    case Collective::reduce: return rank == root ? count : 0;
    case Collective::bcast:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan: return count;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block: return is_in_place(rank) ? total() : block(rank);
    case Collective::alltoall: return count * p;
    case Collective::alltoallv:
    case Collective::alltoallw: {
      std::size_t all = 0;
      for (Rank i = 0; i < p; ++i) all += block(i, rank);
      return all;
    }
  }
  return 0;
}

Call Problem::call(Rank rank) const {
  Call call{.collective = collective,
            .p = p,
            .rank = rank,
            .root = root,
            .in_place = is_in_place(rank),
            .commutative = commutative,
            .element_bytes = element_bytes,
            .count = count,
            .counts = {},
            .send_counts = {},
            .recv_counts = {},
            .topology = topology};
  if (counts.empty()) return call;
  if (collective == Collective::alltoallv || collective == Collective::alltoallw) {
    for (Rank i = 0; i < p; ++i) {
      call.send_counts.push_back(block(rank, i));
      call.recv_counts.push_back(block(i, rank));
    }
    return call;
  }
  call.count = counts[rank];
  const bool only_the_root_knows =
      collective == Collective::scatterv || collective == Collective::gatherv;
  if (!only_the_root_knows || rank == root) call.counts = counts;
  return call;
}

void Problem::validate() const {
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("{}: {}", name_of(collective), what));
  };
  if (p < 1) fail(fmt::format("p = {}, but there must be at least one rank", p));
  if (root < 0 || root >= p)
    fail(fmt::format("root {} is not one of the ranks 0..{}", root, p - 1));
  if (root != 0 && !has_root(collective)) fail("this collective has no root");
  if (element_bytes < 1) fail("an element must have at least one byte");
  const std::size_t ranks = static_cast<std::size_t>(p);
  if (is_irregular(collective)) {
    const std::size_t needed = is_alltoall(collective) ? ranks * ranks : ranks;
    if (counts.size() != needed)
      fail(fmt::format("{} counts given, {} needed", counts.size(), needed));
  } else if (!counts.empty()) {
    fail("all blocks are equal here: give one count, not a list");
  }
  std::size_t room = (std::size_t{1} << 60) / element_bytes;
  const auto take = [&](std::size_t elements, std::size_t times) {
    if (elements > room / times) fail("more than 2^60 bytes in all: give smaller counts");
    room -= elements * times;
  };
  take(count, is_vector(collective) ? 1 : ranks);
  for (const std::size_t each : counts) take(each, 1);
  if (in_place.empty()) return;
  if (in_place.size() != ranks)
    fail(fmt::format("{} in-place flags for {} ranks", in_place.size(), p));
  for (Rank r = 0; r < p; ++r) {
    if (!in_place[r]) continue;
    if (!allows_in_place(collective)) fail("there is no in-place form");
    if (has_root(collective) && r != root) fail("only the root may call in place");
    for (Rank j = 0; is_alltoall(collective) && j < p; ++j)
      if (block(r, j) != block(j, r))
        fail(fmt::format("in place on rank {}, but it sends {} elements to rank {} and gets {}", r,
                         block(r, j), j, block(j, r)));
  }
}

std::string Problem::describe() const {
  std::string text = fmt::format("{}, p = {}", name_of(collective), p);
  if (has_root(collective)) text += fmt::format(", root {}", root);
  if (collective != Collective::barrier) text += fmt::format(", {} elements", total());
  if (reduces(collective) && !commutative) text += ", not commutative";
  std::size_t places = 0;
  for (const bool flag : in_place) places += flag;
  if (places > 0) text += places == in_place.size() ? ", in place" : ", in place on some ranks";
  return text;
}

Problem Problem::even(Collective collective, int p, std::size_t total) {
  Problem problem{.collective = collective, .p = p};
  const std::size_t ranks = p < 1 ? 1 : static_cast<std::size_t>(p);
  if (collective == Collective::barrier) return problem;
  if (is_vector(collective)) {
    problem.count = total;
  } else if (!is_irregular(collective)) {
    problem.count = total == 0 ? 0 : std::max<std::size_t>(1, total / ranks);
  } else {
    const std::size_t rows = is_alltoall(collective) ? ranks : 1;
    problem.counts.reserve(rows * ranks);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < ranks; ++j)
        problem.counts.push_back(total / ranks + (j < total % ranks ? 1 : 0));
  }
  return problem;
}

}  // namespace tutti::core
