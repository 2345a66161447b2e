#include "draw/routes.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "check_svg.hpp"
#include "request/request.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

Routes routes(const std::string& name, const std::string& mesh, Rank root = 0) {
  const Request request = parse_request(name);
  const Mesh network = parse_mesh(mesh);
  Problem problem = Problem::even(request.algorithm->collective, network.p(),
                                  static_cast<std::size_t>(network.p()));
  problem.root = root;
  const Parameters parameters =
      request.algorithm->resolve(problem, {1, 1, 1, 1, 1}, request.parameters);
  return routes_of(name, network, schedules_of(problem, *request.algorithm, parameters));
}

TEST(Routes, OfATree) {
  EXPECT_EQ(routes_text(routes("bcast/binomial", "2x3", 1)),
            R"(bcast/binomial on mesh:2x3
no link carries two messages of one step the same way

step 1: 1 message
  0 <1--- 1 ----- 2
  v1      |       |
  3 ----- 4 ----- 5

  1 -> 3

step 2: 2 messages
  0 ----- 1 ---1> 2
  |       |       |
  3 ---1> 4 ---1> 5

  1 -> 2   3 -> 5

step 3: 2 messages
  0 <1--- 1 ----- 2
  |       |       |
  3 ---1> 4 ----- 5

  1 -> 0   3 -> 4
)");
}

TEST(Routes, OfConflictsAndBothDirections) {
  EXPECT_EQ(routes_text(routes("allgather/recursive_doubling", "4")),
            R"(allgather/recursive_doubling on mesh:4
2 conflicts: a link carries up to 2 messages of one step the same way

step 1: 4 messages
  0 <1-1> 1 ----- 2 <1-1> 3

  0 -> 1   1 -> 0   2 -> 3   3 -> 2

step 2: 4 messages, up to 2 on a link
  0 <1-1> 1 <2-2> 2 <1-1> 3

  0 -> 2   1 -> 3   2 -> 0   3 -> 1
)");
}

TEST(Routes, OfATorus) {
  const std::string text = routes_text(routes("allgather/ring", "torus:3x3"));
  EXPECT_NE(text.find("links at the end of a row or column lead to its beginning\n"),
            std::string::npos);
  // 2 -> 3 and 5 -> 6 go round the row and down, 8 -> 0 round both.
  EXPECT_NE(text.find("step 1: 9 messages\n"
                      "  0 ---1> 1 ---1> 2 ---1>\n"
                      "  v1      |       |\n"
                      "  3 ---1> 4 ---1> 5 ---1>\n"
                      "  v1      |       |\n"
                      "  6 ---1> 7 ---1> 8 ---1>\n"
                      "  v1      |       |\n"),
            std::string::npos)
      << text;
}

TEST(Routes, LoadsAreThoseOfTheCheck) {
  for (const std::string mesh : {"3x5", "torus:4x4", "7"}) {
    const Routes drawn = routes("alltoall/pairwise", mesh);
    std::size_t conflicts = 0;
    int largest = 0;
    for (const Routes::Step& step : drawn.steps) {
      largest = std::max(largest, step.largest());
      for (const LoadedLink& each : step.links) conflicts += each.messages > 1;
    }
    const Request request = parse_request("alltoall/pairwise");
    const Problem problem = Problem::even(Collective::alltoall, drawn.mesh.p(), drawn.mesh.p());
    const Traffic traffic =
        traffic_on(drawn.mesh, schedules_of(problem, *request.algorithm, request.parameters));
    EXPECT_EQ(conflicts, traffic.conflicts());
    EXPECT_EQ(largest, traffic.largest());
    EXPECT_EQ(drawn.steps.size(), traffic.steps.size());
  }
}

TEST(Routes, PicturesAreClean) {
  for (const std::string name :
       {"bcast/binomial", "allgather/recursive_doubling", "alltoall/linear", "barrier/linear"})
    for (const std::string mesh : {"1", "5x1", "4x8", "torus:4x4", "torus:2x3", "torus:9"}) {
      SCOPED_TRACE(name + " on " + mesh);
      expect_clean(routes_svg(routes(name, mesh)));
    }
}

TEST(Routes, EveryMessageHasItsEnds) {
  const Routes drawn = routes("bcast/binomial", "4x8");
  std::size_t messages = 0;
  for (const Routes::Step& step : drawn.steps) messages += step.messages.size();
  const std::string document = routes_svg(drawn);
  std::size_t dots = 0;
  for (std::size_t at = 0; (at = document.find("r=\"1.8\"", at)) != std::string::npos; ++at) ++dots;
  EXPECT_EQ(dots, messages + 1);  // one in the legend
}

TEST(Routes, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(routes("bcast/binomial", "2x2x2"), std::invalid_argument);
  EXPECT_THROW(routes_of("nothing", parse_mesh("3"), {}), std::invalid_argument);
  EXPECT_THROW(routes_text(routes("bcast/binomial", "13")), std::invalid_argument);
}

}  // namespace
}  // namespace tutti::core
