// The drop-in for BLACS: broadcasts and combines of unchanged programs run through Tutti. A call
// that is wrong, and one that asks for what Tutti has not, goes to the BLACS as it came; which is
// decided by what all processes of the scope know alike.

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <complex>
#include <optional>
#include <type_traits>

#include "api/front/drop_in.hpp"
#include "blacs/extreme.hpp"
#include "blacs/grid.hpp"
#include "blacs/matrix.hpp"
#include "blacs/reference.hpp"
#include "blacs/topology.hpp"
#include "schedule/problem.hpp"
#include "tutti/tutti.h"

namespace tutti::core::blacs {

namespace {

constexpr int what_broadcast_rings = 11, what_broadcast_branches = 12;
constexpr int what_combine_rings = 13, what_combine_branches = 14, what_repeatable = 15;

constexpr const char* for_blacs_to_judge = "arguments for BLACS to judge";
constexpr const char* unlike_any = "a topology that Tutti has not";
/// There is nothing to choose, and BLACS does not wait until its message is on its way.
constexpr const char* one_message = "two processes: one message";

char lower(const char* letter) { return *letter >= 'A' && *letter <= 'Z' ? *letter | 32 : *letter; }

/// What calls have in common.
struct Call {
  Call(int context_number, const char* scope_letter, const char* topology_letter)
      : context(context_number),
        grid(grid_of(context_number)),
        scope(grid != nullptr ? grid->scope(lower(scope_letter)) : nullptr),
        scope_name(lower(scope_letter)),
        topology(lower(topology_letter)) {}

  /// The caller's rank in the scope, and that of a process of the grid; -1: there is none.
  int rank() const { return scope != nullptr ? scope->rank : -1; }
  int rank_of(int row, int column) const {
    if (scope == nullptr) return -1;
    const int rows = grid->scope('c')->p, columns = grid->columns();
    const bool has_row = row >= 0 && row < rows, has_column = column >= 0 && column < columns;
    switch (scope_name) {
      case 'r': return has_column ? column : -1;
      case 'c': return has_row ? row : -1;
      default: return has_row && has_column ? row * columns + column : -1;
    }
  }

  int context;
  const Grid* grid;
  const Scope* scope;  // null: nobody knows it
  char scope_name, topology;
};

/// The BLACS's own routine with the arguments of the call. Lives as long as the expression that
/// makes it.
class Own {
 public:
  template <class Routine>
  Own(Routine&& routine)
      : make_([](void* it) { (*static_cast<std::remove_reference_t<Routine>*>(it))(); }),
        routine_(&routine) {}

  /// Makes the call, for a reason.
  void run(Collective collective, const Call& call, long long bytes, const char* why) const {
    tutti_left left{static_cast<int>(collective), 0, 0, 0, why};
    if (call.scope != nullptr) {
      left.ranks = call.scope->p;
      left.rank = call.scope->rank;
      left.bytes = static_cast<std::size_t>(std::max(0LL, bytes));
    }
    tutti_leave(&left, make_, routine_);
  }

 private:
  void (*make_)(void*);
  void* routine_;
};

template <class Part>
bool has_size(const Part& part) {
  return part.m >= 0 && part.n >= 0 && part.count() <= INT_MAX;
}

void use_next(int algorithm) {
  if (algorithm != 0) tutti_use_next(algorithm);
}

/// Broadcasts. `root`: its rank in the scope, -1 if it is none.
template <class T, class Part>
void broadcast(const Call& call, const Part& part, T* a, int lda, int root, bool sends,
               const Own& own) {
  std::optional<BroadcastWay> way;
  const char* why = nullptr;
  if (call.scope == nullptr || !has_size(part) || root < 0 ||
      (!sends && root == call.scope->rank)) {
    why = for_blacs_to_judge;
  } else {
    Shape shape;
    if (call.topology == 't') shape.branches = setting_of(call.context, what_broadcast_branches);
    if (call.topology == 'm') shape.rings = setting_of(call.context, what_broadcast_rings);
    way = broadcast_way(call.topology, call.scope->p, shape);
    why = !way ? unlike_any : call.scope->why;
  }
  constexpr auto collective = Collective::bcast;
  if (why == nullptr) why = tutti_leaves(static_cast<int>(collective), call.scope->comm);
  if (why == nullptr && call.scope->p == 2) why = one_message;
  const long long count = part.count();
  if (why != nullptr)
    return own.run(collective, call, count * static_cast<long long>(sizeof(T)), why);
  Dense<T, Part> dense(part, a, lda);
  T* const data = dense.data(sends);
  use_next(way->algorithm);
  tutti_bcast(data, static_cast<int>(count), datatype_of<T>(), root, call.scope->comm);
  if (!sends) dense.finish();
}

/// What a combination needs to run: how, and who gets the result.
struct Combination {
  int destination = -1;  // in the scope; -1: all
  CombineWay way;
  const char* why = nullptr;  // it goes to the BLACS

  bool is_for(const Scope& scope) const { return destination == -1 || destination == scope.rank; }
  Collective collective() const {
    return destination == -1 && way.one_step ? Collective::allreduce : Collective::reduce;
  }
};

/// `exact`: the result does not depend on the order.
Combination combination(const Call& call, int m, int n, bool exact, int row, int column) {
  Combination result;
  const bool for_all = row == -1 || column == -1;
  if (call.scope == nullptr || !has_size(Rectangle{m, n})) {
    result.why = for_blacs_to_judge;
    return result;
  }
  if (!for_all) {
    result.destination = call.rank_of(row, column);
    if (result.destination == -1) {
      result.why = for_blacs_to_judge;
      return result;
    }
  }
  Shape shape;
  char topology = call.topology;
  if (topology == 't') shape.branches = setting_of(call.context, what_combine_branches);
  if (topology == 'm') shape.rings = setting_of(call.context, what_combine_rings);
  // What Tutti chooses may follow where ranks live. A tree is the same in every run, and it is what
  // the BLACS takes.
  if (topology == ' ' && !exact && setting_of(call.context, what_repeatable) != 0) topology = '1';
  const auto way = combine_way(topology, call.scope->p, result.destination, shape);
  if (way) result.way = *way;
  result.why = !way ? unlike_any : call.scope->why;
  if (result.why == nullptr)
    result.why = tutti_leaves(static_cast<int>(result.collective()), call.scope->comm);
  if (result.why == nullptr && result.destination == -1 && !result.way.one_step)
    result.why = tutti_leaves(static_cast<int>(Collective::bcast), call.scope->comm);
  return result;
}

/// Combines in place; those who get no result keep what they have.
void combine(const Call& call, const Combination& how, void* data, int count, MPI_Datatype type,
             MPI_Op op) {
  const Scope& scope = *call.scope;
  if (how.destination == -1 && how.way.one_step) {
    use_next(how.way.allreduce);
    tutti_allreduce(MPI_IN_PLACE, data, count, type, op, scope.comm);
    return;
  }
  const int root = how.destination == -1 ? 0 : how.destination;
  const bool is_root = scope.rank == root;
  use_next(how.way.reduce);
  tutti_reduce(is_root ? MPI_IN_PLACE : data, is_root ? data : nullptr, count, type, op, root,
               scope.comm);
  if (how.destination != -1) return;
  use_next(how.way.broadcast);
  tutti_bcast(data, count, type, root, scope.comm);
}

/// A combination element by element.
template <class T>
void combine_elements(const Call& call, int m, int n, T* a, int lda, const Combination& how,
                      MPI_Op op, const Own& own) {
  const Rectangle part{m, n};
  if (how.why != nullptr)
    return own.run(how.collective(), call, part.count() * static_cast<long long>(sizeof(T)),
                   how.why);
  Dense<T, Rectangle> dense(part, a, lda);
  combine(call, how, dense.data(true), static_cast<int>(part.count()), datatype_of<T>(), op);
  if (how.is_for(*call.scope)) dense.finish();
}

template <class T>
void sum(const Call& call, int m, int n, T* a, int lda, int row, int column, const Own& own) {
  const Combination how = combination(call, m, n, std::is_same_v<T, int>, row, column);
  combine_elements(call, m, n, a, lda, how, MPI_SUM, own);
}

/// Where an extreme was found, in the grid.
struct Owner {
  int row, column;
};
Owner owner_at(const Call& call, const Combination& how, int distance) {
  const int rank = (std::max(0, how.destination) + distance) % call.scope->p;
  switch (call.scope_name) {
    case 'r': return {call.grid->row(), rank};
    case 'c': return {rank, call.grid->column()};
    default: return {rank / call.grid->columns(), rank % call.grid->columns()};
  }
}

/// Maxima and minima of absolute values. `ldia` -1: nobody asks where they were found.
template <Extreme extreme, class T>
void find(const Call& call, int m, int n, T* a, int lda, int* rows, int* columns, int ldia, int row,
          int column, const Own& own) {
  const Combination how = combination(call, m, n, true, row, column);
  if (how.why != nullptr || ldia == -1)
    return combine_elements(call, m, n, a, lda, how,
                            how.why != nullptr ? MPI_OP_NULL : extreme_operator<extreme, T>(), own);
  const Rectangle part{m, n};
  const Scope& scope = *call.scope;
  lda = std::max(lda, m);
  auto* const found =
      static_cast<Found<T>*>(room().of(static_cast<std::size_t>(part.count()) * sizeof(Found<T>)));
  const int mine = (scope.p + scope.rank - std::max(0, how.destination)) % scope.p;
  for_each_element(part, a, lda, [&](const T& x, std::size_t i) { found[i] = {x, mine}; });
  combine(call, how, found, static_cast<int>(part.count()), found_datatype<T>(),
          extreme_operator<extreme, Found<T>>());
  if (!how.is_for(scope)) return;
  for_each_element(part, a, lda, [&](T& x, std::size_t i) { x = found[i].value; });
  ldia = std::max(ldia, m);
  for_each_element(part, rows, ldia, [&](int& x, std::size_t i) {
    x = owner_at(call, how, static_cast<int>(found[i].distance)).row;
  });
  for_each_element(part, columns, ldia, [&](int& x, std::size_t i) {
    x = owner_at(call, how, static_cast<int>(found[i].distance)).column;
  });
}

// Both names come here: by its exported name MPI_Init could be that of another drop-in, which may
// have called PMPI_Init.
int start(int* argc, char*** argv) {
  static const auto own = reference<decltype(PMPI_Init)>("PMPI_Init");
  return begun(own(argc, argv));
}
int start_thread(int* argc, char*** argv, int required, int* provided) {
  static const auto own = reference<decltype(PMPI_Init_thread)>("PMPI_Init_thread");
  return begun(own(argc, argv, required, provided));
}

Trapezoid trapezoid(int m, int n, const char* uplo, const char* diag) {
  return {m, n, lower(uplo) == 'u', lower(diag) == 'u'};
}

}  // namespace

}  // namespace tutti::core::blacs

using namespace tutti::core::blacs;

// Fortran's form of a routine is C's with everything by reference; the BLACS, too, has one source
// for both. Lengths of strings, which Fortran adds at the end, are not looked at.

/// The BLACS's own routine, for the call as it came.
#define OWN(name) static const auto own = reference<decltype(name)>(#name)

#define DEFINE_BROADCASTS(x, T)                                                                   \
  void C##x##gebs2d(int context, char* scope, char* top, int m, int n, T* a, int lda) {           \
    OWN(C##x##gebs2d);                                                                            \
    const Call call(context, scope, top);                                                         \
    broadcast(call, Rectangle{m, n}, a, lda, call.rank(), true,                                   \
              [&] { own(context, scope, top, m, n, a, lda); });                                   \
  }                                                                                               \
  void x##gebs2d_(int* context, char* scope, char* top, int* m, int* n, T* a, int* lda) {         \
    C##x##gebs2d(*context, scope, top, *m, *n, a, *lda);                                          \
  }                                                                                               \
  void C##x##gebr2d(int context, char* scope, char* top, int m, int n, T* a, int lda, int row,    \
                    int column) {                                                                 \
    OWN(C##x##gebr2d);                                                                            \
    const Call call(context, scope, top);                                                         \
    broadcast(call, Rectangle{m, n}, a, lda, call.rank_of(row, column), false,                    \
              [&] { own(context, scope, top, m, n, a, lda, row, column); });                      \
  }                                                                                               \
  void x##gebr2d_(int* context, char* scope, char* top, int* m, int* n, T* a, int* lda, int* row, \
                  int* column) {                                                                  \
    C##x##gebr2d(*context, scope, top, *m, *n, a, *lda, *row, *column);                           \
  }

#define DEFINE_TRAPEZOIDS(x, T)                                                                 \
  void C##x##trbs2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,  \
                    T* a, int lda) {                                                            \
    OWN(C##x##trbs2d);                                                                          \
    const Call call(context, scope, top);                                                       \
    broadcast(call, trapezoid(m, n, uplo, diag), a, lda, call.rank(), true,                     \
              [&] { own(context, scope, top, uplo, diag, m, n, a, lda); });                     \
  }                                                                                             \
  void x##trbs2d_(int* context, char* scope, char* top, char* uplo, char* diag, int* m, int* n, \
                  T* a, int* lda) {                                                             \
    C##x##trbs2d(*context, scope, top, uplo, diag, *m, *n, a, *lda);                            \
  }                                                                                             \
  void C##x##trbr2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,  \
                    T* a, int lda, int row, int column) {                                       \
    OWN(C##x##trbr2d);                                                                          \
    const Call call(context, scope, top);                                                       \
    broadcast(call, trapezoid(m, n, uplo, diag), a, lda, call.rank_of(row, column), false,      \
              [&] { own(context, scope, top, uplo, diag, m, n, a, lda, row, column); });        \
  }                                                                                             \
  void x##trbr2d_(int* context, char* scope, char* top, char* uplo, char* diag, int* m, int* n, \
                  T* a, int* lda, int* row, int* column) {                                      \
    C##x##trbr2d(*context, scope, top, uplo, diag, *m, *n, a, *lda, *row, *column);             \
  }

#define DEFINE_SUM(x, T)                                                                          \
  void C##x##gsum2d(int context, char* scope, char* top, int m, int n, T* a, int lda, int row,    \
                    int column) {                                                                 \
    OWN(C##x##gsum2d);                                                                            \
    sum(Call(context, scope, top), m, n, a, lda, row, column,                                     \
        [&] { own(context, scope, top, m, n, a, lda, row, column); });                            \
  }                                                                                               \
  void x##gsum2d_(int* context, char* scope, char* top, int* m, int* n, T* a, int* lda, int* row, \
                  int* column) {                                                                  \
    C##x##gsum2d(*context, scope, top, *m, *n, a, *lda, *row, *column);                           \
  }

#define DEFINE_EXTREME(x, name, extreme, T)                                                        \
  void C##x##name##2d(int context, char* scope, char* top, int m, int n, T* a, int lda, int* rows, \
                      int* columns, int ldia, int row, int column) {                               \
    OWN(C##x##name##2d);                                                                           \
    find<Extreme::extreme>(                                                                        \
        Call(context, scope, top), m, n, a, lda, rows, columns, ldia, row, column,                 \
        [&] { own(context, scope, top, m, n, a, lda, rows, columns, ldia, row, column); });        \
  }                                                                                                \
  void x##name##2d_(int* context, char* scope, char* top, int* m, int* n, T* a, int* lda,          \
                    int* rows, int* columns, int* ldia, int* row, int* column) {                   \
    C##x##name##2d(*context, scope, top, *m, *n, a, *lda, rows, columns, *ldia, *row, *column);    \
  }

#define DEFINE_ROUTINES(x, T)     \
  DEFINE_BROADCASTS(x, T)         \
  DEFINE_TRAPEZOIDS(x, T)         \
  DEFINE_SUM(x, T)                \
  DEFINE_EXTREME(x, gamx, max, T) \
  DEFINE_EXTREME(x, gamn, min, T)

extern "C" {

DEFINE_ROUTINES(i, int)
DEFINE_ROUTINES(s, float)
DEFINE_ROUTINES(d, double)
DEFINE_ROUTINES(c, std::complex<float>)
DEFINE_ROUTINES(z, std::complex<double>)

// Contexts come and go. A routine that makes or frees them may call another one of these.

void Cblacs_gridmap(int* context, int* map, int ld, int rows, int columns) {
  OWN(Cblacs_gridmap);
  own(context, map, ld, rows, columns);
  adopt(*context);
}
void blacs_gridmap_(int* context, int* map, int* ld, int* rows, int* columns) {
  OWN(blacs_gridmap_);
  own(context, map, ld, rows, columns);
  adopt(*context);
}
void Cblacs_gridinit(int* context, char* layout, int rows, int columns) {
  OWN(Cblacs_gridinit);
  own(context, layout, rows, columns);
  adopt(*context);
}
void blacs_gridinit_(int* context, char* layout, int* rows, int* columns) {
  OWN(blacs_gridinit_);
  own(context, layout, rows, columns);
  adopt(*context);
}

void Cblacs_gridexit(int context) {
  OWN(Cblacs_gridexit);
  forget(context);
  own(context);
}
void blacs_gridexit_(int* context) {
  OWN(blacs_gridexit_);
  forget(*context);
  own(context);
}
void Cblacs_exit(int go_on) {
  OWN(Cblacs_exit);
  forget_all();
  room().release();
  own(go_on);
}
void blacs_exit_(int* go_on) {
  OWN(blacs_exit_);
  forget_all();
  room().release();
  own(go_on);
}
void Cblacs_freebuff(int context, int wait) {
  OWN(Cblacs_freebuff);
  room().release();
  own(context, wait);
}
void blacs_freebuff_(int* context, int* wait) {
  OWN(blacs_freebuff_);
  room().release();
  own(context, wait);
}

int MPI_Init(int* argc, char*** argv) { return start(argc, argv); }
int PMPI_Init(int* argc, char*** argv) { return start(argc, argv); }
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return start_thread(argc, argv, required, provided);
}
int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return start_thread(argc, argv, required, provided);
}

}  // extern "C"
