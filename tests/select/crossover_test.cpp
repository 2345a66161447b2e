#include "select/crossover.hpp"

#include <gtest/gtest.h>

#include "model/profile.hpp"
#include "model/replay.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "select/predict.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

const Profile& shipped(const std::string& name) {
  static std::map<std::string, Profile> all;
  if (all.empty())
    for (const auto& [each, text] : shipped_profiles()) all[each] = parse_profile(text, each);
  return all.at(name);
}

std::vector<const Algorithm*> named(const std::vector<std::string>& names) {
  std::vector<const Algorithm*> list;
  for (const std::string& name : names) list.push_back(parse_request(name).algorithm);
  return list;
}

double closed_form(const Algorithm& algorithm, int p, std::size_t n, const Rates& rates) {
  const Problem problem = even_problem(algorithm.collective, p, n);
  return algorithm.seconds({p, static_cast<double>(n), 0, true, algorithm.resolve(problem, rates)},
                           rates);
}

double replayed(const Algorithm& algorithm, int p, std::size_t n, const Rates& rates) {
  const Problem problem = even_problem(algorithm.collective, p, n);
  const Parameters parameters = algorithm.resolve(problem, rates);
  return replay(schedules_of(problem, algorithm, parameters), problem.element_bytes, rates);
}

TEST(Crossover, TheWinnerChangesJustThere) {
  int changes = 0, formulas = 0;
  for (const auto& [name, text] : shipped_profiles())
    for (const Collective collective :
         {Collective::bcast, Collective::allgather, Collective::reduce, Collective::allreduce,
          Collective::reduce_scatter, Collective::alltoall})
      for (const int p : {2, 3, 8, 24, 64, 100}) {
        const Rates& rates = shipped(name).rates;
        const auto reigns = crossovers(collective, p, rates);
        ASSERT_EQ(reigns.front().from, 1u);
        EXPECT_TRUE(reigns.front().formula.empty());
        for (std::size_t i = 1; i < reigns.size(); ++i) {
          const auto who = [&](std::size_t n) {
            return predict(collective, p, n, rates).front().algorithm;
          };
          EXPECT_EQ(who(reigns[i].from), reigns[i].algorithm) << name_of(collective) << " " << p;
          EXPECT_EQ(who(reigns[i].from - 1), reigns[i - 1].algorithm) << name_of(collective) << p;
          ++changes;
          formulas += !reigns[i].formula.empty();
        }
      }
  EXPECT_GT(changes, 50);
  EXPECT_GT(formulas, changes * 3 / 4) << changes;
}

struct Pair {
  std::string name, small, large, formula;
};

// The two formulas that the 2002 paper promised.
TEST(Crossover, FormulasOfThe2002Paper) {
  const std::vector<Pair> pairs{{"reduce_scatter", "recursive_doubling", "pairwise",
                                 "(p - 1 - lg p) alpha / ((lg p - 2 (p-1)/p) (beta + gamma))"},
                                {"bcast", "binomial", "scatter_allgather_recursive_doubling",
                                 "lg p alpha / ((lg p - (p-1)/p) beta_uni - (p-1)/p beta)"},
                                {"bcast", "binomial", "scatter_allgather_ring",
                                 "(p - 1) alpha / ((lg p - (p-1)/p) beta_uni - (p-1)/p beta)"}};
  const Rates& rates = shipped("myrinet-2000").rates;
  for (const Pair& pair : pairs) {
    const auto two = named({pair.name + "/" + pair.small, pair.name + "/" + pair.large});
    for (const int p : {8, 16, 32, 64, 128, 256}) {
      const auto reigns = crossovers(two[0]->collective, p, rates, true, two);
      ASSERT_EQ(reigns.size(), 2u) << pair.large << " " << p;
      EXPECT_EQ(reigns[0].algorithm, two[0]);
      EXPECT_EQ(reigns[1].algorithm, two[1]);
      EXPECT_EQ(reigns[1].formula, pair.formula) << p;
      const std::size_t n = reigns[1].from;
      EXPECT_LE(closed_form(*two[0], p, n - 1, rates), closed_form(*two[1], p, n - 1, rates));
      EXPECT_GE(closed_form(*two[0], p, n, rates), closed_form(*two[1], p, n, rates));
      if (p > 64) continue;  // schedules of doubles, a block for each rank
      const std::size_t unit = static_cast<std::size_t>(p) * 8;
      const std::size_t below = (n - 1) / unit * unit, above = below + unit;
      EXPECT_LE(replayed(*two[0], p, below, rates), replayed(*two[1], p, below, rates)) << p;
      EXPECT_GE(replayed(*two[0], p, above, rates), replayed(*two[1], p, above, rates)) << p;
    }
    // Few ranks: the tree, or the rounds, always win.
    const auto few = crossovers(two[0]->collective, 2, rates, true, two);
    EXPECT_EQ(few.size(), 1u) << pair.large;
  }
}

// What has parameters that follow n is a line in n for those that it has there.
TEST(Crossover, FormulasInNumbers) {
  const auto two = named({"bcast/binomial", "bcast/hybrid"});
  const auto reigns =
      crossovers(Collective::bcast, 16, shipped("gigabit-ethernet").rates, true, two);
  ASSERT_GE(reigns.size(), 2u);
  EXPECT_EQ(reigns[1].with.rfind("binomial, hybrid:long=", 0), 0u) << reigns[1].with;
  EXPECT_EQ(reigns[1].formula.find("lg p"), std::string::npos) << reigns[1].formula;
  EXPECT_NE(reigns[1].formula.find(" beta_uni"), std::string::npos) << reigns[1].formula;
}

TEST(Crossover, RefusesWhatHasNone) {
  EXPECT_THROW(crossovers(Collective::barrier, 8, Rates{}), std::invalid_argument);
  EXPECT_THROW(crossovers(Collective::alltoall, 6, Rates{}, true, named({"alltoall/pairwise_xor"})),
               std::invalid_argument);
}

}  // namespace
}  // namespace tutti::core
