#pragma once

#include <tutti/calls.hpp>

#include <cstdint>
#include <optional>

namespace tutti {
inline namespace api {

namespace detail {

/// What only some ranks get: a range is empty elsewhere, a value is a std::optional.
template <class T>
std::vector<T> only_if(bool here, std::vector<T> result) {
  if (!here) result.clear();
  return result;
}
template <class T>
std::optional<T> only_if(bool here, T result) {
  return here ? std::optional<T>(std::move(result)) : std::nullopt;
}

/// Owns what a started operation reads and writes.
template <class In, class Result, class Start>
Future<Result> future(In in, Result out, const Start& start) {
  auto held = std::make_shared<std::pair<In, Result>>(std::move(in), std::move(out));
  Operation operation = start(held->first, held->second);
  Result& result = held->second;
  operation.keep(std::move(held));
  return {std::move(operation), result};
}

}  // namespace detail

/// A group of ranks, and the collectives among them.
/// @code
/// const auto world = tutti::Communicator::world();  // after MPI_Init
/// double total = world.allreduce(mine, tutti::sum);
/// auto row = world.split(world.rank() / columns);
/// row.bcast(numbers, 0);
/// @endcode
///
/// Data are values, or contiguous ranges: std::vector, std::array, std::span, C arrays. What they
/// may hold: tutti::Element. Each collective comes in up to four forms:
///
/// - by value: `auto y = world.allreduce(x, tutti::sum)`. A value gives a value, a std::array one,
/// a
///   range a std::vector. What only some ranks get is elsewhere an empty vector or std::nullopt.
/// - into given memory: `world.allreduce(x, y, tutti::sum)`. The memory may be longer than needed.
///   `tutti::in_place` instead of `x`: the data are in `y`.
/// - started: `auto op = world.iallreduce(x, y, tutti::sum)`, a tutti::Operation; by value a
///   tutti::Future.
/// - planned: `auto plan = world.plan_allreduce(x, y, tutti::sum)`, a tutti::Operation to be
/// started
///   again and again.
///
/// All take a tutti::Algorithm as the last argument. Sizes that do not fit throw
/// std::invalid_argument, more elements than the MPI can count std::length_error, and what the MPI
/// reports is a tutti::Error.
class Communicator {
 public:
  /// A communicator that somebody else frees. Throws std::invalid_argument for an
  /// intercommunicator.
  explicit Communicator(MPI_Comm comm) : calls_(comm) {}
  /// All ranks of the program: MPI_COMM_WORLD.
  static Communicator world() { return Communicator(MPI_COMM_WORLD); }

  /// This rank's number, from 0.
  int rank() const { return calls_.rank(); }
  /// How many ranks there are.
  int size() const { return calls_.size(); }
  /// The MPI's own handle.
  MPI_Comm handle() const { return calls_.comm(); }
  /// False if this rank is in no group (see split).
  explicit operator bool() const { return handle() != MPI_COMM_NULL; }

  /// The ranks with the same color, ordered by key, then by rank. The result and its copies own
  /// the communicator: the last of them frees it, which all of its ranks must do.
  /// MPI_UNDEFINED as color: no group for this rank.
  [[nodiscard]] Communicator split(int color, int key = 0) const {
    MPI_Comm made = MPI_COMM_NULL;
    detail::check(MPI_Comm_split(handle(), color, key, &made));
    return Communicator(detail::Calls::owning(made));
  }
  /// The same ranks, apart from all that happens here. Owned like the result of split.
  [[nodiscard]] Communicator duplicate() const {
    MPI_Comm made = MPI_COMM_NULL;
    detail::check(MPI_Comm_dup(handle(), &made));
    return Communicator(detail::Calls::owning(made));
  }

  /// @name barrier, bcast
  /// @{

  /// Returns when all ranks are here.
  void barrier(const Algorithm& algorithm = {}) const { calls_.barrier<Now>(algorithm); }

  /// Gives all ranks what the root has. Of a range all must have the size.
  template <class Data>
  void bcast(Data&& data, int root, const Algorithm& algorithm = {}) const {
    calls_.bcast<Now>(std::forward<Data>(data), root, algorithm);
  }
  /// @}

  /// @name scatter, scatterv
  /// @{

  /// The root's data in equal blocks, one for each rank. The size travels too, in a bcast; `in`
  /// matters at the root only.
  template <class In>
  [[nodiscard]] auto scatter(const In& in, int root, const Algorithm& algorithm = {}) const {
    const std::size_t all = detail::view(in).size(), ranks = calls_.ranks();
    std::int64_t own = all % ranks == 0 ? static_cast<std::int64_t>(all / ranks) : -1;
    bcast(own, root);
    if (own < 0)  // the root must not be the only one to stop
      throw std::invalid_argument("tutti: scatter: what rank " + std::to_string(root) +
                                  " has does not fall into " + std::to_string(ranks) +
                                  " equal blocks");
    auto out = detail::new_vector<detail::element_of<const In>>(static_cast<std::size_t>(own));
    scatter(in, out, root, algorithm);
    return out;
  }
  /// `out` has the size of a block, on all ranks.
  template <class In, class Out>
  void scatter(const In& in, Out&& out, int root, const Algorithm& algorithm = {}) const {
    calls_.scatter<Now>(in, std::forward<Out>(out), root, algorithm);
  }

  /// Piece i of the root goes to rank i. Pieces are a std::vector<std::vector<T>>, or
  /// tutti::Pieces; they matter at the root only. The sizes travel too, in a scatter.
  template <class Ranges>
  [[nodiscard]] auto scatterv(const Ranges& pieces, int root,
                              const Algorithm& algorithm = {}) const {
    const auto& all = detail::joined(pieces);
    std::vector<std::int64_t> sizes(all.counts.begin(), all.counts.end());
    if (sizes.size() != calls_.ranks()) sizes.assign(calls_.ranks(), -1);
    std::int64_t own = 0;
    scatter(sizes, own, root);
    if (own < 0)  // the root must not be the only one to stop
      throw std::invalid_argument("tutti: scatterv: rank " + std::to_string(root) +
                                  " must have a piece for each of " + std::to_string(size()) +
                                  " ranks");
    using T = typename std::remove_cvref_t<decltype(all.data)>::value_type;
    auto out = detail::new_vector<T>(static_cast<std::size_t>(own));
    scatterv(all.data, all, out, root, algorithm);
    return out;
  }
  /// `in` and `layout` matter at the root only; `out` has the size of this rank's block.
  template <class In, class Out>
  void scatterv(const In& in, const Layout& layout, Out&& out, int root,
                const Algorithm& algorithm = {}) const {
    calls_.scatterv<Now>(in, layout, std::forward<Out>(out), root, algorithm);
  }
  /// @}

  /// @name gather, gatherv, allgather, allgatherv
  /// @{

  /// The data of all ranks one after the other, at the root; elsewhere an empty vector. All give
  /// the same number of elements.
  template <class In>
  [[nodiscard]] auto gather(const In& in, int root, const Algorithm& algorithm = {}) const {
    auto out = detail::new_vector<detail::element_of<const In>>(
        rank() == root ? detail::view(in).size() * calls_.ranks() : 0);
    gather(in, out, root, algorithm);
    return out;
  }
  /// `out` matters at the root only: `std::span<T>{}` will do elsewhere.
  template <class In, class Out>
  void gather(const In& in, Out&& out, int root, const Algorithm& algorithm = {}) const {
    calls_.gather<Now>(in, std::forward<Out>(out), root, algorithm);
  }

  /// The same with sizes that differ, which travel too, in a gather: tutti::Pieces at the root,
  /// none elsewhere.
  template <class In>
  [[nodiscard]] auto gatherv(const In& in, int root, const Algorithm& algorithm = {}) const {
    const auto sizes = gather(size_of(in), root);
    Pieces<detail::element_of<const In>> all{Layout(sizes)};
    gatherv(in, all.data, all, root, algorithm);
    return all;
  }
  /// `out` and `layout` matter at the root only.
  template <class In, class Out>
  void gatherv(const In& in, Out&& out, const Layout& layout, int root,
               const Algorithm& algorithm = {}) const {
    calls_.gatherv<Now>(in, std::forward<Out>(out), layout, root, algorithm);
  }

  /// The data of all ranks one after the other. All give the same number of elements.
  template <class In>
  [[nodiscard]] auto allgather(const In& in, const Algorithm& algorithm = {}) const {
    auto out = vector_of_all(in);
    allgather(in, out, algorithm);
    return out;
  }
  /// In place: this rank's block is where it belongs in `out`.
  template <class In, detail::NotAlgorithm Out>
  void allgather(const In& in, Out&& out, const Algorithm& algorithm = {}) const {
    calls_.allgather<Now>(in, std::forward<Out>(out), algorithm);
  }

  /// The same with sizes that differ, which travel too, in an allgather.
  /// @code
  /// tutti::Pieces<int> all = world.allgatherv(mine);  // all[2]: what rank 2 gave
  /// @endcode
  template <class In>
  [[nodiscard]] auto allgatherv(const In& in, const Algorithm& algorithm = {}) const {
    Pieces<detail::element_of<const In>> all{Layout(allgather(size_of(in)))};
    allgatherv(in, all.data, all, algorithm);
    return all;
  }
  /// `layout` is the same on all ranks.
  template <class In, class Out>
  void allgatherv(const In& in, Out&& out, const Layout& layout,
                  const Algorithm& algorithm = {}) const {
    calls_.allgatherv<Now>(in, std::forward<Out>(out), layout, algorithm);
  }
  /// @}

  /// @name reduce, allreduce, reduce_scatter, reduce_scatter_block
  /// @{

  /// Combines element by element, for the root. Elsewhere the result of a value is std::nullopt,
  /// that of a range is empty.
  /// @code
  /// if (auto total = world.reduce(mine, tutti::sum, 0)) std::cout << *total << '\n';
  /// @endcode
  template <class In, class Op>
  [[nodiscard]] auto reduce(const In& in, const Op& op, int root,
                            const Algorithm& algorithm = {}) const {
    auto out = detail::result_like(in);
    reduce(in, out, op, root, algorithm);
    return detail::only_if(rank() == root, std::move(out));
  }
  /// `out` matters at the root only. In place: all ranks give what `out` has, the root's changes.
  template <class In, class Out, class Op>
  void reduce(const In& in, Out&& out, const Op& op, int root,
              const Algorithm& algorithm = {}) const {
    calls_.reduce<Now>(in, std::forward<Out>(out), op, root, algorithm);
  }
  /// The same in place: all ranks give `data`, the root's become the result.
  template <class Data, class Op>
  void reduce_in_place(Data&& data, const Op& op, int root, const Algorithm& algorithm = {}) const {
    reduce(in_place, std::forward<Data>(data), op, root, algorithm);
  }

  /// Combines element by element, for all.
  template <class In, class Op>
  [[nodiscard]] auto allreduce(const In& in, const Op& op, const Algorithm& algorithm = {}) const {
    auto out = detail::result_like(in);
    allreduce(in, out, op, algorithm);
    return out;
  }
  /// The same into given memory.
  template <class In, class Out, detail::NotAlgorithm Op>
  void allreduce(const In& in, Out&& out, const Op& op, const Algorithm& algorithm = {}) const {
    calls_.allreduce<Now>(in, std::forward<Out>(out), op, algorithm);
  }
  /// The same in place: `data` has what this rank gives, and then the result.
  template <class Data, class Op>
  void allreduce_in_place(Data&& data, const Op& op, const Algorithm& algorithm = {}) const {
    allreduce(in_place, std::forward<Data>(data), op, algorithm);
  }

  /// Combines element by element; block i of the result goes to rank i.
  template <class In, class Op>
  [[nodiscard]] auto reduce_scatter(const In& in, const Layout& layout, const Op& op,
                                    const Algorithm& algorithm = {}) const {
    const auto own = static_cast<std::size_t>(rank());
    auto out = detail::new_vector<detail::element_of<const In>>(
        own < layout.size() ? layout.counts[own] : 0);
    reduce_scatter(in, out, layout, op, algorithm);
    return out;
  }
  /// In place: `out` has the data of all blocks, the result is at its beginning.
  template <class In, class Out, class Op>
  void reduce_scatter(const In& in, Out&& out, const Layout& layout, const Op& op,
                      const Algorithm& algorithm = {}) const {
    calls_.reduce_scatter<Now>(in, std::forward<Out>(out), layout, op, algorithm);
  }

  /// The same with equal blocks.
  template <class In, class Op>
  [[nodiscard]] auto reduce_scatter_block(const In& in, const Op& op,
                                          const Algorithm& algorithm = {}) const {
    auto out =
        detail::new_vector<detail::element_of<const In>>(detail::view(in).size() / calls_.ranks());
    reduce_scatter_block(in, out, op, algorithm);
    return out;
  }
  /// The same into given memory. In place: `out` has the data of all blocks, the result is at its
  /// beginning.
  template <class In, class Out, detail::NotAlgorithm Op>
  void reduce_scatter_block(const In& in, Out&& out, const Op& op,
                            const Algorithm& algorithm = {}) const {
    calls_.reduce_scatter_block<Now>(in, std::forward<Out>(out), op, algorithm);
  }
  /// @}

  /// @name alltoall, alltoallv, alltoallw
  /// @{

  /// Equal blocks: block i goes to rank i, and what rank i sent here becomes block i.
  template <class In>
  [[nodiscard]] auto alltoall(const In& in, const Algorithm& algorithm = {}) const {
    auto out = detail::result_like(in);
    alltoall(in, out, algorithm);
    return out;
  }
  /// The same into given memory.
  template <class In, detail::NotAlgorithm Out>
  void alltoall(const In& in, Out&& out, const Algorithm& algorithm = {}) const {
    calls_.alltoall<Now>(in, std::forward<Out>(out), algorithm);
  }
  /// The same in place: `data` has what this rank gives, and then the result.
  template <class Data>
  void alltoall_in_place(Data&& data, const Algorithm& algorithm = {}) const {
    alltoall(in_place, std::forward<Data>(data), algorithm);
  }

  /// Piece i goes to rank i; the result has a piece of each rank. Pieces are a
  /// std::vector<std::vector<T>>, or tutti::Pieces. The sizes travel too, in an alltoall.
  template <class Ranges>
  [[nodiscard]] auto alltoallv(const Ranges& pieces, const Algorithm& algorithm = {}) const {
    const auto& all = detail::joined(pieces);
    return alltoallv(all.data, all, algorithm);
  }
  /// The same with all pieces in one.
  template <class In>
  [[nodiscard]] auto alltoallv(const In& in, const Layout& layout,
                               const Algorithm& algorithm = {}) const {
    const std::vector<std::int64_t> sizes(layout.counts.begin(), layout.counts.end());
    if (layout.size() != calls_.ranks())
      throw std::invalid_argument("tutti: alltoallv: " + std::to_string(layout.size()) +
                                  " blocks for " + std::to_string(size()) +
                                  " ranks: give one for each");
    Pieces<detail::element_of<const In>> got{Layout(alltoall(sizes))};
    alltoallv(in, layout, got.data, got, algorithm);
    return got;
  }
  /// The same into given memory, from sizes that are known on both sides.
  template <class In, class Out>
  void alltoallv(const In& in, const Layout& sent, Out&& out, const Layout& received,
                 const Algorithm& algorithm = {}) const {
    calls_.alltoallv<Now>(in, sent, std::forward<Out>(out), received, algorithm);
  }

  /// A block to each rank and one of each, all of whatever type.
  /// @code
  /// std::vector<tutti::ConstBlock> in(2);
  /// std::vector<tutti::Block> out(2);
  /// in[1 - world.rank()] = tutti::ConstBlock(particles);  // a vector, say
  /// out[1 - world.rank()] = tutti::Block(others);
  /// world.alltoallw(in, out);
  /// @endcode
  void alltoallw(std::span<const ConstBlock> in, std::span<const Block> out,
                 const Algorithm& algorithm = {}) const {
    calls_.alltoallw<Now>(in, out, algorithm);
  }
  /// @}

  /// @name scan, exscan
  /// @{

  /// Combines what the ranks up to this one have.
  template <class In, class Op>
  [[nodiscard]] auto scan(const In& in, const Op& op, const Algorithm& algorithm = {}) const {
    auto out = detail::result_like(in);
    scan(in, out, op, algorithm);
    return out;
  }
  /// The same into given memory.
  template <class In, class Out, detail::NotAlgorithm Op>
  void scan(const In& in, Out&& out, const Op& op, const Algorithm& algorithm = {}) const {
    calls_.scan<Now>(in, std::forward<Out>(out), op, algorithm);
  }
  /// The same in place: `data` has what this rank gives, and then the result.
  template <class Data, class Op>
  void scan_in_place(Data&& data, const Op& op, const Algorithm& algorithm = {}) const {
    scan(in_place, std::forward<Data>(data), op, algorithm);
  }

  /// Combines what the ranks before this one have. Rank 0 has none before it: there the result of
  /// a value is std::nullopt, that of a range is empty, and given memory stays as it is.
  /// @code
  /// std::size_t first = world.exscan(mine.size(), tutti::sum).value_or(0);
  /// @endcode
  template <class In, class Op>
  [[nodiscard]] auto exscan(const In& in, const Op& op, const Algorithm& algorithm = {}) const {
    auto out = detail::result_like(in);
    exscan(in, out, op, algorithm);
    return detail::only_if(rank() > 0, std::move(out));
  }
  /// The same into given memory; rank 0's stays as it is.
  template <class In, class Out, detail::NotAlgorithm Op>
  void exscan(const In& in, Out&& out, const Op& op, const Algorithm& algorithm = {}) const {
    calls_.exscan<Now>(in, std::forward<Out>(out), op, algorithm);
  }
  /// The same in place; rank 0's data stay as they are.
  template <class Data, class Op>
  void exscan_in_place(Data&& data, const Op& op, const Algorithm& algorithm = {}) const {
    exscan(in_place, std::forward<Data>(data), op, algorithm);
  }
  /// @}

  /// @name Started and planned
  ///
  /// Every collective has both forms, with the arguments of the form into given memory:
  ///
  ///     ibarrier ibcast iscatter iscatterv igather igatherv iallgather iallgatherv ireduce
  ///     iallreduce ireduce_scatter ireduce_scatter_block ialltoall ialltoallv ialltoallw iscan
  ///     iexscan
  ///
  ///     plan_barrier plan_bcast plan_scatter plan_scatterv plan_gather plan_gatherv plan_allgather
  ///     plan_allgatherv plan_reduce plan_allreduce plan_reduce_scatter plan_reduce_scatter_block
  ///     plan_alltoall plan_alltoallv plan_alltoallw plan_scan plan_exscan
  ///
  /// Making one is collective, like the call itself. Layouts and blocks are copied; the memory must
  /// live as long as the operation.
  /// @{
#define TUTTI_FORM(form, how, name)                                                  \
  template <class... Arguments>                                                      \
  requires requires(const detail::Calls& calls, Arguments&&... arguments) {          \
    calls.template name<detail::how>(std::forward<Arguments>(arguments)...);         \
  }                                                                                  \
  Operation form##name(Arguments&&... arguments) const {                             \
    return calls_.template name<detail::how>(std::forward<Arguments>(arguments)...); \
  }
#define TUTTI_FORMS(name)      \
  TUTTI_FORM(i, Started, name) \
  TUTTI_FORM(plan_, Prepared, name)
  /// Started or planned: the collective of this name, with the arguments of its form into given
  /// memory.
  TUTTI_FORMS(barrier)
  TUTTI_FORMS(bcast)
  TUTTI_FORMS(scatter)
  TUTTI_FORMS(scatterv)
  TUTTI_FORMS(gather)
  TUTTI_FORMS(gatherv)
  TUTTI_FORMS(allgather)
  TUTTI_FORMS(allgatherv)
  TUTTI_FORMS(reduce)
  TUTTI_FORMS(allreduce)
  TUTTI_FORMS(reduce_scatter)
  TUTTI_FORMS(reduce_scatter_block)
  TUTTI_FORMS(alltoall)
  TUTTI_FORMS(alltoallv)
  TUTTI_FORMS(alltoallw)
  TUTTI_FORMS(scan)
  TUTTI_FORMS(exscan)
#undef TUTTI_FORMS
#undef TUTTI_FORM

  /// Started, with a result by value: the future owns a copy of `in`, of a span only the view.
  /// @code
  /// auto total = world.iallreduce(mine, tutti::sum);
  /// work();
  /// double y = total.get();
  /// @endcode
  template <class In, class Op>
  auto iallreduce(In in, const Op& op, const Algorithm& algorithm = {}) const {
    auto out = detail::result_like(in);
    return detail::future(std::move(in), std::move(out), [&](const auto& from, auto& to) {
      return iallreduce(from, to, op, algorithm);
    });
  }
  /// The same for scan.
  template <class In, class Op>
  auto iscan(In in, const Op& op, const Algorithm& algorithm = {}) const {
    auto out = detail::result_like(in);
    return detail::future(std::move(in), std::move(out), [&](const auto& from, auto& to) {
      return iscan(from, to, op, algorithm);
    });
  }
  /// The same for allgather.
  template <class In>
  auto iallgather(In in, const Algorithm& algorithm = {}) const {
    auto out = vector_of_all(in);
    return detail::future(std::move(in), std::move(out), [&](const auto& from, auto& to) {
      return iallgather(from, to, algorithm);
    });
  }
  /// The same for alltoall.
  template <class In>
  auto ialltoall(In in, const Algorithm& algorithm = {}) const {
    auto out = detail::result_like(in);
    return detail::future(std::move(in), std::move(out), [&](const auto& from, auto& to) {
      return ialltoall(from, to, algorithm);
    });
  }
  /// @}

 private:
  using Now = detail::Now;

  explicit Communicator(detail::Calls calls) : calls_(std::move(calls)) {}

  template <class In>
  static std::int64_t size_of(const In& in) {
    return static_cast<std::int64_t>(detail::view(in).size());
  }
  template <class In>
  auto vector_of_all(const In& in) const {
    return detail::new_vector<detail::element_of<const In>>(detail::view(in).size() *
                                                            calls_.ranks());
  }

  detail::Calls calls_;
};

}  // namespace api
}  // namespace tutti
