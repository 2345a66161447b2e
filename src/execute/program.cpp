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

}  // namespace

Program compile(const Schedule& schedule, std::size_t first_round, std::size_t most_staging,
                bool in_step, const std::vector<int>& places) {
  Program program;
  program.slices = schedule.slices;
  const auto is_staged = [&](const Action& action) {
    if (action.receives() && !places.empty() && places[action.peer] >= 0) return false;
    return action.is_message() &&
           (action.kind == Kind::recv_reduce || action.last - action.first > 1);
  };
  // Messages of one round are posted together, whatever order they come in: each has its own place.
  const auto staging_of = [&](std::size_t round) {
    std::size_t count = 0;
    for (const Action& action : schedule.round(round))
      if (is_staged(action)) count += schedule.count_of(action);
    return count;
  };
  std::size_t room = most_staging;
  for (std::size_t t = first_round; t < schedule.round_count(); ++t)
    room = std::max(room, staging_of(t));

  Accesses accesses[4];  // input, output, scratch, staging
  using Wait = Program::Wait;
  std::vector<std::pair<std::uint32_t, Program::After>> edges;
  std::vector<std::uint32_t> seen_post, seen_work;  // by vertex: the last vertex that waits for it
  // A send in one piece of memory may follow a receive into one piece of memory as it comes. Sends
  // hide nobody from those who come later, so nobody relies on one to end after what it follows.
  // Only where all goes to one rank, as in chains and rings: a rank that sends to many would begin
  // with later rounds before earlier ones are through, in the way of those who wait for these.
  std::set<Rank> targets;
  for (std::size_t t = first_round; t < schedule.round_count(); ++t)
    for (const Action& action : schedule.round(t))
      if (action.sends()) targets.insert(action.peer);
  const bool has_one_target = targets.size() == 1;
  const auto may_stream = [&](const Program::Vertex& reader, std::uint32_t writer) {
    const Program::Vertex& from = program.vertices[writer];
    return has_one_target && reader.kind == Kind::send && !reader.staged &&
           from.last - from.first == 1 &&
           (from.kind == Kind::recv || from.kind == Kind::recv_reduce);
  };
  std::map<Rank, std::uint32_t> last_in_queue;  // of a peer's receives; -1: of all sends
  std::size_t next_staging = 0;
  // In step: what came in the last round that received something, and what comes in this one.
  std::vector<std::uint32_t> came, comes;

  for (std::size_t t = first_round; t < schedule.round_count(); ++t) {
    if (next_staging + staging_of(t) > room) next_staging = 0;
    if (!comes.empty()) came = std::exchange(comes, {});
    for (const Action& action : schedule.round(t)) {
      const auto me = static_cast<std::uint32_t>(program.vertices.size());
      Program::Vertex vertex{.kind = action.kind,
                             .side = action.side,
                             .peer = action.peer,
                             .first = action.first,
                             .last = action.last,
                             .from_first = action.from_first,
                             .from_last = action.from_last,
                             .count = schedule.count_of(action)};
      seen_post.push_back(Program::none);
      seen_work.push_back(Program::none);
      const auto wait_for = [&](Wait wait) {
        return [&, wait](std::uint32_t other) {
          auto& seen = wait == Wait::to_post ? seen_post : seen_work;
          if (seen[other] == me) return;
          seen[other] = me;
          if (wait == Wait::to_post && may_stream(vertex, other)) {
            edges.push_back({other, {me, Wait::to_stream}});
            program.sources.push_back(other);
            program.vertices[other].is_streamed = true;
            return;
          }
          edges.push_back({other, {me, wait}});
          ++(wait == Wait::to_post ? vertex.before_post : vertex.before_work);
        };
      };
      const auto touch = [&](const Slice& slice, bool writes, Wait wait) {
        accesses[static_cast<int>(slice.buffer)].access(slice.offset, slice.end(), me, writes,
                                                        wait_for(wait));
      };

      vertex.staged = is_staged(action);
      if (vertex.staged) {
        vertex.staging = next_staging;
        next_staging += vertex.count;
        program.staging = std::max(program.staging, next_staging);
        accesses[3].access(vertex.staging, vertex.staging + vertex.count, me, true,
                           wait_for(Wait::to_post));
      }
      // What a send reads must be there when it is posted; where a staged message goes only when it
      // is used.
      const Wait wait = action.sends() || !vertex.staged ? Wait::to_post : Wait::to_work;
      vertex.first_source = static_cast<std::uint32_t>(program.sources.size());
      for (const Slice& slice : schedule.sources_of(action)) touch(slice, false, Wait::to_post);
      for (const Slice& slice : schedule.slices_of(action)) touch(slice, !action.sends(), wait);
      vertex.last_source = static_cast<std::uint32_t>(program.sources.size());
      if (in_step && !has_one_target && action.is_message() && !action.sends()) {
        for (const std::uint32_t other : came) wait_for(Wait::to_post)(other);
        comes.push_back(me);
      }

      if (action.is_message()) {
        const auto [last, is_first] =
            last_in_queue.try_emplace(action.sends() ? -1 : action.peer, me);
        if (is_first) {
          vertex.queue = static_cast<std::uint32_t>(program.queues.size());
          program.queues.push_back(me);
        } else {
          vertex.queue = program.vertices[last->second].queue;
          program.vertices[last->second].next_in_queue = me;
          last->second = me;
        }
      }
      if (vertex.before_post == 0) program.start.push_back(me);
      program.vertices.push_back(vertex);
      program.rounds.push_back(static_cast<std::uint32_t>(t));
    }
  }

  // Others wait for what is sent.
  std::stable_partition(program.start.begin(), program.start.end(), [&](std::uint32_t vertex) {
    return program.vertices[vertex].kind == Kind::send;
  });
  std::stable_sort(edges.begin(), edges.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  program.after.reserve(edges.size());
  std::size_t e = 0;
  for (std::uint32_t i = 0; i < program.vertices.size(); ++i) {
    program.vertices[i].first_after = static_cast<std::uint32_t>(e);
    for (; e < edges.size() && edges[e].first == i; ++e) program.after.push_back(edges[e].second);
    program.vertices[i].last_after = static_cast<std::uint32_t>(e);
  }
  return program;
}

}  // namespace tutti::core
