// The executor on MPI posts a rank's sends in their order, and one that waits for its receiver
// holds up those behind it. No schedule may hang on that: here each rank has one send under way at
// a time, which ends only when its receiver is ready; in step that is only when what came in the
// rounds before is there.

#include <gtest/gtest.h>

#include <map>

#include "execute/program.hpp"
#include "verify/cases.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

class OneByOne {
 public:
  OneByOne(const std::vector<Schedule>& schedules, std::size_t room, bool in_step) {
    for (const Schedule& schedule : schedules) {
      Rank_& rank = ranks_.emplace_back();
      rank.program = compile(schedule, 0, room, in_step);
      for (const Program::Vertex& vertex : rank.program.vertices) {
        // A send that streams may as well wait for all of what it sends.
        rank.before_post.push_back(vertex.before_post + (vertex.last_source - vertex.first_source));
        rank.before_work.push_back(vertex.before_work);
      }
      rank.has_come.resize(rank.program.vertices.size());
      for (const std::uint32_t first : rank.program.queues)
        (rank.program.vertices[first].kind == Kind::send ? rank.sends
                                                         : rank.receives[peer(rank, first)]) =
            first;
    }
    for (Rank_& rank : ranks_)
      for (const std::uint32_t vertex : rank.program.start)
        if (rank.before_post[vertex] == 0) begin(rank, vertex);
  }

  /// How many actions are never done.
  std::size_t left_over() {
    for (bool moves = true; moves;) {
      moves = false;
      for (std::size_t r = 0; r < ranks_.size(); ++r) moves = send(static_cast<Rank>(r)) || moves;
    }
    std::size_t left = 0;
    for (const Rank_& rank : ranks_) left += rank.program.vertices.size() - rank.done;
    return left;
  }

 private:
  struct Rank_ {
    Program program;
    std::vector<std::uint32_t> before_post, before_work;
    std::vector<bool> has_come;
    std::uint32_t sends = Program::none;
    std::map<Rank, std::uint32_t> receives;  // by sender: the next one
    std::size_t done = 0;
  };

  static Rank peer(const Rank_& rank, std::uint32_t vertex) {
    return rank.program.vertices[vertex].peer;
  }

  /// The first send of a rank, if both it and its receive may begin.
  bool send(Rank number) {
    Rank_& from = ranks_[number];
    const std::uint32_t out = from.sends;
    if (out == Program::none || from.before_post[out] > 0) return false;
    Rank_& to = ranks_[peer(from, out)];
    const std::uint32_t in = to.receives.at(number);
    if (in == Program::none || to.before_post[in] > 0) return false;
    from.sends = from.program.vertices[out].next_in_queue;
    to.receives[number] = to.program.vertices[in].next_in_queue;
    complete(from, out);
    to.has_come[in] = true;
    if (to.before_work[in] == 0) complete(to, in);
    return true;
  }

  void begin(Rank_& rank, std::uint32_t vertex) {
    if (rank.program.vertices[vertex].queue == Program::none) complete(rank, vertex);
  }

  void complete(Rank_& rank, std::uint32_t vertex) {
    ++rank.done;
    for (std::uint32_t i = rank.program.vertices[vertex].first_after;
         i < rank.program.vertices[vertex].last_after; ++i) {
      const Program::After& after = rank.program.after[i];
      if (after.wait == Program::Wait::to_work) {
        if (--rank.before_work[after.vertex] == 0 && rank.has_come[after.vertex])
          complete(rank, after.vertex);
      } else if (--rank.before_post[after.vertex] == 0) {
        begin(rank, after.vertex);
      }
    }
  }

  std::vector<Rank_> ranks_;
};

TEST(OneByOne, NoAlgorithmHangs) {
  for (const Algorithm& algorithm : registry())
    for (const int p : {2, 3, 5, 8, 13}) {
      const std::vector<Case> cases = proof_cases(algorithm, p);
      for (std::size_t c = 0; c < cases.size(); ++c)
        for (const std::size_t room : {std::size_t{1}, std::size_t{1} << 20})
          for (const bool in_step : {false, true}) {
            OneByOne run(schedules_of(cases[c].problem, algorithm, cases[c].parameters), room,
                         in_step);
            ASSERT_EQ(run.left_over(), 0u)
                << algorithm.full_name() << ", " << cases[c].problem.describe() << ", " << in_step;
          }
    }
}

TEST(OneByOne, SeesARingThatHangs) {
  // Everyone receives only after its send, of what it does not need before: with sends that wait,
  // nobody gets anywhere.
  std::vector<Schedule> schedules;
  for (Rank r = 0; r < 3; ++r) {
    Builder b;
    b.round();
    b.send(Slice{Buffer::output, 0, 4}, (r + 1) % 3);
    b.round();
    b.recv(Slice{Buffer::output, 0, 4}, (r + 2) % 3);
    schedules.push_back(b.schedule());
  }
  EXPECT_EQ(OneByOne(schedules, 1 << 20, false).left_over(), 6u);
}

TEST(OneByOne, SeesReceivesInAnOrderThatHangs) {
  // Rank 2 expects first what 0 sends last: after it has heard of 1, which serves 2 before.
  const Slice one{Buffer::output, 0, 4}, other{Buffer::output, 4, 4};
  Builder b0, b1, b2;
  for (Builder* b : {&b0, &b1, &b2}) b->round();
  b0.recv(one, 1);
  b1.send(one, 2);
  b2.recv(one, 0);
  for (Builder* b : {&b0, &b1, &b2}) b->round();
  b0.send(one, 2);
  b1.send(one, 0);
  b2.recv(other, 1);
  const std::vector<Schedule> schedules{b0.schedule(), b1.schedule(), b2.schedule()};
  EXPECT_EQ(OneByOne(schedules, 1 << 20, false).left_over(), 0u);
  EXPECT_EQ(OneByOne(schedules, 1 << 20, true).left_over(), 6u);
}

}  // namespace
}  // namespace tutti::core
