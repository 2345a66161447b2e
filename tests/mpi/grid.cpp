// Grids of ranks in the C++ interface: their lines, their order, what they own, and what is said
// about wrong use.
//
//   mpirun -n 6 grid
//
// Each case prints `ok NAME` or `failed NAME: why`; the last line counts them.

#include <tutti/tutti.hpp>

#include <numeric>
#include <optional>

#include "cases.hpp"

namespace {

int communicators_alive = 0, communicators_made = 0;

}  // namespace

// Communicators that the header makes are counted. Tutti itself asks the MPI by other names.
extern "C" {
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  const int code = PMPI_Comm_split(comm, color, key, made);
  communicators_alive += *made != MPI_COMM_NULL;
  return ++communicators_made, code;
}
int MPI_Comm_free(MPI_Comm* comm) { return --communicators_alive, PMPI_Comm_free(comm); }
}

namespace {

using Ints = std::vector<int>;
using tutti::test::Case;

int rank = 0, p = 1;
tutti::Communicator world(MPI_COMM_NULL);

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}
#define EXPECT(condition) expect(condition, fmt::format("line {}: {}", __LINE__, #condition))

/// Runs something that must be refused on all ranks, and says why it is.
template <class Call>
std::string refused(const Call& call) {
  std::string why;
  try {
    call();
  } catch (const std::invalid_argument& error) {
    why = error.what();
  }
  EXPECT(world.allreduce(why.empty() ? 0 : 1, tutti::sum) == p);  // and nobody waits for another
  return why;
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<Ints> pairs() {
  std::vector<Ints> result;
  for (int rows = 1; rows <= p; ++rows)
    if (p % rows == 0) result.push_back({rows, p / rows});
  return result;
}

void rows_and_columns() {
  for (const Ints& dims : pairs()) {
    const int columns = dims[1], row = rank / columns, column = rank % columns;
    const tutti::Grid grid(world, dims);
    EXPECT(grid && grid.dims() == dims && grid.coordinates() == (Ints{row, column}));
    EXPECT(grid.all().handle() == MPI_COMM_WORLD);
    EXPECT(grid.row().size() == columns && grid.row().rank() == column);
    EXPECT(grid.column().size() == dims[0] && grid.column().rank() == row);
    const Ints in_row = grid.row().allgather(rank), in_column = grid.column().allgather(rank);
    for (int j = 0; j < columns; ++j) EXPECT(in_row[j] == row * columns + j);
    for (int i = 0; i < dims[0]; ++i) EXPECT(in_column[i] == i * columns + column);
    EXPECT(grid.line(0).handle() == grid.column().handle());
    EXPECT(grid.line(1).handle() == grid.row().handle());
    for (int r = 0; r < p; ++r) EXPECT(grid.rank_at(grid.coordinates(r)) == r);
  }
}

void one_and_three_dimensions() {
  const tutti::Grid line(world, {p});
  EXPECT(line.coordinates() == Ints{rank} && line.line(0).size() == p);
  EXPECT(contains(refused([&] { (void)line.row(); }), "a grid of 1 dimensions has no row"));

  for (const Ints& dims : pairs()) {
    const Ints three = {dims[0], 1, dims[1]};
    const tutti::Grid grid(world, three);
    EXPECT(grid.line(0).size() == dims[0] && grid.line(1).size() == 1);
    EXPECT(grid.line(2).allreduce(rank, tutti::min) == rank / dims[1] * dims[1]);
    // A plane of two is a line where the third is 1; that of all is all.
    EXPECT(grid.plane({1, 2}).allgather(rank) == grid.line(2).allgather(rank));
    EXPECT(grid.plane({2, 0, 1}).size() == p && grid.plane({2, 0, 1}).rank() == rank);
    EXPECT(grid.plane({}).size() == 1);
    EXPECT(contains(refused([&] { (void)grid.plane({3}); }), "no dimension 3"));
    EXPECT(contains(refused([&] { (void)grid.column(); }), "use line()"));
  }
}

void another_order() {
  Ints backwards(p);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  for (const Ints& dims : pairs()) {
    const tutti::Grid grid(world, dims, backwards);
    EXPECT(grid.all().rank() == p - 1 - rank);
    EXPECT(grid.rank_at(grid.coordinates()) == grid.all().rank());
    const Ints row = grid.row().allgather(rank);
    for (int j = 1; j < dims[1]; ++j) EXPECT(row[j] == row[j - 1] - 1);
  }
}

void placed_on_a_network() {
  for (const Ints& dims : pairs()) {
    const auto same = tutti::placement({.dims = dims}, dims);
    EXPECT(same.largest_hop <= 1 && std::is_sorted(same.ranks.begin(), same.ranks.end()));
    // Transposed: rows of the grid are columns of the machine.
    const auto turned = tutti::placement({.dims = dims}, {dims[1], dims[0]});
    EXPECT(turned.largest_hop <= 1);
    const tutti::Grid grid(world, {dims[1], dims[0]}, turned.ranks);
    const Ints row = grid.row().allgather(rank);
    if (dims[0] != dims[1])
      for (int i = 1; i < dims[0]; ++i) EXPECT(row[i] - row[i - 1] == dims[1]);
    // One line, folded; and the ranks elsewhere.
    Ints where(p);
    for (int r = 0; r < p; ++r) where[r] = (r + 1) % p;
    const auto folded = tutti::placement({.dims = dims, .torus = true}, {p});
    const auto shifted = tutti::placement({.dims = dims, .torus = true, .where = where}, {p});
    EXPECT(folded.largest_hop <= 1);
    for (int k = 0; k < p; ++k) EXPECT(where[shifted.ranks[k]] == folded.ranks[k]);
    EXPECT(tutti::Grid(world, {p}, shifted.ranks).line(0).allgather(rank) == shifted.ranks);
  }
  EXPECT(contains(refused([] {
                    (void)tutti::placement({.dims = {2, 3}}, {4, 2});
                  }),
                  "a grid of '4x2' on a network of '2x3': give both as many places"));
  EXPECT(contains(refused([] {
                    (void)tutti::placement({.dims = {2}, .where = {0, 0}}, {2});
                  }),
                  "each of the 2 places once"));
  const int huge = 1 << 30;
  for (const Ints& dims : {Ints{}, Ints{0}, Ints{-2, -1}, Ints{huge, huge, huge}})
    EXPECT(!refused([&] { (void)tutti::placement({.dims = {2}}, dims); }).empty());
}

void from_a_cartesian_communicator() {
  for (const Ints& dims : pairs())
    for (const int periodic : {0, 1}) {
      const Ints periods(2, periodic);
      MPI_Comm cartesian = MPI_COMM_NULL;
      MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, &cartesian);
      {
        const tutti::Grid grid(cartesian);
        Ints mine(2);
        MPI_Cart_coords(cartesian, grid.all().rank(), 2, mine.data());
        EXPECT(grid.dims() == dims && grid.coordinates() == mine);
        EXPECT(grid.row().rank() == mine[1] && grid.column().rank() == mine[0]);
        int there = -1;
        MPI_Cart_rank(cartesian, (Ints{dims[0] - 1, 0}).data(), &there);
        EXPECT(grid.rank_at({dims[0] - 1, 0}) == there);
      }
      PMPI_Comm_free(&cartesian);
    }
  // MPI leaves ranks out that have no place.
  if (p > 1) {
    const int few = p - 1, no = 0;
    MPI_Comm cartesian = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &few, &no, 0, &cartesian);
    {
      const tutti::Grid grid(cartesian);
      EXPECT(static_cast<bool>(grid) == (rank < p - 1));
      if (grid) EXPECT(grid.line(0).allreduce(1, tutti::sum) == p - 1);
    }
    if (cartesian != MPI_COMM_NULL) PMPI_Comm_free(&cartesian);
  }
  EXPECT(contains(refused([] { tutti::Grid grid(MPI_COMM_WORLD); }), "no Cartesian topology"));
}

void some_ranks_left_out() {
  const tutti::Grid nobody;
  EXPECT(!nobody && nobody.dims().empty());
  if (p < 2) return;
  const tutti::Grid grid(world.split(rank < p - 1 ? 0 : MPI_UNDEFINED), {1, p - 1});
  EXPECT(static_cast<bool>(grid) == (rank < p - 1));
  if (grid)
    EXPECT(grid.row().allreduce(1, tutti::sum) == p - 1);
  else
    EXPECT(grid.coordinates().empty() && !grid.all());
}

void wrong_dimensions() {
  const auto says = [](const Ints& dims, const std::string& part) {
    const std::string why = refused([&] { tutti::Grid grid(world, dims); });
    expect(contains(why, part) && contains(why, "product must be"), why);
  };
  const std::string n = std::to_string(p), ranks = p == 1 ? " rank" : " ranks";
  says({}, "dimensions '' for " + n + ranks);
  says({0}, "dimensions '0'");
  says({p, 0}, "dimensions '" + n + "x0'");
  says({-1, -p}, "dimensions '-1x-" + n + "'");
  says({p + 1}, "dimensions '" + std::to_string(p + 1) + "' for " + n + ranks);
  says({2, p}, "dimensions '2x" + n + "'");
  says({1 << 16, 1 << 16, 1 << 16, 1 << 16}, "65536x");
  if (p > 1) says({1}, "split them off");
  const auto order = [](const Ints& list) {
    return refused([&] { tutti::Grid grid(world, {p}, list); });
  };
  EXPECT(contains(order(Ints(p + 1)), "each of the " + n + " once"));
  EXPECT(contains(order({p}), "once"));
  EXPECT(contains(order(Ints(p, -1)), "once"));
  const tutti::Grid grid(world, {1, p});
  EXPECT(contains(refused([&] {
                    (void)grid.rank_at({0, p});
                  }),
                  "no place (0, " + n + ") in a grid of 1x" + n));
  EXPECT(contains(refused([&] { (void)grid.rank_at({0}); }), "no place (0)"));
  EXPECT(contains(refused([&] { (void)grid.coordinates(p); }), "no rank " + n));
  EXPECT(contains(refused([&] { (void)grid.line(-1); }), "no dimension -1"));
}

void ranks_that_disagree() {
  if (p < 2) return;
  const Ints mine = rank == p - 1 ? Ints{p, 1} : Ints{1, p};
  EXPECT(contains(refused([&] { tutti::Grid grid(world, mine); }), "do not all give the same"));
  // Wrong on one rank alone: the others must not wait for it.
  const Ints wrong = rank == 0 ? Ints{0} : Ints{p};
  EXPECT(contains(refused([&] { tutti::Grid grid(world, wrong); }), "do not all give the same"));
}

void communicators_are_made_once() {
  const int before = communicators_alive;
  {
    std::optional<tutti::Grid> grid(std::in_place, world, Ints{1, p});
    EXPECT(communicators_alive == before + 2);
    const int made = communicators_made;
    for (int i = 0; i < 20; ++i) {
      int x = rank;
      grid->row().bcast(x, 0);
      EXPECT(x == 0 && grid->column().allreduce(rank, tutti::sum) == rank);
    }
    EXPECT(communicators_made == made);
    const tutti::Communicator row = grid->row();
    const tutti::Grid moved = std::move(*grid), copy = moved;
    grid.reset();
    EXPECT(communicators_alive == before + 2);
    EXPECT(copy.row().handle() == row.handle() && copy.row().allreduce(1, tutti::sum) == p);
  }
  EXPECT(communicators_alive == before);
}

const std::vector<Case> cases = {CASE(rows_and_columns),
                                 CASE(one_and_three_dimensions),
                                 CASE(another_order),
                                 CASE(placed_on_a_network),
                                 CASE(from_a_cartesian_communicator),
                                 CASE(some_ranks_left_out),
                                 CASE(wrong_dimensions),
                                 CASE(ranks_that_disagree),
                                 CASE(communicators_are_made_once)};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  world = tutti::Communicator::world();
  rank = world.rank();
  p = world.size();
  const int code = tutti::test::run_cases(cases, "", 120);
  const tutti::Grid late(world, {1, p});
  MPI_Finalize();
  if (communicators_alive != 2) fmt::print("failed: {} communicators left\n", communicators_alive);
  return communicators_alive != 2 ? 1 : code;  // the late one's: its end must be harmless
}
