// Communicators: made, copied, split, and freed with their last owner.

#include <optional>

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void communicators() {
  const auto same = tutti::Communicator::world();
  EXPECT(same.rank() == rank && same.size() == p && same.handle() == MPI_COMM_WORLD && same);
  const tutti::Communicator self(MPI_COMM_SELF);
  EXPECT(self.rank() == 0 && self.size() == 1 && self.allreduce(rank, tutti::sum) == rank);

  std::optional<tutti::Communicator> copy;
  {
    const auto half = world.split(rank % 2);
    EXPECT(half.size() == (p + 1 - rank % 2) / 2 && half.rank() == rank / 2);
    copy = half;
  }
  EXPECT(copy->allreduce(1, tutti::sum) == copy->size());
  EXPECT(communicators_alive == 1);
  copy.reset();
  EXPECT(communicators_alive == 0);

  const auto backwards = world.split(0, -rank);
  EXPECT(backwards.rank() == p - 1 - rank);
  const auto twin = world.duplicate();
  EXPECT(twin.rank() == rank && twin.size() == p && twin.handle() != MPI_COMM_WORLD);
  EXPECT(twin.allreduce(rank, tutti::max) == p - 1);

  const auto nobody = world.split(MPI_UNDEFINED);
  EXPECT(!nobody && nobody.size() == 0);
  EXPECT(contains(thrown_by<std::invalid_argument>([&] { nobody.barrier(); }), "in no group"));

  // An operation keeps the communicator it was made on.
  std::optional<tutti::Communicator> gone = world.duplicate();
  int sum = 0;
  auto plan = gone->plan_allreduce(rank, sum, tutti::sum);
  gone.reset();
  plan.start();
  plan.wait();
  EXPECT(sum == p * (p - 1) / 2);
}

void intercommunicators_are_refused() {
  if (p < 2) return;
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Intercomm_create(world.split(rank % 2).handle(), 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
  EXPECT(contains(thrown_by<std::invalid_argument>([&] { tutti::Communicator made(inter); }),
                  "intercommunicator"));
  PMPI_Comm_free(&inter);
}

}  // namespace

const std::vector<Case> communicator_cases = {CASE(communicators),
                                              CASE(intercommunicators_are_refused)};

}  // namespace tutti::test
