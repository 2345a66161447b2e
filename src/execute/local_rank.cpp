// One rank of a local execution: what it learns, what it sends and takes, and what it refuses.

#include "execute/local_rank.hpp"

#include <fmt/format.h>

#include <utility>

namespace tutti::core {

namespace {

constexpr std::size_t number_bytes = sizeof(std::uint64_t);

/// Numbers in buffers are little-endian whatever the machine.
std::uint64_t read_number(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = number_bytes; i-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

void write_number(std::span<std::byte> bytes, std::uint64_t value) {
  for (std::size_t i = 0; i < number_bytes; ++i) bytes[i] = static_cast<std::byte>(value >> 8 * i);
}

}  // namespace

/// Scratch that a stage adds is full of rubbish, except for its constants.
void LocalRank::prepare_scratch(std::mt19937_64& random) {
  const std::span<const std::byte> scratch = memory.bytes_of(Buffer::scratch);
  Bytes content(scratch.begin(), scratch.end());
  while (content.size() < schedule().scratch * memory.element_bytes())
    content.push_back(static_cast<std::byte>(random()));
  for (; constants < schedule().constants.size(); ++constants) {
    const Constant& constant = schedule().constants[constants];
    if (memory.element_bytes() != 1)
      fail("constants stand in bytes, but an element has more than one");
    if (constant.offset > content.size() || content.size() - constant.offset < number_bytes)
      fail(fmt::format("the constant at scratch[{}] is outside the buffer", constant.offset));
    write_number(std::span(content).subspan(constant.offset, number_bytes), constant.value);
  }
  memory.set(Buffer::scratch, content);
}

void LocalRank::learn() { generator->resume(numbers_in(schedule().stages.back().slice)); }

/// A complete schedule was made for what its stages learned then: they must learn the same now.
void LocalRank::check_learned() {
  for (const StageEnd& stage : schedule().stages)
    if (static_cast<int>(stage.rounds) == round && numbers_in(stage.slice) != stage.learned)
      fail("learns other numbers than those its next stage was made for");
}

std::vector<std::size_t> LocalRank::numbers_in(const Slice& slice) {
  if (!memory.holds(slice)) fail("the stage learns from outside the buffer");
  const std::span<const std::byte> bytes = memory.bytes_of(slice);
  if (bytes.size() % number_bytes != 0)
    fail(fmt::format("the stage learns from {} bytes, not from whole numbers", bytes.size()));
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < bytes.size(); i += number_bytes)
    numbers.push_back(read_number(bytes.subspan(i, number_bytes)));
  return numbers;
}

LocalRank::Bytes LocalRank::send(std::size_t a) {
  open[a - schedule().round_begin(round)].ended = true;
  return memory.gather(schedule().slices_of(schedule().actions[a]));
}

std::size_t LocalRank::put(std::size_t a, Bytes bytes, const Reduction& reduction) {
  const std::size_t begin = schedule().round_begin(round);
  const Action& action = schedule().actions[a];
  if (bytes.size() != schedule().count_of(action) * memory.element_bytes())
    fail(action, fmt::format("gets {} elements", bytes.size() / memory.element_bytes()));
  int place = static_cast<int>(a - begin);
  open[place].bytes = std::move(bytes);
  open[place].arrived = true;
  std::size_t ended = 0;
  for (; place >= 0 && open[place].arrived; place = open[place].after, ++ended) {
    Open& next = open[place];
    if (next.before >= 0 && !open[next.before].ended) break;
    const Action& writes = schedule().actions[begin + place];
    memory.apply(writes, schedule().slices_of(writes), next.bytes, reduction);
    next.ended = true;
  }
  return ended;
}

void LocalRank::conclude() const {
  if (!memory.intact()) fail("bytes outside a buffer were changed");
  if (done) return;
  const std::span<const Action> actions = schedule().round(round);
  for (std::size_t i = 0; i < actions.size(); ++i)
    if (!open[i].ended) fail(actions[i], "waits for ever");
}

void LocalRank::fail(const std::string& what) const {
  throw LocalFailure(fmt::format("rank {}, round {}: {}", rank, round, what));
}

void LocalRank::fail(const Action& action, const std::string& what) const {
  fail(fmt::format("{} {}", describe(schedule(), action), what));
}

}  // namespace tutti::core
