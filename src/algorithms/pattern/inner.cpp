// An algorithm as a step of a composition: ranks, buffers and scratch are mapped.

#include "algorithms/pattern/inner.hpp"

#include <algorithm>
#include <stdexcept>

#include "algorithms/registry.hpp"

namespace tutti::core {

namespace {

/// Which of the members share a node; null: no two do, and nobody asks.
std::shared_ptr<const Topology> nodes_among(const Group& members, const Topology& known,
                                            bool is_asked) {
  std::vector<char> is_taken(known.nodes());
  bool any_share = false;
  for (int i = 0; i < members.size() && !any_share; ++i) {
    char& taken = is_taken[known.node_of(members.at(i))];
    any_share = taken != 0;
    taken = 1;
  }
  if (!any_share && !is_asked) return nullptr;
  std::vector<Rank> ranks(members.size());
  for (int i = 0; i < members.size(); ++i) ranks[i] = members.at(i);
  return std::make_shared<const Topology>(known.of(ranks));
}

/// A buffer of the inner call, and the slices where its elements really stand.
class View {
 public:
  explicit View(const Slices& slices) : slices_(slices), ends_(slices.size()) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) ends_[i] = end += slices[i].count;
  }

  void map(const Slice& slice, Slices& result) const {
    std::size_t from = slice.offset, left = slice.count;
    auto i = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), from) -
                                      ends_.begin());
    for (; left > 0; ++i) {
      if (i == slices_.size()) throw std::logic_error("an inner algorithm leaves its buffers");
      const std::size_t skipped = from - (ends_[i] - slices_[i].count);
      const std::size_t size = std::min(left, slices_[i].count - skipped);
      result.push_back(slices_[i].part(skipped, size));
      from += size;
      left -= size;
    }
  }

 private:
  const Slices& slices_;
  std::vector<std::size_t> ends_;
};

}  // namespace

Inner::Inner(Collective collective, const Parameters& parameters, const Topology* known)
    : Inner(inner_algorithm(collective, *value_of(parameters, ParameterKind::inner)),
            inner_parameters(parameters), known) {}

void Inner::operator()(Builder& b, const Group& g, Call call, const Slices& input,
                       const Slices& output) const {
  call.collective = algorithm_->collective;
  call.p = g.size();
  call.rank = g.rank();
  if (known_ != nullptr) call.topology = nodes_among(g, *known_, algorithm_->node_aware);
  const Generator generator(*algorithm_, call, parameters_);
  if (!generator.finished()) throw std::logic_error("an inner algorithm must not learn");
  const Schedule& schedule = generator.schedule();
  const Slices scratch{b.scratch(schedule.scratch)};
  const View views[] = {View(input), View(output), View(scratch)};
  const auto mapped = [&](std::span<const Slice> slices) {
    Slices result;
    for (const Slice& slice : slices) views[static_cast<int>(slice.buffer)].map(slice, result);
    return result;
  };
  for (std::size_t t = 0; t < schedule.round_count(); ++t) {
    b.round();
    for (const Action& action : schedule.round(t)) {
      const Slices slices = mapped(schedule.slices_of(action));
      const Slices sources = mapped(schedule.sources_of(action));
      const Rank peer = action.is_message() ? g.at(action.peer) : -1;
      switch (action.kind) {
        case Kind::send: slices.empty() ? b.signal(peer) : b.send(slices, peer); break;
        case Kind::recv: slices.empty() ? b.await(peer) : b.recv(slices, peer); break;
        case Kind::recv_reduce: b.recv_reduce(slices, peer, action.side); break;
        case Kind::reduce: b.reduce(sources, slices, action.side); break;
        case Kind::copy: b.copy(sources, slices); break;
      }
    }
  }
}

Slices padded_source(const Slices& real, std::size_t count) {
  Slices result = real;
  for (std::size_t missing = count - count_of(real), i = 0; missing > 0;
       i = (i + 1) % real.size()) {
    const std::size_t size = std::min(missing, real[i].count);
    result.push_back(real[i].part(0, size));
    missing -= size;
  }
  return result;
}

Slices padded_target(Builder& b, const Slices& real, std::size_t count) {
  Slices result = real;
  if (const std::size_t missing = count - count_of(real); missing > 0)
    result.push_back(b.scratch(missing));
  return result;
}

}  // namespace tutti::core
