// The rules of self-consistency, and which of a grid's cells break one.

#include "measure/guidelines.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "measure/results.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core {

namespace {

using enum Collective;

struct Rule {
  Collective left;
  std::vector<Collective> right;
};

/// All with the same bytes in all.
const std::vector<Rule>& rules() {
  static const std::vector<Rule> table = {
      {allreduce, {reduce, bcast}},
      {allreduce, {reduce_scatter_block, allgather}},
      {reduce, {allreduce}},
      {reduce, {reduce_scatter_block, gather}},
      {reduce_scatter_block, {reduce, scatter}},
      {reduce_scatter_block, {allreduce}},
      {reduce_scatter, {reduce, scatterv}},
      {bcast, {scatter, allgather}},
      {allgather, {gather, bcast}},
      {allgather, {alltoall}},
      {gather, {allgather}},
      {gather, {reduce}},
      {scatter, {bcast}},
      // A regular collective is a case of its irregular form.
      {scatter, {scatterv}},
      {gather, {gatherv}},
      {allgather, {allgatherv}},
      {alltoall, {alltoallv}},
      {reduce_scatter_block, {reduce_scatter}},
  };
  return table;
}

}  // namespace

std::string Guideline::describe() const {
  if (right.size() == 1 && right.front().collective == left.collective)
    return fmt::format("{0} {1} <= {0} {2}", name_of(left.collective), format_bytes(left.bytes),
                       format_bytes(right.front().bytes));
  std::string text = fmt::format("{} <=", name_of(left.collective));
  for (std::size_t i = 0; i < right.size(); ++i)
    text += fmt::format("{} {}", i == 0 ? "" : " +", name_of(right[i].collective));
  return text;
}

std::vector<Guideline> guidelines(int p, const std::vector<std::size_t>& given) {
  // In order, and cut to whole doubles on every rank, so that all sides have the same bytes.
  const std::size_t one = 8 * static_cast<std::size_t>(p);
  std::set<std::size_t> whole;
  for (const std::size_t bytes : given) whole.insert(bytes < one ? bytes : bytes / one * one);
  const std::vector<std::size_t> sizes(whole.begin(), whole.end());
  std::vector<Guideline> list;
  const auto cell = [p](Collective collective, std::size_t bytes) {
    return Cell{.collective = collective, .p = p, .bytes = bytes};
  };
  for (const Rule& rule : rules())
    for (const std::size_t bytes : sizes) {
      if (bytes < one) continue;
      Guideline& made = list.emplace_back(Guideline{cell(rule.left, bytes), {}});
      for (const Collective each : rule.right) made.right.push_back(cell(each, bytes));
    }
  for (const Collective each :
       {bcast, scatter, gather, allgather, reduce, allreduce, reduce_scatter_block, alltoall, scan})
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
      list.push_back({cell(each, sizes[i]), {cell(each, sizes[i + 1])}});
  return list;
}

nlohmann::ordered_json json_of(const Judgement& judgement) {
  const auto us = [](const Median& m) {
    return nlohmann::ordered_json{m.value * 1e6, m.low * 1e6, m.high * 1e6};
  };
  return {{"rule", judgement.rule.describe()},
          {"p", judgement.rule.left.p},
          {"bytes", judgement.rule.left.bytes},
          {"who", judgement.who},
          {"left_us", us(judgement.left)},
          {"right_us", us(judgement.right)},
          {"factor", {judgement.factor.value, judgement.factor.low, judgement.factor.high}},
          {"violated", judgement.is_violated()}};
}

std::string table_line(const Judgement& judgement) {
  return fmt::format("{:<8} {:<52} {:>5} {:>5} {:>9} {:>9} {:>6.2f} ({:.2f}-{:.2f})\n",
                     judgement.who, judgement.rule.describe(), judgement.rule.left.p,
                     format_bytes(judgement.rule.left.bytes), format_seconds(judgement.left.value),
                     format_seconds(judgement.right.value), judgement.factor.value,
                     judgement.factor.low, judgement.factor.high);
}

}  // namespace tutti::core
