// The table of what was asked for by name.

#include "api/process/requests.hpp"

#include <atomic>
#include <cstdio>
#include <deque>
#include <mutex>
#include <set>
#include <stdexcept>

#include "api/process/settings.hpp"
#include "select/choose.hpp"

namespace tutti::core {

namespace {

struct Table {
  std::mutex mutex;
  std::deque<Request> all;  // requests stay where they are
  std::atomic<int> count{0};
};

Table& table() {
  static Table value;
  return value;
}

thread_local int next_request = 0;

void warn_once(const std::string& message, Rank rank) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::scoped_lock lock(mutex);
  if (said.insert(message).second && rank == 0)
    std::fprintf(stderr, "tutti: %s: the model chooses\n", message.c_str());
}

}  // namespace

int request_number(std::string_view text) {
  Request request = text == "native" ? Request{} : parse_request(text);
  const std::scoped_lock lock(table().mutex);
  auto& all = table().all;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].algorithm == request.algorithm && all[i].parameters == request.parameters)
      return static_cast<int>(i) + 1;
  all.push_back(std::move(request));
  return ++table().count;
}

bool is_request(int number) {
  return number >= 0 && number <= table().count.load(std::memory_order_relaxed);
}

const Request& request_of(int number) {
  const std::scoped_lock lock(table().mutex);
  return table().all[static_cast<std::size_t>(number - 1)];
}

const Request* asked_for(int number, const Call& call) {
  if (number == 0) return nullptr;
  const Request& request = request_of(number);
  const std::string message = refusal(known_of(call), request);
  if (message.empty()) return &request;
  if (settings().strict) throw std::runtime_error(message);
  warn_once(message, call.rank);
  return nullptr;
}

bool is_native(int number) { return number != 0 && request_of(number).algorithm == nullptr; }

int take_next_request() {
  const int number = next_request;
  if (number != 0) next_request = 0;
  return number;
}
void set_next_request(int number) { next_request = number; }

}  // namespace tutti::core
