// Remembers the operations of blocking calls that last.

#include "api/call/blocking_calls.hpp"

#include <algorithm>

namespace tutti::core {

void BlockingCalls::remember(const Arguments& arguments) {
  if (!passing_->is_remembered()) return;
  auto& places = blocking_[arguments.place(blocking_.size())];
  // Where only lists hold something else, the two change places: each keeps the room it packs in.
  for (auto& each : places)
    if (each != nullptr && each->is_for_before(arguments)) return std::swap(each, passing_);
  if (places.back() == nullptr) places.back() = std::make_unique<Operation>(state_);
  std::rotate(places.begin(), places.end() - 1, places.end());
  std::swap(places.front(), passing_);
  passing_->take_rooms(*places.front());  // what does not last will pack again
}

void BlockingCalls::drop_rooms() {
  passing_->drop_rooms();
  for (auto& places : blocking_)
    for (auto& each : places)
      if (each != nullptr) each->drop_rooms();
}

}  // namespace tutti::core
