// Buffers, slices and actions in words.

#include "schedule/schedule.hpp"

#include <fmt/format.h>

namespace tutti::core {

std::string_view name_of(Buffer buffer) {
  constexpr std::string_view names[] = {"input", "output", "scratch"};
  return names[static_cast<int>(buffer)];
}

std::string_view name_of(Kind kind) {
  constexpr std::string_view names[] = {"send", "recv", "recv_reduce", "reduce", "copy"};
  return names[static_cast<int>(kind)];
}

std::string_view name_of(Side side) { return side == Side::left ? "left" : "right"; }

namespace {

std::string describe(std::span<const Slice> slices) {
  if (slices.empty()) return "nothing";
  std::string text;
  for (const Slice& slice : slices)
    text += fmt::format("{}{}[{}..{})", text.empty() ? "" : "+", name_of(slice.buffer),
                        slice.offset, slice.end());
  return text;
}

}  // namespace

std::string describe(const Schedule& schedule, const Action& action) {
  const std::string target = describe(schedule.slices_of(action));
  const std::string source = describe(schedule.sources_of(action));
  switch (action.kind) {
    case Kind::send: return fmt::format("send {} to {}", target, action.peer);
    case Kind::recv: return fmt::format("recv {} from {}", target, action.peer);
    case Kind::recv_reduce:
      return fmt::format("recv_reduce {} from {} on the {}{}", target, action.peer,
                         name_of(action.side),
                         action.from_first == action.from_last ? "" : " of " + source);
    case Kind::reduce:
      return fmt::format("reduce {} into {} on the {}", source, target, name_of(action.side));
    case Kind::copy: return fmt::format("copy {} to {}", source, target);
  }
  return {};
}

}  // namespace tutti::core
