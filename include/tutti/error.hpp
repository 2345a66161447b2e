#pragma once

#include <tutti/tutti.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace tutti {
// Apart from the layers inside Tutti, which have some of these names too.
inline namespace api {

/// An error of the MPI, or of Tutti on its behalf.
///
/// MPI ends the program at an error unless it is told otherwise, so that none of these is seen:
/// @code
/// MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
/// try {
///   world.bcast(x, 99);
/// } catch (const tutti::Error& error) {  // what(): the MPI's own text
///   if (error.error_class() == MPI_ERR_ROOT) ...
/// }
/// @endcode
class Error : public std::runtime_error {
 public:
  /// With the MPI's text for what a call returned.
  explicit Error(int code) : std::runtime_error(text_of(code)), code_(code) {}

  /// What the call returned.
  int code() const { return code_; }
  /// What kind of error it is: MPI_ERR_ROOT, MPI_ERR_COUNT, ...
  int error_class() const {
    int result = MPI_ERR_UNKNOWN;
    MPI_Error_class(code_, &result);
    return result;
  }

 private:
  static std::string text_of(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return {text, static_cast<std::size_t>(length)};
  }

  int code_;
};

namespace detail {

inline void check(int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw Error(code);
}

inline bool is_finalized() {
  int result = 0;
  MPI_Finalized(&result);
  return result != 0;
}

/// Runs `free` when MPI ends, which begins with the attributes of MPI_COMM_SELF.
inline void at_finalize(std::function<void()> free) {
  using Function = std::function<void()>;
  int key = MPI_KEYVAL_INVALID;
  check(MPI_Comm_create_keyval(
      MPI_COMM_NULL_COPY_FN,
      [](MPI_Comm, int, void* value, void*) {
        const std::unique_ptr<Function> run(static_cast<Function*>(value));
        (*run)();
        return MPI_SUCCESS;
      },
      &key, nullptr));
  check(MPI_Comm_set_attr(MPI_COMM_SELF, key, new Function(std::move(free))));
  check(MPI_Comm_free_keyval(&key));  // it lives as long as its attribute
}

}  // namespace detail

}  // namespace api
}  // namespace tutti
