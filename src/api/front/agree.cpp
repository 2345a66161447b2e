// Compares what ranks say of their calls, and names those that differ.

#include "api/front/agree.hpp"

#include <fmt/format.h>

#include <map>

#include "api/process/native.hpp"
#include "select/choose.hpp"

namespace tutti::core {

namespace {

/// What one rank says of its call.
struct Vote {
  std::int32_t collective = 0, root = 0;
  std::int32_t op = 0;         // MPI's own: 1 + its place in the list below; a program's: -1, -2
  std::int32_t described = 1;  // 0: its arguments are wrong
  std::uint64_t bytes = 0;     // where all must have the same
  std::uint64_t counts = 0;    // a digest of the list that all must have

  auto operator<=>(const Vote&) const = default;
};

struct NamedOp {
  MPI_Op op;
  const char* name;
};
/// In one order on all ranks, whatever the handles.
const std::vector<NamedOp>& named_ops() {
  static const std::vector<NamedOp> list = {
      {MPI_SUM, "MPI_SUM"},   {MPI_PROD, "MPI_PROD"},     {MPI_MAX, "MPI_MAX"},
      {MPI_MIN, "MPI_MIN"},   {MPI_LAND, "MPI_LAND"},     {MPI_LOR, "MPI_LOR"},
      {MPI_LXOR, "MPI_LXOR"}, {MPI_BAND, "MPI_BAND"},     {MPI_BOR, "MPI_BOR"},
      {MPI_BXOR, "MPI_BXOR"}, {MPI_MAXLOC, "MPI_MAXLOC"}, {MPI_MINLOC, "MPI_MINLOC"}};
  return list;
}

std::int32_t number_of(MPI_Op op, bool commutative) {
  const std::vector<NamedOp>& list = named_ops();
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].op == op) return static_cast<std::int32_t>(i) + 1;
  return commutative ? -1 : -2;
}

std::string describe(const Vote& vote) {
  const auto collective = static_cast<Collective>(vote.collective);
  std::string text(name_of(collective));
  if (!vote.described) return text + " with wrong arguments";
  if (has_root(collective)) text += fmt::format(", root {}", vote.root);
  if (vote.op > 0)
    text += fmt::format(", {}", named_ops()[static_cast<std::size_t>(vote.op - 1)].name);
  if (vote.op == -1) text += ", a commutative operator of the program";
  if (vote.op == -2) text += ", an operator of the program that does not commute";
  if (vote.bytes > 0) text += fmt::format(", {} bytes", vote.bytes);
  if (vote.counts > 0) text += fmt::format(", counts with digest {:x}", vote.counts & 0xffff);
  return text;
}

Vote vote_of(Operation& operation, bool described) {
  const Call& call = operation.call;
  Vote vote;
  vote.collective = static_cast<std::int32_t>(call.collective);
  vote.described = described;
  if (has_root(call.collective)) vote.root = call.root;
  if (!described) return vote;
  if (operation.combines()) vote.op = number_of(operation.op, call.commutative);
  vote.bytes = common_bytes(call).value_or(0);
  if (has_common_blocks(call.collective))
    for (const std::size_t count : call.counts)
      vote.counts = (vote.counts + count + 1) * 0x9E3779B97F4A7C15u;
  return vote;
}

std::string list_of(const std::vector<int>& ranks) {
  return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks", fmt::join(ranks, ", "));
}

/// Sizes that each pair of ranks must agree on: what this rank sends to each, and expects from
/// each.
struct PairSizes {
  std::vector<std::uint64_t> sends, expects;
};
PairSizes pairs_of(const Call& call) {
  const auto p = static_cast<std::size_t>(call.p), root = static_cast<std::size_t>(call.root);
  PairSizes sizes{std::vector<std::uint64_t>(p), std::vector<std::uint64_t>(p)};
  const bool here = call.rank == call.root;
  switch (call.collective) {
    case Collective::scatterv:
      if (here) sizes.sends.assign(call.counts.begin(), call.counts.end());
      sizes.expects[root] = call.count;
      break;
    case Collective::gatherv:
      sizes.sends[root] = call.count;
      if (here) sizes.expects.assign(call.counts.begin(), call.counts.end());
      break;
    case Collective::alltoallv:
    case Collective::alltoallw:
      sizes.sends.assign(call.send_counts.begin(), call.send_counts.end());
      sizes.expects.assign(call.recv_counts.begin(), call.recv_counts.end());
      break;
    default: break;
  }
  return sizes;
}

std::string unequal_pair(const Call& call, MPI_Comm comm) {
  PairSizes sizes = pairs_of(call);
  std::vector<std::uint64_t> comes(sizes.sends.size());
  native().alltoall(sizes.sends.data(), 1, MPI_UINT64_T, comes.data(), 1, MPI_UINT64_T, comm);
  std::uint64_t mine[4] = {0, 0, 0, 0};  // found, from, sent, expected
  for (std::size_t i = 0; i < comes.size(); ++i)
    if (mine[0] == 0 && comes[i] != sizes.expects[i]) {
      mine[0] = 1;
      mine[1] = i;
      mine[2] = comes[i];
      mine[3] = sizes.expects[i];
    }
  std::vector<std::uint64_t> all(4 * comes.size());
  native().allgather(mine, 4, MPI_UINT64_T, all.data(), 4, MPI_UINT64_T, comm);
  std::string text;
  for (std::size_t i = 0; i < comes.size(); ++i)
    if (all[4 * i] != 0)
      text +=
          fmt::format("{}rank {} sends {} bytes to rank {}, which expects {}",
                      text.empty() ? "" : "; ", all[4 * i + 1], all[4 * i + 2], i, all[4 * i + 3]);
  return text.empty() ? text : fmt::format("{}: {}", name_of(call.collective), text);
}

}  // namespace

std::string disagreement(Operation& operation, bool described, MPI_Comm comm) {
  const Call& call = operation.call;
  if (call.p == 1) return {};
  meet(comm);
  const Vote mine = vote_of(operation, described);
  std::vector<Vote> votes(static_cast<std::size_t>(call.p));
  native().allgather(&mine, sizeof mine, MPI_BYTE, votes.data(), sizeof mine, MPI_BYTE, comm);
  std::map<Vote, std::vector<int>> by_vote;
  for (int i = 0; i < call.p; ++i) by_vote[votes[static_cast<std::size_t>(i)]].push_back(i);
  if (by_vote.size() == 1)
    return described && !common_bytes(call) ? unequal_pair(call, comm) : std::string{};
  std::string text = "the ranks of a communicator disagree:";
  for (const auto& [vote, ranks] : by_vote)
    text += fmt::format(" {} on {};", describe(vote), list_of(ranks));
  text.pop_back();
  return text;
}

}  // namespace tutti::core
