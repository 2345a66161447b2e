#include "model/replay.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "schedule/builder.hpp"

namespace tutti::core {
namespace {

// Numbers whose sums tell which terms they hold.
constexpr Rates replay_rates{
    .alpha = 1000, .beta = 10, .gamma = 1, .alpha_uni = 300, .beta_uni = 4};

Slice bytes(std::size_t count) { return {Buffer::output, 0, count}; }

std::vector<Schedule> schedules(int p, const std::function<void(Builder&, Rank)>& write) {
  std::vector<Schedule> all;
  for (Rank r = 0; r < p; ++r) {
    Builder b;
    write(b, r);
    all.push_back(b.take());
  }
  return all;
}

TEST(Replay, NothingTakesNoTime) {
  EXPECT_EQ(replay({}, 1, replay_rates), 0);
  EXPECT_EQ(replay(schedules(3, [](Builder&, Rank) {}), 1, replay_rates), 0);
}

TEST(Replay, OneWayAndExchange) {
  const auto one_way = schedules(2, [](Builder& b, Rank r) {
    b.round();
    r == 0 ? b.send(bytes(5), 1) : b.recv(bytes(5), 0);
  });
  EXPECT_EQ(replay(one_way, 1, replay_rates), 320);
  EXPECT_EQ(replay(one_way, 8, replay_rates), 300 + 40 * 4);
  const auto exchange = schedules(2, [](Builder& b, Rank r) {
    b.round();
    b.send(bytes(5), 1 - r);
    b.recv({Buffer::scratch, 0, 5}, 1 - r);
  });
  EXPECT_EQ(replay(exchange, 1, replay_rates), 1050);
}

TEST(Replay, TheSlowerViewHolds) {
  // Rank 1 sends and receives at once; its partners do only one of both.
  const auto chain = schedules(3, [](Builder& b, Rank r) {
    b.round();
    if (r < 2) b.send(bytes(5), r + 1);
    if (r > 0) b.recv({Buffer::scratch, 0, 5}, r - 1);
  });
  EXPECT_EQ(replay(chain, 1, replay_rates), 1050);
  Rates slow_one_way = replay_rates;
  slow_one_way.alpha_uni = 2000;
  EXPECT_EQ(replay(chain, 1, slow_one_way), 2020);
}

TEST(Replay, CombiningCostsPerByteAndCopyNothing) {
  const auto all = schedules(2, [](Builder& b, Rank r) {
    b.round();
    if (r == 0) return b.send(bytes(5), 1);
    b.recv_reduce(bytes(5), 0, Side::left);
    b.round();
    b.reduce({Buffer::input, 0, 7}, {Buffer::output, 0, 7}, Side::left);
    b.round();
    b.copy({Buffer::input, 0, 9}, {Buffer::output, 0, 9});
  });
  const std::vector<double> finish = finish_times(all, 2, replay_rates);
  EXPECT_EQ(finish[0], 340);
  EXPECT_EQ(finish[1], 340 + 10 + 14);
}

TEST(Replay, PortsTakeOneMessageAtATime) {
  const auto gather = schedules(4, [](Builder& b, Rank r) {
    b.round();
    if (r > 0) return b.send(bytes(5), 0);
    for (Rank i = 1; i < 4; ++i) b.recv({Buffer::output, 5u * i, 5}, i);
  });
  EXPECT_EQ(replay(gather, 1, replay_rates), 3 * 320);
  const auto alltoall = schedules(4, [](Builder& b, Rank r) {
    b.round();
    for (int i = 1; i < 4; ++i) {
      b.send({Buffer::input, 0, 5}, (r + i) % 4);
      b.recv({Buffer::output, 5u * i, 5}, (r + 4 - i) % 4);
    }
  });
  EXPECT_EQ(replay(alltoall, 1, replay_rates), 3 * 1050);
}

TEST(Replay, OnlyAsManyExchangesAsThereArePairs) {
  // Two sends and one receive: the second send goes one way.
  const auto all = schedules(3, [](Builder& b, Rank r) {
    b.round();
    if (r == 0) {
      b.send(bytes(5), 1);
      b.send(bytes(5), 2);
      b.recv({Buffer::scratch, 0, 5}, 1);
    } else if (r == 1) {
      b.send(bytes(5), 0);
      b.recv({Buffer::scratch, 0, 5}, 0);
    } else {
      b.recv(bytes(5), 0);
    }
  });
  EXPECT_EQ(replay(all, 1, replay_rates), 1050 + 320);
}

TEST(Replay, AReceiverTakesWhoIsReadyFirst) {
  // Rank 1 comes late, so rank 0 takes rank 2 first although it is listed second.
  const auto all = schedules(4, [](Builder& b, Rank r) {
    b.round();
    if (r == 3) return b.send(bytes(100), 1);
    if (r == 1) b.recv(bytes(100), 3);
    b.round();
    if (r > 0) return b.send(bytes(r == 1 ? 10 : 200), 0);
    b.recv({Buffer::output, 0, 10}, 1);
    b.recv({Buffer::output, 10, 200}, 2);
  });
  const std::vector<double> finish = finish_times(all, 1, replay_rates);
  EXPECT_EQ(finish[3], 700);
  EXPECT_EQ(finish[2], 1100);
  EXPECT_EQ(finish[1], 1100 + 340);
}

TEST(Replay, RanksRunAhead) {
  // Rank 0 is free after its send although the chain goes on.
  const auto chain = schedules(3, [](Builder& b, Rank r) {
    if (r > 0) {
      b.round();
      b.recv(bytes(5), r - 1);
    }
    if (r < 2) {
      b.round();
      b.send(bytes(5), r + 1);
    }
  });
  EXPECT_EQ(finish_times(chain, 1, replay_rates), (std::vector<double>{320, 640, 640}));
}

TEST(Replay, SendsLeaveTheirOrderRatherThanHang) {
  // Rank 0 lists rank 1 first, which waits for rank 2, which waits for rank 0.
  const auto all = schedules(3, [](Builder& b, Rank r) {
    b.round();
    if (r == 0) {
      b.send(bytes(5), 1);
      b.send(bytes(5), 2);
    } else if (r == 1) {
      b.recv({Buffer::scratch, 0, 5}, 2);
      b.round();
      b.recv(bytes(5), 0);
    } else {
      b.recv(bytes(5), 0);
      b.round();
      b.send(bytes(5), 1);
    }
  });
  EXPECT_EQ(replay(all, 1, replay_rates), 3 * 320);
}

TEST(Replay, RoundingDoesNotBreakTies) {
  // Both senders are ready after 0.1 + 0.2 + 0.3 s, summed in two orders.
  constexpr Rates per_byte{.alpha = 0, .beta = 0, .gamma = 0, .alpha_uni = 0, .beta_uni = 0.1};
  const auto all = schedules(5, [](Builder& b, Rank r) {
    const std::size_t sizes[2][3] = {{1, 2, 3}, {3, 2, 1}};
    if (r < 4)
      for (const std::size_t size : sizes[r / 2]) {
        b.round();
        r % 2 == 0 ? b.recv(bytes(size), r + 1) : b.send(bytes(size), r - 1);
      }
    b.round();
    if (r == 0) b.send(bytes(100), 4);
    if (r == 2) b.send(bytes(1), 4);
    if (r < 4) return;
    b.recv({Buffer::output, 0, 1}, 2);
    b.recv({Buffer::output, 1, 100}, 0);
  });
  EXPECT_NEAR(finish_times(all, 1, per_byte)[2], 0.7, 1e-9);
}

TEST(Replay, NamesWhatCannotRun) {
  const auto message_of = [](const std::vector<Schedule>& all) -> std::string {
    try {
      replay(all, 1, replay_rates);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  const auto alone = schedules(2, [](Builder& b, Rank r) {
    b.round();
    if (r == 1) b.send(bytes(5), 0);
  });
  EXPECT_EQ(message_of(alone),
            "replay: rank 1, round 0: a message has no partner; check the schedules");
  const auto deadlock = schedules(2, [](Builder& b, Rank r) {
    b.round();
    b.recv(bytes(5), 1 - r);
    b.round();
    b.send(bytes(5), 1 - r);
  });
  EXPECT_EQ(message_of(deadlock), "replay: deadlock, rank 0 waits in round 0; check the schedules");
}

// Two messages one after the other into rank 0, which then combines.
TEST(Replay, TimelineSaysWhenEachMessageTravels) {
  const auto both = schedules(3, [](Builder& b, Rank r) {
    b.round();
    if (r == 0) {
      b.recv(bytes(5), 1);
      b.recv_reduce(bytes(5), 2, Side::left);
    } else {
      b.send(bytes(5), 0);
    }
  });
  const Timeline times = timeline_of(both, 1, replay_rates);
  EXPECT_EQ(times.begins, (std::vector<double>{0, 320}));
  EXPECT_EQ(times.ends, (std::vector<double>{320, 640}));
  EXPECT_EQ(times.round_ends, (std::vector<std::vector<double>>{{645}, {320}, {640}}));
  EXPECT_EQ(finish_times(both, 1, replay_rates), (std::vector<double>{645, 320, 640}));
}

}  // namespace
}  // namespace tutti::core
