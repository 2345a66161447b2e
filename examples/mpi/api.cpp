// The C++ interface in a minute: particles fall, the ranks talk. Link with -ltutti.

#include <cstdio>
#include <tutti/tutti.hpp>

struct Particle {
  double height, speed;
  int id;
};
TUTTI_REGISTER(Particle, &Particle::height, &Particle::speed, &Particle::id);

bool run(const tutti::Communicator& world) {
  const int rank = world.rank(), p = world.size();

  // Rank r has r + 1 particles. What the ranks before it have is where its numbers begin.
  const int first = world.exscan(rank + 1, tutti::sum).value_or(0);
  std::vector<Particle> mine;
  for (int i = 0; i <= rank; ++i) mine.push_back({10. + first + i, 0, first + i});

  // The root sets the step; a value or a range, it is the same call.
  double step = rank == 0 ? 0.125 : 0;
  world.bcast(step, 0);

  // A plan is made once and run in every step, here while the particles move.
  double energy = 0, total = 0;
  auto plan = world.plan_allreduce(energy, total, tutti::sum);
  for (int k = 0; k < 8; ++k) {
    energy = 0;
    for (const Particle& each : mine) energy += 9.81 * each.height + each.speed * each.speed / 2;
    plan.start();
    for (Particle& each : mine) {
      each.height += step * each.speed - step * step * 9.81 / 2;
      each.speed -= step * 9.81;
    }
    plan.wait();
  }

  // Which is the lowest? An operator may be a lambda; maxloc and minloc say where.
  const Particle lowest = world.allreduce(mine.front(), [](const Particle& a, const Particle& b) {
    return a.height < b.height ? a : b;
  });
  const auto at = world.allreduce(tutti::Located{mine.front().height, rank}, tutti::minloc);

  // Everybody's particles: the sizes travel with them. And the algorithm may be said.
  const tutti::Pieces<Particle> all = world.allgatherv(mine, tutti::Algorithm("ring"));
  const auto largest = world.iallreduce(mine.back().id, tutti::max).get();

  const bool right = all.data.size() == static_cast<std::size_t>(p * (p + 1) / 2) &&
                     largest + 1 == p * (p + 1) / 2 && lowest.id == 0 && at.index == 0;
  if (rank == 0)
    std::printf("%zu particles, energy %.3f, the lowest is %d at %.3f\n", all.data.size(), total,
                lowest.id, lowest.height);
  return right;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool right = run(tutti::Communicator::world());
  MPI_Finalize();
  return right ? 0 : 1;
}
