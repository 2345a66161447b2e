#pragma once

#include <tutti/layout.hpp>
#include <tutti/operation.hpp>
#include <tutti/operators.hpp>

namespace tutti {
inline namespace api {
namespace detail {

/// The C interface as templates see it: C::run is called, C::prepare makes an operation.
namespace collective {

#if MPI_VERSION >= 4
#define TUTTI_RUN(name) ::tutti_##name##_c
#else
#define TUTTI_RUN(name) ::tutti_##name
#endif
#define TUTTI_COLLECTIVE(name, function)                   \
  struct name {                                            \
    static constexpr const char* text = #name;             \
    static constexpr auto run = function;                  \
    static constexpr auto prepare = ::tutti_##name##_init; \
  }
TUTTI_COLLECTIVE(barrier, ::tutti_barrier);
TUTTI_COLLECTIVE(bcast, TUTTI_RUN(bcast));
TUTTI_COLLECTIVE(scatter, TUTTI_RUN(scatter));
TUTTI_COLLECTIVE(scatterv, TUTTI_RUN(scatterv));
TUTTI_COLLECTIVE(gather, TUTTI_RUN(gather));
TUTTI_COLLECTIVE(gatherv, TUTTI_RUN(gatherv));
TUTTI_COLLECTIVE(allgather, TUTTI_RUN(allgather));
TUTTI_COLLECTIVE(allgatherv, TUTTI_RUN(allgatherv));
TUTTI_COLLECTIVE(reduce, TUTTI_RUN(reduce));
TUTTI_COLLECTIVE(allreduce, TUTTI_RUN(allreduce));
TUTTI_COLLECTIVE(reduce_scatter, TUTTI_RUN(reduce_scatter));
TUTTI_COLLECTIVE(reduce_scatter_block, TUTTI_RUN(reduce_scatter_block));
TUTTI_COLLECTIVE(alltoall, TUTTI_RUN(alltoall));
TUTTI_COLLECTIVE(alltoallv, TUTTI_RUN(alltoallv));
TUTTI_COLLECTIVE(alltoallw, TUTTI_RUN(alltoallw));
TUTTI_COLLECTIVE(scan, TUTTI_RUN(scan));
TUTTI_COLLECTIVE(exscan, TUTTI_RUN(exscan));
#undef TUTTI_COLLECTIVE
#undef TUTTI_RUN

}  // namespace collective

/// The three ways to call a collective. Count and Place are what the C interface takes.

/// At once.
struct Now {
#if MPI_VERSION >= 4
  using Count = MPI_Count;
  using Place = MPI_Aint;
#else
  using Count = int;
  using Place = int;
#endif
  struct Result {
    void keep(const auto&) const {}  // nothing needs to live longer than the call
  };

  template <class C, class... Arguments>
  static Result call(const Algorithm& algorithm, Arguments... arguments) {
    if (const int number = algorithm.number(C::text)) check(tutti_use_next(number));
    check(C::run(arguments...));
    return {};
  }
};

/// Made, not started.
struct Prepared {
  using Count = int;
  using Place = int;
  using Result = Operation;

  template <class C, class... Arguments>
  static Operation call(const Algorithm& algorithm, Arguments... arguments) {
    tutti_operation made = nullptr;
    if (const int number = algorithm.number(C::text)) check(tutti_use_next(number));
    check(C::prepare(arguments..., &made));
    return Operation(made);
  }
};

/// Made and started.
struct Started : Prepared {
  template <class C, class... Arguments>
  static Operation call(const Algorithm& algorithm, Arguments... arguments) {
    Operation made = Prepared::call<C>(algorithm, arguments...);
    made.start();
    return made;
  }
};

/// A number as the C interface takes it.
template <class Integer>
Integer narrowed(const char* name, std::size_t number) {
  constexpr auto most = std::numeric_limits<Integer>::max();
  if (std::cmp_greater(number, most)) [[unlikely]]
    throw std::length_error("tutti: " + std::string(name) + ": " + std::to_string(number) +
                            " elements, but this call counts to " + std::to_string(most) +
                            ": cut the data, or make an element of several");
  return static_cast<Integer>(number);
}

/// A layout as the C interface takes it.
template <class How>
struct Places {
  std::vector<typename How::Count> counts;
  std::vector<typename How::Place> offsets;

  Places() = default;
  Places(const char* name, const Layout& layout) {
    for (const std::size_t count : layout.counts)
      counts.push_back(narrowed<typename How::Count>(name, count));
    for (const std::size_t offset : layout.offsets)
      offsets.push_back(narrowed<typename How::Place>(name, offset));
  }
};

/// Blocks of an alltoallw as types that know how far they are from the first: an int may not.
template <class How>
struct BlockTypes {
  const void* first = nullptr;
  std::vector<typename How::Count> counts;
  std::vector<typename How::Place> offsets;
  std::vector<MPI_Datatype> types;

  template <class B>
  BlockTypes(const char* name, std::span<const B> blocks)
      : counts(blocks.size(), 0), offsets(blocks.size(), 0), types(blocks.size(), MPI_BYTE) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].count() == 0) continue;
      if (first == nullptr) first = blocks[i].address();
      MPI_Aint begin = 0, place = 0;
      check(MPI_Get_address(first, &begin));
      check(MPI_Get_address(blocks[i].address(), &place));
      place = MPI_Aint_diff(place, begin);
      check(MPI_Type_create_hindexed_block(1, narrowed<int>(name, blocks[i].count()), &place,
                                           blocks[i].type(), &types[i]));
      check(MPI_Type_commit(&types[i]));
      counts[i] = 1;
    }
  }
  BlockTypes(BlockTypes&&) noexcept = default;
  ~BlockTypes() {
    if (is_finalized()) return;
    for (std::size_t i = 0; i < types.size(); ++i)
      if (counts[i] > 0) MPI_Type_free(&types[i]);
  }
};

template <class T>
concept NotAlgorithm = !std::is_same_v<std::remove_cvref_t<T>, Algorithm>;

/// The collectives on given memory, in any of the three ways.
class Calls {
 public:
  explicit Calls(MPI_Comm comm) : comm_(comm) {
    if (comm == MPI_COMM_NULL) return;
    int is_inter = 0;
    check(MPI_Comm_test_inter(comm, &is_inter));
    if (is_inter)
      throw std::invalid_argument(
          "tutti: an intercommunicator has no C++ interface: call the functions of tutti/tutti.h");
    check(MPI_Comm_rank(comm, &rank_));
    check(MPI_Comm_size(comm, &size_));
  }
  /// Owns the communicator, with its copies.
  static Calls owning(MPI_Comm comm) {
    Calls calls(comm);
    if (comm != MPI_COMM_NULL)
      calls.owner_ = std::shared_ptr<MPI_Comm>(new MPI_Comm(comm), [](MPI_Comm* mine) {
        if (!is_finalized()) MPI_Comm_free(mine);
        delete mine;
      });
    return calls;
  }

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  /// The size as sizes of memory are.
  std::size_t ranks() const {
    require_group();
    return static_cast<std::size_t>(size_);
  }

  template <class How>
  typename How::Result barrier(const Algorithm& algorithm = {}) const {
    return call<How, collective::barrier>(algorithm);
  }

  template <class How, class Data>
  typename How::Result bcast(Data&& data, int root, const Algorithm& algorithm = {}) const {
    using C = collective::bcast;
    const auto all = room(std::forward<Data>(data));
    return call<How, C>(algorithm, all.data(), count<How, C>(all.size()), type_of(all), root);
  }

  template <class How, class In, class Out>
  typename How::Result scatter(const In& in, Out&& out, int root,
                               const Algorithm& algorithm = {}) const {
    using C = collective::scatter;
    const auto to = room(std::forward<Out>(out));
    const auto from = view(in);
    require_same(from, to);
    if (rank_ == root) require<C>("in", from.size(), to.size() * ranks());
    const auto each = count<How, C>(to.size());
    return call<How, C>(algorithm, from.data(), each, type_of(to), to.data(), each, type_of(to),
                        root);
  }

  template <class How, class In, class Out>
  typename How::Result scatterv(const In& in, const Layout& layout, Out&& out, int root,
                                const Algorithm& algorithm = {}) const {
    using C = collective::scatterv;
    const auto to = room(std::forward<Out>(out));
    const auto from = view(in);
    require_same(from, to);
    Places<How> places;
    if (rank_ == root) {
      places = blocks<How, C>(layout, "in", from.size());
      require_own<C>(layout, "takes", to.size());
    }
    auto result = call<How, C>(algorithm, from.data(), places.counts.data(), places.offsets.data(),
                               type_of(to), to.data(), count<How, C>(to.size()), type_of(to), root);
    result.keep(std::move(places));
    return result;
  }

  template <class How, class In, class Out>
  typename How::Result gather(const In& in, Out&& out, int root,
                              const Algorithm& algorithm = {}) const {
    using C = collective::gather;
    const auto to = room(std::forward<Out>(out));
    const auto from = view(in);
    require_same(from, to);
    if (rank_ == root) require<C>("out", to.size(), from.size() * ranks());
    const auto each = count<How, C>(from.size());
    return call<How, C>(algorithm, from.data(), each, type_of(to), to.data(), each, type_of(to),
                        root);
  }

  template <class How, class In, class Out>
  typename How::Result gatherv(const In& in, Out&& out, const Layout& layout, int root,
                               const Algorithm& algorithm = {}) const {
    using C = collective::gatherv;
    const auto to = room(std::forward<Out>(out));
    const auto from = view(in);
    require_same(from, to);
    Places<How> places;
    if (rank_ == root) {
      places = blocks<How, C>(layout, "out", to.size());
      require_own<C>(layout, "gives", from.size());
    }
    auto result =
        call<How, C>(algorithm, from.data(), count<How, C>(from.size()), type_of(to), to.data(),
                     places.counts.data(), places.offsets.data(), type_of(to), root);
    result.keep(std::move(places));
    return result;
  }

  template <class How, class In, NotAlgorithm Out>
  typename How::Result allgather(const In& in, Out&& out, const Algorithm& algorithm = {}) const {
    using C = collective::allgather;
    const auto to = room(std::forward<Out>(out));
    const auto from = source<C>(in, to);
    const std::size_t own = from.in_place ? share<C>(to.size()) : from.size;
    require<C>("out", to.size(), own * ranks());
    const auto each = count<How, C>(own);
    return call<How, C>(algorithm, from.address, each, type_of(to), to.data(), each, type_of(to));
  }

  template <class How, class In, class Out>
  typename How::Result allgatherv(const In& in, Out&& out, const Layout& layout,
                                  const Algorithm& algorithm = {}) const {
    using C = collective::allgatherv;
    const auto to = room(std::forward<Out>(out));
    const auto from = source<C>(in, to);
    auto places = blocks<How, C>(layout, "out", to.size());
    const std::size_t own = layout.counts[static_cast<std::size_t>(rank_)];
    if (!from.in_place) require_own<C>(layout, "gives", from.size);
    auto result = call<How, C>(algorithm, from.address, count<How, C>(own), type_of(to), to.data(),
                               places.counts.data(), places.offsets.data(), type_of(to));
    result.keep(std::move(places));
    return result;
  }

  template <class How, class In, class Out, class Op>
  typename How::Result reduce(const In& in, Out&& out, const Op& op, int root,
                              const Algorithm& algorithm = {}) const {
    using C = collective::reduce;
    const auto to = room(std::forward<Out>(out));
    const auto from = source<C>(in, to);
    if (rank_ == root) require<C>("out", to.size(), from.size);
    // In place is the root's privilege: the others give what they have.
    const void* const address = from.in_place && rank_ != root ? to.data() : from.address;
    return call<How, C>(algorithm, address, rank_ == root ? to.data() : nullptr,
                        count<How, C>(from.size), type_of(to), operator_for(to, op), root);
  }

  template <class How, class In, class Out, NotAlgorithm Op>
  typename How::Result allreduce(const In& in, Out&& out, const Op& op,
                                 const Algorithm& algorithm = {}) const {
    return combine<How, collective::allreduce>(in, std::forward<Out>(out), op, algorithm);
  }
  template <class How, class In, class Out, NotAlgorithm Op>
  typename How::Result scan(const In& in, Out&& out, const Op& op,
                            const Algorithm& algorithm = {}) const {
    return combine<How, collective::scan>(in, std::forward<Out>(out), op, algorithm);
  }
  template <class How, class In, class Out, NotAlgorithm Op>
  typename How::Result exscan(const In& in, Out&& out, const Op& op,
                              const Algorithm& algorithm = {}) const {
    return combine<How, collective::exscan>(in, std::forward<Out>(out), op, algorithm);
  }

  template <class How, class In, class Out, class Op>
  typename How::Result reduce_scatter(const In& in, Out&& out, const Layout& layout, const Op& op,
                                      const Algorithm& algorithm = {}) const {
    using C = collective::reduce_scatter;
    const auto to = room(std::forward<Out>(out));
    const auto from = source<C>(in, to);
    auto places = blocks<How, C>(layout, "in", from.size);
    if (layout.extent() != layout.total())
      throw std::invalid_argument(text<C>("the blocks must follow each other: leave offsets out"));
    require<C>("out", to.size(), layout.counts[static_cast<std::size_t>(rank_)]);
    auto result = call<How, C>(algorithm, from.address, to.data(), places.counts.data(),
                               type_of(to), operator_for(to, op));
    result.keep(std::move(places));
    return result;
  }

  template <class How, class In, class Out, NotAlgorithm Op>
  typename How::Result reduce_scatter_block(const In& in, Out&& out, const Op& op,
                                            const Algorithm& algorithm = {}) const {
    using C = collective::reduce_scatter_block;
    const auto to = room(std::forward<Out>(out));
    const auto from = source<C>(in, to);
    const std::size_t own = share<C>(from.size);
    require<C>("out", to.size(), own);
    return call<How, C>(algorithm, from.address, to.data(), count<How, C>(own), type_of(to),
                        operator_for(to, op));
  }

  template <class How, class In, NotAlgorithm Out>
  typename How::Result alltoall(const In& in, Out&& out, const Algorithm& algorithm = {}) const {
    using C = collective::alltoall;
    const auto to = room(std::forward<Out>(out));
    const auto from = source<C>(in, to);
    require<C>("out", to.size(), from.size);
    const auto each = count<How, C>(share<C>(from.size));
    return call<How, C>(algorithm, from.address, each, type_of(to), to.data(), each, type_of(to));
  }

  template <class How, class In, class Out>
  typename How::Result alltoallv(const In& in, const Layout& sent, Out&& out,
                                 const Layout& received, const Algorithm& algorithm = {}) const {
    using C = collective::alltoallv;
    const auto to = room(std::forward<Out>(out));
    const auto from = view(in);
    require_same(from, to);
    auto out_of = blocks<How, C>(sent, "in", from.size());
    auto into = blocks<How, C>(received, "out", to.size());
    auto result =
        call<How, C>(algorithm, from.data(), out_of.counts.data(), out_of.offsets.data(),
                     type_of(to), to.data(), into.counts.data(), into.offsets.data(), type_of(to));
    result.keep(std::move(out_of));
    result.keep(std::move(into));
    return result;
  }

  template <class How>
  typename How::Result alltoallw(std::span<const ConstBlock> in, std::span<const Block> out,
                                 const Algorithm& algorithm = {}) const {
    using C = collective::alltoallw;
    require_blocks<C>(in.size());
    require_blocks<C>(out.size());
    BlockTypes<How> out_of(C::text, in), into(C::text, out);
    auto result = call<How, C>(algorithm, out_of.first, out_of.counts.data(), out_of.offsets.data(),
                               out_of.types.data(), const_cast<void*>(into.first),
                               into.counts.data(), into.offsets.data(), into.types.data());
    result.keep(std::move(out_of));
    result.keep(std::move(into));
    return result;
  }

 private:
  template <class How, class C, class... Arguments>
  typename How::Result call(const Algorithm& algorithm, Arguments... arguments) const {
    require_group();
    auto result = How::template call<C>(algorithm, arguments..., comm_);
    if (owner_ != nullptr) result.keep(owner_);
    return result;
  }

  /// allreduce, scan and exscan: as much out as in.
  template <class How, class C, class In, class Out, class Op>
  typename How::Result combine(const In& in, Out&& out, const Op& op,
                               const Algorithm& algorithm) const {
    const auto to = room(std::forward<Out>(out));
    const auto from = source<C>(in, to);
    require<C>("out", to.size(), from.size);
    return call<How, C>(algorithm, from.address, to.data(), count<How, C>(from.size), type_of(to),
                        operator_for(to, op));
  }

  struct Source {
    const void* address;
    std::size_t size;
    bool in_place;
  };

  /// Data to read, which may be where the result goes.
  template <class C, class In, class T>
  static Source source(const In& in, std::span<T> to) {
    if constexpr (std::is_same_v<In, InPlace>) {
      return {MPI_IN_PLACE, to.size(), true};
    } else {
      const auto from = view(in);
      require_same(from, to);
      if (!from.empty() && !to.empty() && from.data() == to.data())
        throw std::invalid_argument(
            text<C>("in and out are the same memory: pass tutti::in_place as in"));
      return {from.data(), from.size(), false};
    }
  }

  template <class T, class U>
  static void require_same(std::span<const T>, std::span<U>) {
    static_assert(std::is_same_v<T, U>, "tutti: in and out hold elements of different types");
  }
  template <class T>
  static MPI_Datatype type_of(std::span<T>) {
    return datatype<T>();
  }
  template <class T, class Op>
  static MPI_Op operator_for(std::span<T>, const Op& op) {
    return operator_of<T>(op);
  }

  template <class How, class C>
  static typename How::Count count(std::size_t number) {
    return narrowed<typename How::Count>(C::text, number);
  }

  void require_group() const {
    if (comm_ == MPI_COMM_NULL) [[unlikely]]
      throw std::invalid_argument(
          "tutti: this rank is in no group: test the communicator before using it");
  }
  template <class C>
  static std::string text(const std::string& what) {
    return "tutti: " + std::string(C::text) + ": " + what;
  }
  template <class C>
  static void require(const char* which, std::size_t have, std::size_t need) {
    if (have < need) [[unlikely]]
      throw std::invalid_argument(text<C>(std::string(which) + " has " + std::to_string(have) +
                                          " elements, " + std::to_string(need) + " are needed"));
  }
  template <class C>
  void require_blocks(std::size_t number) const {
    if (number != ranks()) [[unlikely]]
      throw std::invalid_argument(text<C>(std::to_string(number) + " blocks for " +
                                          std::to_string(size_) + " ranks: give one for each"));
  }
  /// What this rank gives or takes is what the layout says.
  template <class C>
  void require_own(const Layout& layout, const char* does, std::size_t number) const {
    const std::size_t own = layout.counts[static_cast<std::size_t>(rank_)];
    if (number != own) [[unlikely]]
      throw std::invalid_argument(text<C>("rank " + std::to_string(rank_) + " " + does + " " +
                                          std::to_string(number) +
                                          " elements, but the layout says " + std::to_string(own)));
  }
  /// Equal blocks, one for each rank.
  template <class C>
  std::size_t share(std::size_t number) const {
    if (number % ranks() != 0) [[unlikely]]
      throw std::invalid_argument(text<C>(std::to_string(number) + " elements do not fall into " +
                                          std::to_string(size_) + " equal blocks"));
    return number / ranks();
  }
  template <class How, class C>
  Places<How> blocks(const Layout& layout, const char* which, std::size_t have) const {
    require_blocks<C>(layout.size());
    require<C>(which, have, layout.extent());
    return {C::text, layout};
  }

  MPI_Comm comm_;
  int rank_ = -1, size_ = 0;
  std::shared_ptr<MPI_Comm> owner_;
};

}  // namespace detail
}  // namespace api
}  // namespace tutti
