#include "api/process/requests.hpp"

#include <atomic>
#include <deque>
#include <mutex>

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

bool is_native(int number) { return number != 0 && request_of(number).algorithm == nullptr; }

int take_next_request() {
  const int number = next_request;
  if (number != 0) next_request = 0;
  return number;
}
void set_next_request(int number) { next_request = number; }

}  // namespace tutti::core
