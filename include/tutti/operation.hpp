#pragma once

#include <tutti/error.hpp>

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tutti {
inline namespace api {

/// An algorithm for a call, with its parameters if wanted: the last argument of every collective.
/// `tutti list allreduce` names those of allreduce. All ranks must ask for the same.
/// @code
/// world.allreduce(x, tutti::sum, tutti::Algorithm("ring"));
/// world.bcast(v, 0, tutti::Algorithm("chain:segment=32K"));
/// @endcode
/// An unknown one is a std::invalid_argument, one that cannot run an error of the MPI.
class Algorithm {
 public:
  /// Whatever was forced, else what Tutti chooses.
  Algorithm() = default;
  /// As `tutti list` names it, with `:parameter=value,...` if wanted; `native`: the MPI's own.
  explicit Algorithm(std::string text) : text_(std::move(text)) {}

  /// What was asked for; empty: nothing.
  const std::string& text() const { return text_; }

  /// Its number for a collective (see tutti_use_next); 0: none was asked for.
  int number(const char* collective) const {
    if (text_.empty()) return 0;
    thread_local std::map<std::string, int> known;  // a text is parsed once
    const std::string full = text_ == "native" ? text_ : collective + ("/" + text_);
    if (const auto found = known.find(full); found != known.end()) return found->second;
    int result = 0;
    if (tutti_algorithm(full.c_str(), &result) != MPI_SUCCESS)
      throw std::invalid_argument("tutti: no algorithm '" + full + "': 'tutti list " + collective +
                                  "' shows all, with their parameters");
    return known[full] = result;
  }

 private:
  std::string text_;
};

/// A collective that was prepared, or is under way: started, waited for, started again.
/// @code
/// auto sum = world.iallreduce(in, out, tutti::sum);   // started
/// while (!sum.test()) work();
///
/// auto plan = world.plan_allreduce(in, out, tutti::sum);
/// for (int step = 0; step < 100; ++step) {
///   plan.start();
///   work();
///   plan.wait();
/// }
/// @endcode
/// The memory must stay where it is as long as the operation exists. It moves while a rank is in a
/// call of Tutti, any call, not by itself. The destructor waits.
class [[nodiscard]] Operation {
 public:
  /// None: always done.
  Operation() = default;
  /// Takes over a handle of the C interface.
  explicit Operation(tutti_operation handle) : handle_(handle) {}
  /// Takes over another's; that one is none then.
  Operation(Operation&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), kept_(std::move(other.kept_)) {}
  /// Waits for its own and frees it, then takes over another's.
  Operation& operator=(Operation&& other) noexcept {
    if (this != &other) {
      free();
      handle_ = std::exchange(other.handle_, nullptr);
      kept_ = std::move(other.kept_);
    }
    return *this;
  }
  ~Operation() { free(); }

  /// Starts it again. It must be done.
  void start() { detail::check(tutti_start(handle_)); }
  /// Moves it on; true if it is done.
  bool test() {
    int done = 1;
    if (handle_ != nullptr) detail::check(tutti_test(handle_, &done));
    return done != 0;
  }
  /// Waits until it is done.
  void wait() {
    if (handle_ != nullptr) detail::check(tutti_wait(handle_));
  }
  /// The handle of the C interface, still owned by this object.
  tutti_operation handle() const { return handle_; }

  /// Keeps something alive as long as the operation.
  template <class T>
  void keep(T thing) {
    kept_.push_back(std::make_shared<T>(std::move(thing)));
  }

 private:
  void free() {
    if (handle_ != nullptr && !detail::is_finalized()) tutti_free(&handle_);
  }

  tutti_operation handle_ = nullptr;
  std::vector<std::shared_ptr<void>> kept_;
};

/// A result that is on its way. It owns its data, also those that it was made from.
/// @code
/// auto sum = world.iallreduce(x, tutti::sum);
/// work();
/// double y = sum.get();
/// @endcode
template <class Result>
class [[nodiscard]] Future {
 public:
  /// `result` is kept by the operation.
  Future(Operation operation, Result& result)
      : operation_(std::move(operation)), result_(&result) {}

  /// True if the result is there.
  bool test() { return operation_.test(); }
  /// Waits until the result is there.
  void wait() { operation_.wait(); }
  /// Waits and hands the result over, once.
  Result get() {
    operation_.wait();
    return std::move(*result_);
  }

 private:
  Operation operation_;
  Result* result_;
};

}  // namespace api
}  // namespace tutti
