// Errors: those of the MPI, sizes that do not fit, counts that no int holds.

#include <cstring>
#include <memory>
#include <span>

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void errors_of_the_mpi() {
  int x = 1;
  try {
    world.bcast(x, p + 3);
    throw std::runtime_error("nothing was thrown");
  } catch (const tutti::Error& error) {
    EXPECT(error.error_class() == MPI_ERR_ROOT && error.code() != MPI_SUCCESS);
    EXPECT(std::strlen(error.what()) > 5);
  }
  EXPECT(world.allreduce(x, tutti::sum) == p);
}

template <class Call>
void refuses(const std::vector<std::string>& parts, const Call& call) {
  const std::string text = thrown_by<std::invalid_argument>(call);
  expect(text.starts_with("tutti: "), text);
  for (const std::string& each : parts) expect(contains(text, each), text);
}

void sizes_that_do_not_fit() {
  const Ints five(5), all(5 * ranks);
  Ints out(4), room(5), rooms(5 * ranks);
  const std::string n = std::to_string(5 * ranks), short_of = std::to_string(5 * ranks - 1);
  Ints almost(5 * ranks - 1);
  refuses({"allreduce", "4 elements", "5 are"}, [&] { world.allreduce(five, out, tutti::sum); });
  refuses({"allreduce", "4 elements", "5 are"},
          [&] { world.iallreduce(five, out, tutti::sum).wait(); });
  refuses({"scan", "4 elements", "5 are"}, [&] { world.scan(five, out, tutti::sum); });
  refuses({"allgather", short_of, n}, [&] { world.allgather(five, almost); });
  refuses({"gather", short_of, n}, [&] { world.gather(five, almost, rank); });
  refuses({"scatter", short_of, n}, [&] { world.scatter(almost, room, rank); });
  refuses({"reduce", "4 elements", "5 are"}, [&] { world.reduce(five, out, tutti::sum, rank); });
  refuses({"reduce_scatter_block", "4 elements", "5 are"},
          [&] { world.reduce_scatter_block(all, out, tutti::sum); });
  refuses({"alltoall", short_of, n}, [&] { world.alltoall(all, almost); });
  if (p > 1) {
    refuses({"alltoall", short_of, "equal"}, [&] { (void)world.alltoall(almost); });
    refuses({"allgather", short_of, "equal"}, [&] { world.allgather(tutti::in_place, almost); });
    // All ranks hear of what only the root can see.
    refuses({"scatter", "rank 0", "equal"}, [&] { (void)world.scatter(almost, 0); });
  }
  const Ints fives(ranks, 5), too_many(ranks + 1, 5);
  refuses({"allgatherv", short_of, n}, [&] { world.allgatherv(five, almost, fives); });
  refuses({"allgatherv", "gives 4", "says 5"}, [&] { world.allgatherv(out, rooms, fives); });
  refuses({"allgatherv", std::to_string(p + 1) + " blocks"},
          [&] { world.allgatherv(five, rooms, too_many); });
  refuses({"gatherv", "gives 4", "says 5"}, [&] { world.gatherv(out, rooms, fives, rank); });
  refuses({"scatterv", "takes 4", "says 5"}, [&] { world.scatterv(all, fives, out, rank); });
  refuses({"scatterv", "rank 0", "piece"},
          [&] { (void)world.scatterv(std::vector<Ints>(ranks + 1), 0); });
  refuses({"alltoallv", std::to_string(p + 1) + " blocks"},
          [&] { (void)world.alltoallv(std::vector<Ints>(ranks + 1)); });
  refuses({"alltoallv", short_of, n}, [&] { world.alltoallv(all, fives, almost, fives); });
  refuses({"alltoallw", "0 blocks"}, [&] { world.alltoallw({}, {}); });
  refuses({"reduce_scatter", "4 elements", "5 are"},
          [&] { world.reduce_scatter(all, out, fives, tutti::sum); });
  refuses({"reduce_scatter", "follow"}, [&] {
    tutti::Layout spread(fives);
    spread.offsets.back() += 1;
    world.reduce_scatter(Ints(all.size() + 1), room, spread, tutti::sum);
  });
  refuses({"block 1", "-2"}, [&] { tutti::Layout(Ints{3, -2}); });
  refuses({"2 counts", "1 offsets"}, [&] { tutti::Layout({1, 2}, {3}); });
  refuses({"3 elements", "have 2"}, [&] { tutti::Pieces<int>(Ints{1, 2}, Ints(2)); });
  refuses({"allreduce", "same memory"}, [&] { world.allreduce(out, out, tutti::sum); });
  EXPECT(world.allreduce(1, tutti::sum) == p);
}

void counts_above_an_int() {
  // Nobody touches it: a broadcast to oneself.
  constexpr std::size_t many = (std::size_t{1} << 31) + 5;
  const std::unique_ptr<char[]> memory(new char[many]);
  const std::span<char> all(memory.get(), many);
  const tutti::Communicator self(MPI_COMM_SELF);
  const auto too_long = [&](const auto& call) {
    const std::string text = thrown_by<std::length_error>(call);
    expect(contains(text, std::to_string(many)) && contains(text, "2147483647"), text);
  };
#if MPI_VERSION >= 4
  self.bcast(all, 0);
#else
  too_long([&] { self.bcast(all, 0); });
#endif
  too_long([&] { self.ibcast(all, 0).wait(); });
  too_long([&] { (void)self.plan_allgatherv(tutti::in_place, all, tutti::Layout({many})); });
}

}  // namespace

const std::vector<Case> error_cases = {CASE(errors_of_the_mpi), CASE(sizes_that_do_not_fit),
                                       CASE(counts_above_an_int)};

}  // namespace tutti::test
