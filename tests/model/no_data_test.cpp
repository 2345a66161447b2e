// Without data only a barrier and counts to learn take time, in closed form as in the replay.

#include <gtest/gtest.h>

#include "cases.hpp"

namespace tutti::core {
namespace {

TEST(NoData, ClosedFormsEqualTheReplay) {
  for (const Algorithm& algorithm : registry())
    for (int p = 1; p <= 20; ++p) {
      if (!algorithm.valid.unmet(p, true).empty()) continue;
      for (const Rank root : roots_of(algorithm, p)) {
        const Problem problem = problem_of(algorithm, p, 0, root);
        const Parameters parameters = algorithm.resolve(problem, one_cost);
        const double replayed = replay_of(algorithm, problem, parameters, one_cost);
        if (algorithm.exact != Exact::topology) {
          EXPECT_NEAR(algorithm.seconds({p, 0, root, true, parameters}, one_cost), replayed, 1e-12)
              << algorithm.full_name() << ", p = " << p << ", root " << root;
        }
        if (p < 8) continue;  // few ranks need not learn
        // Nor do the ranks of one node: their root knows all.
        const bool is_rooted = algorithm.collective == Collective::scatterv ||
                               algorithm.collective == Collective::gatherv;
        if (algorithm.node_aware && is_rooted) continue;
        EXPECT_EQ(replayed > 0, algorithm.collective == Collective::barrier || algorithm.learns)
            << algorithm.full_name() << ", p = " << p << ", root " << root;
      }
    }
}

}  // namespace
}  // namespace tutti::core
