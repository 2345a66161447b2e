// Multigrid for a Poisson equation on a line. Each coarser level has half as many points; where
// ranks would have too few of them, every other rank goes on, on a communicator of that level. Each
// solve makes its levels anew, as a program does whose grid changes; each cycle has a norm on every
// level.
//
//   mpirun -n 4 multigrid [solves] [points of each rank, a power of two]

#include <cmath>
#include <vector>

#include "program.hpp"

namespace {

constexpr int fewest = 8;  // points of a rank
constexpr int cycles = 10;

struct Level {
  MPI_Comm comm;
  int rank = 0, p = 1, n = 0;
  std::vector<double> x, b, r;  // with a point of each neighbour
};

void halo(Level& on, std::vector<double>& x) {
  const int left = on.rank > 0 ? on.rank - 1 : MPI_PROC_NULL;
  const int right = on.rank + 1 < on.p ? on.rank + 1 : MPI_PROC_NULL;
  x[0] = x[static_cast<std::size_t>(on.n) + 1] = 0;
  MPI_Sendrecv(&x[1], 1, MPI_DOUBLE, left, 0, &x[on.n + 1], 1, MPI_DOUBLE, right, 0, on.comm,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&x[on.n], 1, MPI_DOUBLE, right, 1, &x[0], 1, MPI_DOUBLE, left, 1, on.comm,
               MPI_STATUS_IGNORE);
}

void smooth(Level& on, int times) {
  for (int k = 0; k < times; ++k) {
    halo(on, on.x);
    for (int i = 1; i <= on.n; ++i)
      on.r[i] = on.x[i] + 2.0 / 3 * ((on.b[i] + on.x[i - 1] + on.x[i + 1]) / 2 - on.x[i]);
    std::swap(on.x, on.r);
  }
}

double residual(Level& on) {
  halo(on, on.x);
  double mine = 0, all = 0;
  for (int i = 1; i <= on.n; ++i) {
    on.r[i] = on.b[i] - 2 * on.x[i] + on.x[i - 1] + on.x[i + 1];
    mine += on.r[i] * on.r[i];
  }
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, on.comm);
  return all;
}

/// The levels in which this rank takes part, the finest first.
std::vector<Level> make_levels(int n) {
  std::vector<Level> levels;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  while (comm != MPI_COMM_NULL) {
    Level level;
    level.comm = comm;
    MPI_Comm_rank(comm, &level.rank);
    MPI_Comm_size(comm, &level.p);
    level.n = n;
    const std::size_t size = static_cast<std::size_t>(n) + 2;
    level.x.assign(size, 0);
    level.b.assign(size, 0);
    level.r.assign(size, 0);
    levels.push_back(level);
    if (n > fewest) {
      n /= 2;
      MPI_Comm_dup(levels.back().comm, &comm);
    } else if (level.p > 1) {
      MPI_Comm_split(levels.back().comm, level.rank % 2 == 0 ? 0 : MPI_UNDEFINED, 0, &comm);
    } else {
      break;
    }
  }
  return levels;
}

/// Half of the points go on; where every other rank does, its neighbour's come to it.
void cycle(std::vector<Level>& levels, std::size_t at) {
  Level& fine = levels[at];
  const bool shrinks = fine.n <= fewest && fine.p > 1;
  const bool is_coarsest = fine.n <= fewest && fine.p == 1;
  smooth(fine, is_coarsest ? 50 : 3);
  residual(fine);
  if (is_coarsest) return;
  halo(fine, fine.r);
  const int half = fine.n / 2;
  std::vector<double> coarse(static_cast<std::size_t>(half));
  for (int i = 0; i < half; ++i)
    coarse[i] = fine.r[2 * i + 1] + 2 * fine.r[2 * i + 2] + fine.r[2 * i + 3];
  std::vector<double> found(coarse.size());
  const bool goes_on = !shrinks || fine.rank % 2 == 0;
  const int other = fine.rank + 1 < fine.p ? fine.rank + 1 : MPI_PROC_NULL;
  if (goes_on) {
    Level& next = levels[at + 1];
    std::fill(next.x.begin(), next.x.end(), 0);
    std::fill(next.b.begin(), next.b.end(), 0);
    std::copy(coarse.begin(), coarse.end(), next.b.begin() + 1);
    if (shrinks)
      MPI_Recv(&next.b[half + 1], half, MPI_DOUBLE, other, 2, fine.comm, MPI_STATUS_IGNORE);
    cycle(levels, at + 1);
    std::copy(next.x.begin() + 1, next.x.begin() + 1 + half, found.begin());
    if (shrinks) MPI_Send(&next.x[half + 1], half, MPI_DOUBLE, other, 3, fine.comm);
  } else {
    MPI_Send(coarse.data(), half, MPI_DOUBLE, fine.rank - 1, 2, fine.comm);
    MPI_Recv(found.data(), half, MPI_DOUBLE, fine.rank - 1, 3, fine.comm, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < half; ++i) {
    fine.x[2 * i + 2] += found[i];
    fine.x[2 * i + 1] += (found[i] + (i > 0 ? found[i - 1] : 0)) / 2;
  }
  smooth(fine, 3);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const long solves = argument(argc, argv, 1, 50);
  const int n = static_cast<int>(argument(argc, argv, 2, 256));
  double last = 0;
  const double begin = MPI_Wtime();
  for (long solve = 0; solve < solves; ++solve) {
    std::vector<Level> levels = make_levels(n);
    std::fill(levels[0].b.begin(), levels[0].b.end(), 1.0);
    for (int i = 0; i < cycles; ++i) cycle(levels, 0);
    last = residual(levels[0]);
    for (std::size_t i = levels.size(); i-- > 0;) MPI_Comm_free(&levels[i].comm);
  }
  tell(std::round(std::log10(last + 1e-30)), MPI_Wtime() - begin);
  MPI_Finalize();
}
