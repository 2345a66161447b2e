// Finds out from the slices of a schedule what must wait for what.

#include "execute/program.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tutti::core {

namespace {

/// Who touched what last. Finds, for an access, the vertices it conflicts with.
class Accesses {
 public:
  /// Reports each earlier vertex that reads or writes [begin, end) in conflict, then notes the
  /// access.
  template <class Report>
  void access(std::size_t begin, std::size_t end, std::uint32_t vertex, bool writes,
              Report&& report) {
    if (begin == end) return;
    cut(begin);
    cut(end);
    for (auto cell = cells_.lower_bound(begin); cell != cells_.end() && cell->first < end; ++cell) {
      Cell& c = cell->second;
      if (c.writer != Program::none && c.writer != vertex) report(c.writer);
      if (writes) {
        for (const std::uint32_t reader : c.readers)
          if (reader != vertex) report(reader);
        c.readers.clear();
        c.writer = vertex;
      } else if (c.readers.empty() || c.readers.back() != vertex) {
        c.readers.push_back(vertex);
      }
    }
  }

 private:
  struct Cell {
    std::uint32_t writer = Program::none;
    std::vector<std::uint32_t> readers;
  };
  /// Makes a cell begin at `at`.
  void cut(std::size_t at) {
    auto next = cells_.upper_bound(at);
    if (next == cells_.begin()) {
      cells_.emplace(at, Cell{});
    } else if (auto before = std::prev(next); before->first != at) {
      cells_.emplace_hint(next, at, before->second);
    }
  }

  std::map<std::size_t, Cell> cells_;
};

/// Goes through the rounds once; a vertex waits for those before it that its accesses conflict
/// with.
class Compilation {
 public:
  Compilation(const Schedule& schedule, std::size_t first_round, bool in_step,
              const NodeRanks& near)
      : schedule_(schedule),
        first_round_(first_round),
        near_(near),
        has_one_target_(has_one_target()),
        keeps_step_(in_step && !has_one_target_) {
    program_.slices = schedule.slices;
  }

  Program run(std::size_t most_staging) {
    room_ = most_staging;
    for (std::size_t t = first_round_; t < schedule_.round_count(); ++t)
      room_ = std::max(room_, staging_of(t));
    for (std::size_t t = first_round_; t < schedule_.round_count(); ++t) {
      begin_round(t);
      for (const Action& action : schedule_.round(t)) add(action, t);
    }
    start_with_sends();
    list_after();
    return std::move(program_);
  }

 private:
  using Wait = Program::Wait;

  bool has_one_target() const {
    std::set<Rank> targets;
    for (std::size_t t = first_round_; t < schedule_.round_count(); ++t)
      for (const Action& action : schedule_.round(t))
        if (action.sends()) targets.insert(action.peer);
    return targets.size() == 1;
  }

  bool is_staged(const Action& action) const {
    if (action.receives() && near_.place_of(action.peer) >= 0) return false;
    return action.is_message() &&
           (action.kind == Kind::recv_reduce || action.last - action.first > 1);
  }

  /// Messages of one round are posted together, whatever order they come in: each has its own
  /// place.
  std::size_t staging_of(std::size_t round) const {
    std::size_t count = 0;
    for (const Action& action : schedule_.round(round))
      if (is_staged(action)) count += schedule_.count_of(action);
    return count;
  }

  void begin_round(std::size_t round) {
    if (next_staging_ + staging_of(round) > room_) next_staging_ = 0;
    if (!comes_.empty()) came_ = std::exchange(comes_, {});
  }

  void add(const Action& action, std::size_t round) {
    me_ = static_cast<std::uint32_t>(program_.vertices.size());
    vertex_ = {.kind = action.kind,
               .side = action.side,
               .staged = is_staged(action),
               .peer = action.peer,
               .first = action.first,
               .last = action.last,
               .from_first = action.from_first,
               .from_last = action.from_last,
               .count = schedule_.count_of(action)};
    seen_post_.push_back(Program::none);
    seen_work_.push_back(Program::none);
    if (vertex_.staged) take_staging();
    touch_slices(action);
    if (keeps_step_ && action.receives()) keep_step();
    if (action.is_message()) join_queue(action);
    if (vertex_.before_post == 0) program_.start.push_back(me_);
    program_.vertices.push_back(vertex_);
    program_.rounds.push_back(static_cast<std::uint32_t>(round));
  }

  void take_staging() {
    vertex_.staging = next_staging_;
    next_staging_ += vertex_.count;
    program_.staging = std::max(program_.staging, next_staging_);
    accesses_[3].access(vertex_.staging, vertex_.staging + vertex_.count, me_, true,
                        [&](std::uint32_t other) { wait_for(other, Wait::to_post); });
  }

  void touch_slices(const Action& action) {
    // What a send reads must be there when it is posted; where a staged message goes only when it
    // is used.
    const Wait wait = action.sends() || !vertex_.staged ? Wait::to_post : Wait::to_work;
    vertex_.first_source = static_cast<std::uint32_t>(program_.sources.size());
    for (const Slice& slice : schedule_.sources_of(action)) touch(slice, false, Wait::to_post);
    for (const Slice& slice : schedule_.slices_of(action)) touch(slice, !action.sends(), wait);
    vertex_.last_source = static_cast<std::uint32_t>(program_.sources.size());
  }

  void touch(const Slice& slice, bool writes, Wait wait) {
    accesses_[static_cast<int>(slice.buffer)].access(
        slice.offset, slice.end(), me_, writes,
        [&](std::uint32_t other) { wait_for(other, wait); });
  }

  void keep_step() {
    for (const std::uint32_t other : came_) wait_for(other, Wait::to_post);
    comes_.push_back(me_);
  }

  void join_queue(const Action& action) {
    const auto [last, is_first] =
        last_in_queue_.try_emplace(action.sends() ? -1 : action.peer, me_);
    if (is_first) {
      vertex_.queue = static_cast<std::uint32_t>(program_.queues.size());
      program_.queues.push_back(me_);
    } else {
      vertex_.queue = program_.vertices[last->second].queue;
      program_.vertices[last->second].next_in_queue = me_;
      last->second = me_;
    }
  }

  /// The vertex that is being added waits for an earlier one, once in each way.
  void wait_for(std::uint32_t other, Wait wait) {
    auto& seen = wait == Wait::to_post ? seen_post_ : seen_work_;
    if (seen[other] == me_) return;
    seen[other] = me_;
    if (wait == Wait::to_post && may_stream(other)) {
      edges_.push_back({other, {me_, Wait::to_stream}});
      program_.sources.push_back(other);
      program_.vertices[other].is_streamed = true;
      return;
    }
    edges_.push_back({other, {me_, wait}});
    ++(wait == Wait::to_post ? vertex_.before_post : vertex_.before_work);
  }

  /// A send in one piece of memory may follow a receive into one piece of memory as it comes. Sends
  /// hide nobody from those who come later, so nobody relies on one to end after what it follows.
  /// Only where all goes to one rank, as in chains and rings: a rank that sends to many would begin
  /// with later rounds before earlier ones are through, in the way of those who wait for these.
  bool may_stream(std::uint32_t writer) const {
    const Program::Vertex& from = program_.vertices[writer];
    return has_one_target_ && vertex_.kind == Kind::send && !vertex_.staged &&
           from.last - from.first == 1 &&
           (from.kind == Kind::recv || from.kind == Kind::recv_reduce);
  }

  /// Others wait for what is sent.
  void start_with_sends() {
    std::stable_partition(program_.start.begin(), program_.start.end(), [&](std::uint32_t vertex) {
      return program_.vertices[vertex].kind == Kind::send;
    });
  }

  void list_after() {
    std::stable_sort(edges_.begin(), edges_.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    program_.after.reserve(edges_.size());
    std::size_t e = 0;
    for (std::uint32_t i = 0; i < program_.vertices.size(); ++i) {
      program_.vertices[i].first_after = static_cast<std::uint32_t>(e);
      for (; e < edges_.size() && edges_[e].first == i; ++e)
        program_.after.push_back(edges_[e].second);
      program_.vertices[i].last_after = static_cast<std::uint32_t>(e);
    }
  }

  const Schedule& schedule_;
  const std::size_t first_round_;
  const NodeRanks& near_;
  const bool has_one_target_, keeps_step_;
  Program program_;
  std::uint32_t me_ = 0;    // the vertex that is being added
  Program::Vertex vertex_;  // the same
  Accesses accesses_[4];    // input, output, scratch, staging
  std::size_t room_ = 0, next_staging_ = 0;
  std::vector<std::pair<std::uint32_t, Program::After>> edges_;
  std::vector<std::uint32_t> seen_post_, seen_work_;  // by vertex: the last that waits for it
  std::map<Rank, std::uint32_t> last_in_queue_;       // of a peer's receives; -1: of all sends
  // In step: what came in the last round that received something, and what comes in this one.
  std::vector<std::uint32_t> came_, comes_;
};

}  // namespace

Program compile(const Schedule& schedule, std::size_t first_round, std::size_t most_staging,
                bool in_step, const NodeRanks& near) {
  return Compilation(schedule, first_round, in_step, near).run(most_staging);
}

}  // namespace tutti::core
