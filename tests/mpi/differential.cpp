// Random calls, Tutti against the MPI's own functions, every byte of every buffer compared.
//
//   mpirun -n 4 differential --algorithms catalogue.json --seed 1 --iterations 2000
//
// Every rank draws the same case from (seed, iteration): communicator, collective, types, operator,
// counts, root, in place, and an algorithm forced from the catalogue (what `tutti list --json`
// prints) or none. The MPI's side is called as PMPI_X: do not run this under the drop-in, which
// would compare Tutti with itself. A case that fails, hangs or crashes prints one line that
// repeats it; one that passes alone depends on those before it: repeat it with --iterations.

#include <fmt/format.h>
#include <tutti/tutti.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "catalogue.hpp"
#include "leaks.hpp"
#include "plain.hpp"
#include "values.hpp"

namespace tutti::test {
namespace {

struct Functions {
  decltype(&PMPI_Barrier) barrier;
  decltype(&PMPI_Bcast) bcast;
  decltype(&PMPI_Scatter) scatter;
  decltype(&PMPI_Scatterv) scatterv;
  decltype(&PMPI_Gather) gather;
  decltype(&PMPI_Gatherv) gatherv;
  decltype(&PMPI_Allgather) allgather;
  decltype(&PMPI_Allgatherv) allgatherv;
  decltype(&PMPI_Reduce) reduce;
  decltype(&PMPI_Allreduce) allreduce;
  decltype(&PMPI_Reduce_scatter) reduce_scatter;
  decltype(&PMPI_Reduce_scatter_block) reduce_scatter_block;
  decltype(&PMPI_Alltoall) alltoall;
  decltype(&PMPI_Alltoallv) alltoallv;
  decltype(&PMPI_Alltoallw) alltoallw;
  decltype(&PMPI_Scan) scan;
  decltype(&PMPI_Exscan) exscan;
};
constexpr Functions native = {PMPI_Barrier,   PMPI_Bcast,          PMPI_Scatter,
                              PMPI_Scatterv,  PMPI_Gather,         PMPI_Gatherv,
                              PMPI_Allgather, PMPI_Allgatherv,     PMPI_Reduce,
                              PMPI_Allreduce, PMPI_Reduce_scatter, PMPI_Reduce_scatter_block,
                              PMPI_Alltoall,  PMPI_Alltoallv,      PMPI_Alltoallw,
                              PMPI_Scan,      PMPI_Exscan};
constexpr Functions ours = {tutti_barrier,   tutti_bcast,          tutti_scatter,
                            tutti_scatterv,  tutti_gather,         tutti_gatherv,
                            tutti_allgather, tutti_allgatherv,     tutti_reduce,
                            tutti_allreduce, tutti_reduce_scatter, tutti_reduce_scatter_block,
                            tutti_alltoall,  tutti_alltoallv,      tutti_alltoallw,
                            tutti_scan,      tutti_exscan};

constexpr Functions plain = {PMPI_Barrier,    plain_bcast,          plain_scatter,
                             plain_scatterv,  plain_gather,         plain_gatherv,
                             plain_allgather, plain_allgatherv,     plain_reduce,
                             plain_allreduce, plain_reduce_scatter, plain_reduce_scatter_block,
                             plain_alltoall,  plain_alltoallv,      plain_alltoallw,
                             plain_scan,      plain_exscan};

const std::vector<std::string> collectives = core::catalogued_collectives();

/// A line of the catalogue.
struct Algorithm {
  std::string collective, name;
  bool power_of_two = false, commutative = false;
  bool consecutive = false;  // needs nodes of consecutive ranks ...
  bool ordered = false;      // ... if the operator does not commute
  std::vector<std::string> parameters;

  bool runs(int p, bool commutative_operator, bool consecutive_nodes) const {
    return (!power_of_two || (p & (p - 1)) == 0) && (!commutative || commutative_operator) &&
           (consecutive_nodes || !(consecutive || (ordered && !commutative_operator)));
  }
};

std::vector<Algorithm> read_catalogue(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("cannot read '{}' (--algorithms)", path));
  std::vector<Algorithm> all;
  for (const nlohmann::json& line : nlohmann::json::parse(file)) {
    const std::string valid = line.at("valid");
    Algorithm algorithm{line.at("collective"),
                        line.at("algorithm"),
                        valid.find("2^k") != valid.npos,
                        valid.find("; commutative") != valid.npos,
                        valid.find("; nodes of consecutive ranks") != valid.npos,
                        valid.find("; not commutative: nodes of consecutive ranks") != valid.npos,
                        {}};
    for (const nlohmann::json& parameter : line.at("parameters"))
      algorithm.parameters.push_back(parameter.at("name"));
    all.push_back(std::move(algorithm));
  }
  return all;
}

struct Communicator {
  const char* name;
  MPI_Comm comm;
  int color;  // ranks of different colours draw different cases
  bool consecutive_nodes = true, consecutive_domains = true;
};

/// Walking node by node, or domain by domain, is walking in rank order.
void find_consecutive(Communicator& of) {
  int p = 0;
  MPI_Comm_size(of.comm, &p);
  std::vector<int> nodes(static_cast<std::size_t>(p)), domains(nodes.size());
  tutti_node_transport transport;
  if (tutti_topology(of.comm, nodes.data(), domains.data(), &transport) != MPI_SUCCESS)
    throw std::runtime_error("tutti_topology fails");
  // They are numbered as they appear.
  of.consecutive_nodes = std::is_sorted(nodes.begin(), nodes.end());
  std::vector<std::pair<int, int>> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places.emplace_back(nodes[i], domains[i]);
  of.consecutive_domains = std::is_sorted(places.begin(), places.end());
}

std::vector<Communicator> make_communicators() {
  int rank = 0, p = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  std::vector<Communicator> all = {{"world", MPI_COMM_WORLD, 0}, {"self", MPI_COMM_SELF, rank}};
  const auto split = [&](const char* name, int color, int key) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
    all.push_back({name, comm, color});
  };
  split("odd and even", rank % 2, rank);
  split("reversed", 0, -rank);
  split("first and rest", rank == 0 ? 0 : 1, -rank);
  for (Communicator& each : all) {
    MPI_Comm_set_errhandler(each.comm, MPI_ERRORS_RETURN);
    find_consecutive(each);
  }
  return all;
}

/// One call, ready to run on any two buffers.
struct Case {
  std::string collective, algorithm, text;
  const Communicator* communicator = nullptr;
  int p = 1, rank = 0;
  bool moves_data = false;  // anything at all, on any rank
  bool plainly = false;     // compared with `plain`, not with the MPI's own
  std::deque<Layout> layouts;
  std::vector<Piece> send, recv;
  std::size_t misaligned = 0;
  bool exscan_leaves = false;  // rank 0's output stays as it was
  MPI_Op op = MPI_OP_NULL;
  bool op_is_ours = false;
  /// Writes operands into a buffer that contributes; nothing for moved data: noise is as good.
  std::function<void(unsigned char*, const std::vector<Piece>&, std::uint64_t)> fill;
  bool fills_send = false, fills_recv = false;
  std::function<int(const Functions&, void*, void*)> call;

  Case() = default;
  Case(const Case&) = delete;
  ~Case() {
    if (op_is_ours) MPI_Op_free(&op);
  }
};

/// Draws a case. `shared_` gives the same numbers on all ranks of the communicator; `mine_` is what
/// MPI leaves to each rank.
class Draw {
 public:
  Draw(Case& out, Random shared, const std::vector<Algorithm>& catalogue)
      : c_(out),
        shared_(shared),
        mine_(shared.next() + 1000003u * static_cast<unsigned>(c_.rank)),
        p_(static_cast<std::size_t>(c_.p)) {
    c_.collective = shared_.of(collectives);
    root_ = static_cast<int>(shared_.below(p_));
    is_root_ = c_.rank == root_;
    const std::string& name = c_.collective;
    if (name == "barrier")
      barrier();
    else if (name == "bcast")
      bcast();
    else if (name == "scatter" || name == "scatterv")
      scatter(name == "scatterv");
    else if (name == "gather" || name == "gatherv")
      gather(name == "gatherv");
    else if (name == "allgather" || name == "allgatherv")
      allgather(name == "allgatherv");
    else if (name == "alltoall")
      alltoall();
    else if (name == "alltoallv")
      alltoallv();
    else if (name == "alltoallw")
      alltoallw();
    else
      reduction();
    choose_algorithm(catalogue);
    c_.text =
        fmt::format("{}/{} on {} (p = {}){}", name, c_.algorithm.empty() ? "default" : c_.algorithm,
                    c_.communicator->name, c_.p, c_.text);
  }

 private:
  void note(const std::string& text) { c_.text += ", " + text; }

  // Sizes.

  std::size_t count(std::size_t most) {
    const std::size_t kind = shared_.below(20);
    if (kind < 2) return 0;
    if (kind < 5) return 1;
    if (kind < 13) return 1 + shared_.below(20);
    if (kind < 18) return 1 + shared_.below(std::min<std::size_t>(2000, most));
    return 1 + shared_.below(most);
  }

  /// Unequal counts: some zero, sometimes one rank has all.
  std::vector<std::size_t> counts(std::size_t number, std::size_t most) {
    std::vector<std::size_t> list(number, 0);
    const std::size_t scale = count(most);
    if (shared_.one_in(6)) {
      list[shared_.below(number)] = scale;
    } else {
      for (std::size_t& each : list) each = shared_.one_in(4) ? 0 : shared_.below(scale + 1);
    }
    return list;
  }

  // Types of moved data. A block is a number of atoms that MPI wants equal on both ends; how an
  // end groups and places them is its own business.

  /// What all ranks agree on: the atom's signature, and that every block is a multiple of unit_.
  void draw_signature() {
    signature_ = shared_.one_in(5) ? -1 : static_cast<int>(shared_.below(basics().size()));
    unit_ = shared_.of(std::vector<int>{1, 1, 2, 4, 6});
    c_.misaligned = mine_.one_in(4) ? 1 + mine_.below(7) : 0;
    // The MPIs themselves are sound only if all ranks group alike and no gap is in an atom.
    c_.plainly = unit_ > 1 || signature_ < 0 || atom().data.size() > 1;
  }

  Layout atom() {
    if (signature_ >= 0) return basics()[static_cast<std::size_t>(signature_)].layout;
    const std::vector<Layout> parts = {predefined(MPI_INT, "int", {{0, 4}}),
                                       predefined(MPI_CHAR, "char", {{0, 1}}),
                                       predefined(MPI_DOUBLE, "double", {{0, 8}})};
    switch (mine_.below(3)) {
      case 0: return structure(parts, {0, 4, 8}, 16);
      case 1: return structure(parts, {0, 4, 5}, 13);
      default: return structure(parts, {8, 15, 16}, 32);
    }
  }

  /// How this rank groups atoms: a divisor of unit_.
  int group() {
    int size = 0;
    do size = static_cast<int>(1 + mine_.below(static_cast<std::size_t>(unit_)));
    while (unit_ % size != 0);
    return size;
  }

  const Layout& layout(int group, std::size_t span) {
    const Layout one = atom();
    auto shape = mine_.one_in(3) ? Shape::plain : static_cast<Shape>(mine_.below(shape_count));
    // Open MPI 4.1.4 overruns 16 bytes where a fragment ends within this type, if there are gaps.
    if (one.type == MPI_C_LONG_DOUBLE_COMPLEX) shape = Shape::contiguous;
    c_.layouts.push_back(arrange(one, group, shape, span));
    return c_.layouts.back();
  }

  struct Block {
    std::size_t count = 0;
    const Layout* layout = nullptr;
    int number() const { return static_cast<int>(count); }
    MPI_Datatype type() const { return layout->type; }
  };

  /// `atoms` times unit_ atoms for one end, `blocks` of them one after the other.
  Block block(std::size_t atoms, std::size_t blocks, std::vector<Piece>& pieces) {
    const int size = group();
    const std::size_t number = atoms * static_cast<std::size_t>(unit_ / size);
    const Layout& type = layout(size, number * blocks);
    for (std::size_t i = 0; i < blocks; ++i)
      pieces.push_back({static_cast<MPI_Aint>(i * number) * type.extent, number, &type});
    return {number, &type};
  }

  struct Spread {
    std::vector<int> counts, places;
    const Layout* layout = nullptr;
    MPI_Datatype type() const { return layout ? layout->type : MPI_DATATYPE_NULL; }
    const int* counts_or_null() const { return counts.empty() ? nullptr : counts.data(); }
    const int* places_or_null() const { return places.empty() ? nullptr : places.data(); }
  };

  /// Blocks of one type in any order, with gaps, some before the buffer's address.
  Spread spread(const std::vector<std::size_t>& atoms, std::vector<Piece>& pieces) {
    const int size = group();
    Spread out;
    for (const std::size_t each : atoms)
      out.counts.push_back(static_cast<int>(each) * (unit_ / size));
    out.places.resize(atoms.size());
    int next = mine_.one_in(4) ? -static_cast<int>(mine_.below(5)) : 0;
    const int first = next;
    for (const std::size_t i : shuffled(atoms.size())) {
      next += mine_.one_in(2) ? 0 : static_cast<int>(mine_.below(4));
      out.places[i] = next;
      next += out.counts[i];
    }
    out.layout = &layout(size, static_cast<std::size_t>(next - first));
    for (std::size_t i = 0; i < atoms.size(); ++i)
      pieces.push_back({out.places[i] * out.layout->extent, static_cast<std::size_t>(out.counts[i]),
                        out.layout});
    return out;
  }

  std::vector<std::size_t> shuffled(std::size_t number) {
    std::vector<std::size_t> order(number);
    std::iota(order.begin(), order.end(), 0);
    if (mine_.one_in(2))
      for (std::size_t i = number; i > 1; --i) std::swap(order[i - 1], order[mine_.below(i)]);
    return order;
  }

  std::size_t most(std::size_t blocks) const {
    return std::max<std::size_t>(1, 100000 / static_cast<std::size_t>(unit_) / blocks);
  }

  std::vector<std::size_t> note_counts(std::vector<std::size_t> list) {
    note(fmt::format("{} x counts {}", unit_, fmt::join(list, " ")));
    c_.moves_data = std::accumulate(list.begin(), list.end(), std::size_t{0}) > 0;
    return list;
  }
  std::size_t note_count(std::size_t count) {
    note(fmt::format("{} x count {}", unit_, count));
    c_.moves_data = count > 0;
    return count;
  }
  void note_root() { note(fmt::format("root {}", root_)); }
  void note_types(const Layout* send, const Layout* recv) {
    if (send) note("send " + send->name);
    if (recv) note("recv " + recv->name);
    if (c_.misaligned) note(fmt::format("misaligned by {}", c_.misaligned));
  }

  // The collectives.

  void barrier() {
    c_.moves_data = true;
    c_.call = [&c = c_](const Functions& f, void*, void*) {
      return f.barrier(c.communicator->comm);
    };
  }

  void bcast() {
    draw_signature();
    const Block b = block(note_count(count(most(1))), 1, c_.recv);
    note_root();
    note_types(nullptr, b.layout);
    c_.call = [&c = c_, b, root = root_](const Functions& f, void*, void* buffer) {
      return f.bcast(buffer, b.number(), b.type(), root, c.communicator->comm);
    };
  }

  void scatter(bool irregular) {
    draw_signature();
    const bool in_place = shared_.one_in(4);
    const std::vector<std::size_t> sizes =
        irregular ? note_counts(counts(p_, most(p_)))
                  : std::vector<std::size_t>(p_, note_count(count(most(p_))));
    note_root();
    Spread s;
    Block each;
    if (is_root_ && irregular) s = spread(sizes, c_.send);
    if (is_root_ && !irregular) each = block(sizes[0], p_, c_.send);
    if (is_root_) s.layout = irregular ? s.layout : each.layout;
    const bool here = is_root_ && in_place;
    Block r;
    if (!here) r = block(sizes[static_cast<std::size_t>(c_.rank)], 1, c_.recv);
    if (in_place) note("in place");
    note_types(s.layout, r.layout);
    c_.call = [&c = c_, s, each, r, here, irregular, root = root_](const Functions& f, void* send,
                                                                   void* recv) {
      void* const to = here ? MPI_IN_PLACE : recv;
      const MPI_Datatype type = here ? MPI_DATATYPE_NULL : r.type();
      return irregular ? f.scatterv(send, s.counts_or_null(), s.places_or_null(), s.type(), to,
                                    r.number(), type, root, c.communicator->comm)
                       : f.scatter(send, each.number(), s.type(), to, r.number(), type, root,
                                   c.communicator->comm);
    };
  }

  void gather(bool irregular) {
    draw_signature();
    const bool in_place = shared_.one_in(4);
    const std::vector<std::size_t> sizes =
        irregular ? note_counts(counts(p_, most(p_)))
                  : std::vector<std::size_t>(p_, note_count(count(most(p_))));
    note_root();
    Spread r;
    Block each;
    if (is_root_ && irregular) r = spread(sizes, c_.recv);
    if (is_root_ && !irregular) each = block(sizes[0], p_, c_.recv);
    if (is_root_) r.layout = irregular ? r.layout : each.layout;
    const bool here = is_root_ && in_place;
    Block s;
    if (!here) s = block(sizes[static_cast<std::size_t>(c_.rank)], 1, c_.send);
    if (in_place) note("in place");
    note_types(s.layout, r.layout);
    c_.call = [&c = c_, s, each, r, here, irregular, root = root_](const Functions& f, void* send,
                                                                   void* recv) {
      const void* const from = here ? MPI_IN_PLACE : send;
      const MPI_Datatype type = here ? MPI_DATATYPE_NULL : s.type();
      return irregular ? f.gatherv(from, s.number(), type, recv, r.counts_or_null(),
                                   r.places_or_null(), r.type(), root, c.communicator->comm)
                       : f.gather(from, s.number(), type, recv, each.number(), r.type(), root,
                                  c.communicator->comm);
    };
  }

  void allgather(bool irregular) {
    draw_signature();
    c_.plainly = c_.plainly || c_.p == 1;
    const bool in_place = shared_.one_in(4);
    const std::vector<std::size_t> sizes =
        irregular ? note_counts(counts(p_, most(p_)))
                  : std::vector<std::size_t>(p_, note_count(count(most(p_))));
    Spread r;
    Block each;
    if (irregular)
      r = spread(sizes, c_.recv);
    else
      each = block(sizes[0], p_, c_.recv);
    if (!irregular) r.layout = each.layout;
    Block s;
    if (!in_place) s = block(sizes[static_cast<std::size_t>(c_.rank)], 1, c_.send);
    if (in_place) note("in place");
    note_types(s.layout, r.layout);
    c_.call = [&c = c_, s, each, r, in_place, irregular](const Functions& f, void* send,
                                                         void* recv) {
      const void* const from = in_place ? MPI_IN_PLACE : send;
      const MPI_Datatype type = in_place ? MPI_DATATYPE_NULL : s.type();
      return irregular ? f.allgatherv(from, s.number(), type, recv, r.counts.data(),
                                      r.places.data(), r.type(), c.communicator->comm)
                       : f.allgather(from, s.number(), type, recv, each.number(), r.type(),
                                     c.communicator->comm);
    };
  }

  void alltoall() {
    draw_signature();
    const bool in_place = shared_.one_in(4);
    const std::size_t size = note_count(count(most(p_)));
    const Block r = block(size, p_, c_.recv);
    Block s;
    if (!in_place) s = block(size, p_, c_.send);
    if (in_place) note("in place");
    note_types(s.layout, r.layout);
    c_.call = [&c = c_, s, r, in_place](const Functions& f, void* send, void* recv) {
      return f.alltoall(in_place ? MPI_IN_PLACE : send, s.number(),
                        in_place ? MPI_DATATYPE_NULL : s.type(), recv, r.number(), r.type(),
                        c.communicator->comm);
    };
  }

  /// What each rank sends to each; symmetric where in place asks for it.
  std::vector<std::size_t> matrix(bool symmetric) {
    std::vector<std::size_t> m = counts(p_ * p_, most(p_));
    for (std::size_t i = 0; symmetric && i < p_; ++i)
      for (std::size_t j = 0; j < i; ++j) m[i * p_ + j] = m[j * p_ + i];
    return note_counts(std::move(m));
  }
  std::vector<std::size_t> row(const std::vector<std::size_t>& m) const {
    const auto begin = m.begin() + static_cast<std::ptrdiff_t>(p_) * c_.rank;
    return {begin, begin + static_cast<std::ptrdiff_t>(p_)};
  }
  std::vector<std::size_t> column(const std::vector<std::size_t>& m) const {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < p_; ++i)
      list.push_back(m[i * p_ + static_cast<std::size_t>(c_.rank)]);
    return list;
  }

  void alltoallv() {
    draw_signature();
    const bool in_place = shared_.one_in(4);
    c_.plainly = c_.plainly || in_place;
    const std::vector<std::size_t> m = matrix(in_place);
    const Spread r = spread(column(m), c_.recv);
    Spread s;
    if (!in_place) s = spread(row(m), c_.send);
    if (in_place) note("in place");
    note_types(s.layout, r.layout);
    c_.call = [&c = c_, s, r, in_place](const Functions& f, void* send, void* recv) {
      return f.alltoallv(in_place ? MPI_IN_PLACE : send, s.counts_or_null(), s.places_or_null(),
                         s.type(), recv, r.counts.data(), r.places.data(), r.type(),
                         c.communicator->comm);
    };
  }

  /// A type of its own for every block; places in bytes.
  struct Mixed {
    std::vector<int> counts, places;
    std::vector<MPI_Datatype> types;
    template <class T>
    static const T* or_null(const std::vector<T>& list) {
      return list.empty() ? nullptr : list.data();
    }
  };

  Mixed mixed(const std::vector<std::size_t>& atoms, std::vector<Piece>& pieces) {
    Mixed out;
    out.counts.resize(atoms.size());
    out.places.resize(atoms.size());
    out.types.resize(atoms.size());
    MPI_Aint next = 0;
    for (const std::size_t i : shuffled(atoms.size())) {
      const int size = group();
      const std::size_t number = atoms[i] * static_cast<std::size_t>(unit_ / size);
      const Layout& type = layout(size, number);
      const MPI_Aint last = number ? static_cast<MPI_Aint>(number - 1) * type.extent : 0;
      const MPI_Aint place = next - type.least() + static_cast<MPI_Aint>(mine_.below(20));
      out.counts[i] = static_cast<int>(number);
      out.places[i] = static_cast<int>(place);
      out.types[i] = type.type;
      pieces.push_back({place, number, &type});
      next = place + last + type.end();
      note(fmt::format("{} {} at {}", number, type.name, place));
    }
    return out;
  }

  void alltoallw() {
    draw_signature();
    const bool in_place = shared_.one_in(4);
    c_.plainly = c_.plainly || in_place || c_.p == 1;
    const std::vector<std::size_t> m = matrix(in_place);
    const Mixed r = mixed(column(m), c_.recv);
    Mixed s;
    if (!in_place) s = mixed(row(m), c_.send);
    if (in_place) note("in place");
    c_.call = [&c = c_, s, r, in_place](const Functions& f, void* send, void* recv) {
      return f.alltoallw(in_place ? MPI_IN_PLACE : send, Mixed::or_null(s.counts),
                         Mixed::or_null(s.places), Mixed::or_null(s.types), recv, r.counts.data(),
                         r.places.data(), r.types.data(), c.communicator->comm);
    };
  }

  // Reductions: type and operator are equal on all ranks.

  /// Chooses a type and an operator that goes with it. `span`: elements one after the other.
  const Layout& operand(std::size_t span) {
    if (!shared_.one_in(3)) {
      const Basic* basic = nullptr;
      do basic = &shared_.of(basics());
      while (basic->operators == 0);
      const Operator chosen = shared_.of(operators_of(basic->operators));
      c_.op = chosen.op;
      c_.fill = [value = basic->value, op = c_.op](
                    unsigned char* base, const std::vector<Piece>& pieces, std::uint64_t seed) {
        Random random(seed);
        for (const Piece& piece : pieces)
          for (std::size_t i = 0; i < piece.count; ++i)
            put_value(base + piece.at + static_cast<MPI_Aint>(i) * piece.layout->extent, value, op,
                      random);
      };
      note(fmt::format("{} of {}", chosen.name, basic->layout.name));
      c_.layouts.push_back(basic->layout);
      return c_.layouts.back();
    }
    // A user's operator takes any bits in its words.
    const bool commutes = shared_.one_in(3);
    PMPI_Op_create(commutes ? user_add : user_compose, commutes, &c_.op);
    c_.op_is_ours = true;
    commutative_ = commutes;
    const Layout word = predefined(MPI_UINT32_T, "word", {{0, 4}});
    Layout pair;
    switch (shared_.below(4)) {
      case 0: pair = predefined(MPI_UINT64_T, "MPI_UINT64_T", {{0, 4}, {4, 4}}); break;
      case 1: pair = arrange(word, 2, Shape::contiguous, 1); break;
      case 2: pair = arrange(word, 2, Shape::gaps, 1); break;
      default: pair = structure({word, word}, {8, 0}, 12); break;
    }
    const int size = shared_.one_in(3) ? 1 : static_cast<int>(1 + shared_.below(4));
    const auto shape =
        shared_.one_in(3) ? Shape::plain : static_cast<Shape>(shared_.below(shape_count));
    c_.layouts.push_back(arrange(pair, size, shape, span));
    const Layout& type = c_.layouts.back();
    user_words().clear();
    for (std::size_t i = 0; i < type.data.size(); i += 2)
      user_words().push_back({type.data[i].at, type.data[i + 1].at});
    note(fmt::format("user {} of {}", commutes ? "sum" : "composition", type.name));
    return type;
  }

  void reduction() {
    const std::string& name = c_.collective;
    const bool scattered = name == "reduce_scatter" || name == "reduce_scatter_block";
    unit_ = 1;
    std::vector<std::size_t> sizes;
    if (name == "reduce_scatter") {
      sizes = note_counts(counts(p_, most(p_)));
    } else {
      sizes.assign(scattered ? p_ : 1, note_count(count(most(scattered ? p_ : 1))));
    }
    const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    const std::size_t own = scattered ? sizes[static_cast<std::size_t>(c_.rank)] : total;
    const Layout& type = operand(total);

    // In place: at the root, on everybody, or for the prefixes on whoever likes.
    const bool prefix = name == "scan" || name == "exscan";
    bool in_place = shared_.one_in(3);
    c_.plainly = type.derived() || (in_place && name == "reduce");
    if (name == "reduce") in_place = in_place && is_root_;
    if (prefix && shared_.one_in(2)) in_place = mine_.one_in(2);
    const bool receives = name != "reduce" || is_root_;
    if (!in_place) c_.send.push_back({0, total, &type});
    if (receives) {
      c_.recv.push_back({0, own, &type});
      // The input that stands behind the result may be used up.
      if (in_place && scattered)
        c_.recv.push_back({static_cast<MPI_Aint>(own) * type.extent, total - own, &type, false});
    }
    c_.fills_send = true;
    c_.fills_recv = in_place;
    c_.exscan_leaves = name == "exscan" && c_.rank == 0;
    if (name == "reduce") note_root();
    if (in_place) note("in place");

    const int number = static_cast<int>(scattered ? sizes[0] : total);
    std::vector<int> numbers(sizes.begin(), sizes.end());
    c_.call = [&c = c_, t = type.type, number, numbers, in_place, root = root_](
                  const Functions& f, void* send, void* recv) {
      const void* const from = in_place ? MPI_IN_PLACE : send;
      const MPI_Comm comm = c.communicator->comm;
      if (c.collective == "reduce") return f.reduce(from, recv, number, t, c.op, root, comm);
      if (c.collective == "allreduce") return f.allreduce(from, recv, number, t, c.op, comm);
      if (c.collective == "scan") return f.scan(from, recv, number, t, c.op, comm);
      if (c.collective == "exscan") return f.exscan(from, recv, number, t, c.op, comm);
      if (c.collective == "reduce_scatter")
        return f.reduce_scatter(from, recv, numbers.data(), t, c.op, comm);
      return f.reduce_scatter_block(from, recv, number, t, c.op, comm);
    };
  }

  std::string value_of(const std::string& parameter) {
    if (parameter == "segment") return fmt::format("{}", std::size_t{16} << shared_.below(12));
    if (parameter == "long") return commutative_ ? fmt::format("{}", shared_.below(3)) : "0";
    if (parameter != "shape") return fmt::format("{}", 2 + shared_.below(7));
    std::size_t rows = 1 + shared_.below(p_);
    while (p_ % rows != 0) --rows;
    return fmt::format("{}x{}", rows, p_ / rows);
  }

  void choose_algorithm(const std::vector<Algorithm>& catalogue) {
    std::vector<const Algorithm*> fitting;
    for (const Algorithm& each : catalogue)
      if (each.collective == c_.collective &&
          each.runs(c_.p, commutative_, c_.communicator->consecutive_nodes))
        fitting.push_back(&each);
    if (fitting.empty() || shared_.one_in(8)) return;
    const Algorithm& chosen = *shared_.of(fitting);
    c_.algorithm = chosen.name;
    char mark = ':';
    if (chosen.name == "multi_leader" && shared_.one_in(2) &&
        chosen.runs(c_.p, commutative_, c_.communicator->consecutive_domains)) {
      c_.algorithm += ":leaders=domains";
      // Of blocks that ranks learn on the way nothing runs between leaders but what is flat.
      const bool learns = c_.collective == "scatterv" || c_.collective == "gatherv" ||
                          c_.collective == "alltoallv" || c_.collective == "alltoallw";
      if (!learns && shared_.one_in(2)) c_.algorithm += ",inner=leader";
      return;
    }
    for (const std::string& parameter : chosen.parameters) {
      if (shared_.one_in(2) || parameter == "inner") continue;  // the model's, by name
      c_.algorithm += fmt::format("{}{}={}", mark, parameter, value_of(parameter));
      mark = ',';
    }
  }

  Case& c_;
  Random shared_, mine_;
  std::size_t p_;
  int root_ = 0;
  bool is_root_ = false;
  int signature_ = -1, unit_ = 1;
  bool commutative_ = true;
};

struct Options {
  std::uint64_t seed = 1;
  long iterations = 1000, only = -1;
  double seconds = 0;
  unsigned limit = 120;
  std::string algorithms;
};

// What a handler prints if the case hangs or crashes.
char repeat_line[4096];

void stop(int signal) {
  const char* what = signal == SIGALRM ? "HANGS " : "CRASHES ";
  (void)!write(1, what, std::strlen(what));
  (void)!write(1, repeat_line, std::strlen(repeat_line));
  _exit(3);
}

int class_of(int code) {
  int result = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &result);
  return result;
}

class Differential {
 public:
  Differential(Options options, std::string command)
      : options_(std::move(options)),
        command_(std::move(command)),
        catalogue_(read_catalogue(options_.algorithms)),
        communicators_(make_communicators()) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &p_);
  }

  int run() {
    const auto begin = std::chrono::steady_clock::now();
    const long first = options_.only >= 0 ? options_.only : 0;
    const long last = options_.only >= 0 ? first + 1 : options_.iterations;
    for (long i = first; i < last && failed_ < 20; ++i) {
      iteration(i);
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      // Rank 0's clock decides for all.
      int late = options_.seconds > 0 && spent.count() > options_.seconds;
      if (options_.seconds > 0) PMPI_Bcast(&late, 1, MPI_INT, 0, MPI_COMM_WORLD);
      if (late) break;
    }
    alarm(0);
    check_that_forced_algorithms_ran();
    if (rank_ == 0)
      fmt::print(
          "p = {}, seed {}: {} of {} algorithms forced; {} refused by the MPI and by Tutti\n"
          "{} passed, {} failed\n",
          p_, options_.seed, forced_.size(), catalogue_.size(), refused_, passed_, failed_);
    return failed_ ? 1 : 0;
  }

 private:
  void iteration(long i) {
    Random random(options_.seed * 1000003u + static_cast<std::uint64_t>(i));
    random.next();
    // Self and small groups less often than all.
    const std::size_t kind = random.below(10);
    const Communicator& communicator = communicators_[kind < 5 ? 0 : kind < 6 ? 1 : 2 + kind % 3];
    Random group(random.next() + 7919u * static_cast<unsigned>(communicator.color));
    const int repeats = random.one_in(3) ? 2 : 1;

    Case c;
    c.communicator = &communicator;
    MPI_Comm_size(communicator.comm, &c.p);
    MPI_Comm_rank(communicator.comm, &c.rank);
    Draw(c, group, catalogue_);
    std::snprintf(repeat_line, sizeof repeat_line, "%s --seed %llu --only %ld # rank %d: %.3500s\n",
                  command_.c_str(), static_cast<unsigned long long>(options_.seed), i, rank_,
                  c.text.c_str());
    alarm(options_.limit);

    std::string finding;
    if (tutti_force(c.collective.c_str(), c.algorithm.c_str()) != MPI_SUCCESS)
      finding = "tutti_force refuses the algorithm";
    // All ranks go on, also those that found something.
    for (int k = 0; k < repeats; ++k) {
      // What the MPI itself computes wrongly, or ends at, is not Tutti's where it does first calls.
      if (c.plainly && mpi_begins_) break;
      const std::string found = compare(c, random.next() + static_cast<unsigned>(rank_));
      if (finding.empty()) finding = found;
      if (c.p > 1 && c.moves_data && !c.algorithm.empty())
        ++forced_[{c.collective, c.algorithm.substr(0, c.algorithm.find(':'))}];
    }
    report(finding);
  }

  std::string compare(Case& c, std::uint64_t seed) {
    Memory sends[2] = {{c.send, c.misaligned, seed}, {c.send, c.misaligned, seed}};
    Memory recvs[2] = {{c.recv, c.misaligned, seed + 1}, {c.recv, c.misaligned, seed + 1}};
    const std::optional<Memory> before =
        c.exscan_leaves ? std::optional<Memory>(recvs[0]) : std::nullopt;
    int codes[2];
    for (int side = 0; side < 2; ++side) {
      if (c.fill && c.fills_send) c.fill(sends[side].base(), c.send, seed);
      if (c.fill && c.fills_recv) c.fill(recvs[side].base(), c.recv, seed);
      // An argument that means nothing here may be anything.
      void* const send = c.send.empty() ? nullptr : sends[side].base();
      void* const recv = c.recv.empty() ? nullptr : recvs[side].base();
      codes[side] = c.call(side == 1 ? ours : c.plainly ? plain : native, send, recv);
    }
    if (class_of(codes[0]) != class_of(codes[1]))
      return fmt::format("error class: native {}, tutti {}", class_of(codes[0]),
                         class_of(codes[1]));
    if (codes[0] != MPI_SUCCESS) {
      ++refused_;
      return "";
    }
    std::string text = Memory::difference(sends[0], sends[1], c.send);
    if (!text.empty()) return "send " + text;
    text = Memory::difference(recvs[0], recvs[1], c.recv);
    if (!text.empty()) return "recv " + text;
    if (before && !c.fills_recv) text = Memory::difference(*before, recvs[1], c.recv);
    return text.empty() ? "" : "exscan writes on rank 0: " + text;
  }

  /// The first rank that has found something prints the line.
  void report(const std::string& finding) {
    int mine = finding.empty() ? p_ : rank_, first = p_;
    PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == p_) {
      ++passed_;
      return;
    }
    ++failed_;
    if (first != rank_) return;
    std::string line = repeat_line;
    line.pop_back();
    fmt::print("FAILED {}: {}\n", line, finding);
    std::fflush(stdout);
  }

  /// An algorithm that was forced must have run, not another in its stead.
  void check_that_forced_algorithms_ran() {
    std::string finding;
    for (const auto& [name, calls] : forced_) {
      unsigned long long ran = 0;
      const int code = tutti_count(name.first.c_str(), name.second.c_str(), &ran);
      if (code == MPI_SUCCESS && ran >= calls) continue;
      finding = fmt::format("{}/{} was forced in {} calls and ran in {}", name.first, name.second,
                            calls, ran);
    }
    std::snprintf(repeat_line, sizeof repeat_line, "%s --seed %llu --iterations %ld # rank %d\n",
                  command_.c_str(), static_cast<unsigned long long>(options_.seed),
                  options_.iterations, rank_);
    report(finding);
  }

  Options options_;
  std::string command_;
  std::vector<Algorithm> catalogue_;
  std::vector<Communicator> communicators_;
  int rank_ = 0, p_ = 1;
  long passed_ = 0, failed_ = 0, refused_ = 0;
  const bool mpi_begins_ =
      std::atoi(std::getenv("TUTTI_YOUNG") ? std::getenv("TUTTI_YOUNG") : "1") > 0;
  std::map<std::pair<std::string, std::string>, unsigned long long> forced_;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--seed")
      options.seed = std::stoull(value);
    else if (name == "--iterations")
      options.iterations = std::stol(value);
    else if (name == "--only")
      options.only = std::stol(value);
    else if (name == "--time")
      options.seconds = std::stod(value);
    else if (name == "--limit")
      options.limit = static_cast<unsigned>(std::stoul(value));
    else if (name == "--algorithms")
      options.algorithms = value;
    else
      throw std::invalid_argument(fmt::format("unknown option '{}'", name));
  }
  if (argc % 2 == 0) throw std::invalid_argument(fmt::format("'{}' needs a value", argv[argc - 1]));
  if (options.algorithms.empty())
    throw std::invalid_argument("give --algorithms FILE, what 'tutti list --json' prints");
  if (options.seconds > 0) options.iterations = std::max(options.iterations, 1000000000L);
  return options;
}

int run(int argc, char** argv) {
  int p = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (p > most_ranks)
    throw std::invalid_argument(fmt::format("{} ranks: sums are exact for {} only", p, most_ranks));
  for (const int signal : {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(signal, stop);
  const Options options = read_options(argc, argv);
  return Differential(options, fmt::format("mpirun -n {} {} --algorithms {}", p, argv[0],
                                           options.algorithms))
      .run();
}

}  // namespace
}  // namespace tutti::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 2;
  try {
    code = tutti::test::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "differential: {}\n", error.what());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  if (tutti::test::loses_memory()) code = 1;
  MPI_Finalize();
  return code;
}
