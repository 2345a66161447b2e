#pragma once

#include <deque>
#include <functional>
#include <mutex>

#include "select/choose.hpp"

namespace tutti::core {

/// What the model took under one profile, for whoever asks the same of ranks that live the same
/// way: the last few hundred answers. Several threads may ask.
class KeptChoices {
 public:
  Choice find_or_make(const Known& known, int cores, const std::function<Choice()>& make);
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return kept_.size();
  }

 private:
  struct Kept {
    Known known;
    int cores;
    Choice choice;
  };
  mutable std::mutex mutex_;
  std::deque<Kept> kept_;  // the oldest first
};

}  // namespace tutti::core
