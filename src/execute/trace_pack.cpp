// What a rank hands over to another: its trace as bytes, and back.

#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "execute/trace.hpp"

namespace tutti::core {

namespace {

class Packer {
 public:
  template <class T>
  void number(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void list(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    number(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> list() {
    std::vector<T> values(number<std::size_t>());
    const std::string_view from = take(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), from.data(), from.size());
    return values;
  }
  std::string text() { return std::string(take(number<std::size_t>())); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) throw std::runtime_error("a rank's trace is not whole: run it again");
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }
  std::string_view bytes_;
};

}  // namespace

std::string pack(const RankTrace& trace) {
  Packer out;
  out.text(trace.host);
  out.number(trace.offset);
  out.list(trace.events);
  out.list(trace.calls);
  out.number(trace.labels.size());
  for (const std::string& label : trace.labels) out.text(label);
  out.number(trace.communicators.size());
  for (const auto& [id, ranks] : trace.communicators) {
    out.number(id);
    out.list(ranks);
  }
  out.number(trace.dropped_events);
  out.number(trace.dropped_calls);
  return out.take();
}

RankTrace unpack(std::string_view bytes) {
  Unpacker in(bytes);
  RankTrace trace;
  trace.host = in.text();
  trace.offset = in.number<ClockOffset>();
  trace.events = in.list<TraceEvent>();
  trace.calls = in.list<TraceCall>();
  for (auto count = in.number<std::size_t>(); count > 0; --count) trace.labels.push_back(in.text());
  for (auto count = in.number<std::size_t>(); count > 0; --count) {
    const auto id = in.number<std::int64_t>();
    trace.communicators[id] = in.list<int>();
  }
  trace.dropped_events = in.number<std::uint64_t>();
  trace.dropped_calls = in.number<std::uint64_t>();
  return trace;
}

}  // namespace tutti::core
