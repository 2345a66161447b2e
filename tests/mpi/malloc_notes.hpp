#pragma once

// Who asks for memory: a program's malloc in front of the C library's. To be included once in a
// program.

#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

struct Request {
  std::array<void*, 12> callers{};
  int depth = 0;
};
std::array<Request, 1000> requests;
std::size_t noted = 0;
thread_local bool notes = false;

void note() {
  if (!notes || noted == requests.size()) return;
  notes = false;  // whatever backtrace does is not meant
  Request& request = requests[noted++];
  request.depth = backtrace(request.callers.data(), static_cast<int>(request.callers.size()));
  notes = true;
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) noexcept {
  note();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  note();
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  note();
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  note();
  return __libc_memalign(alignment, bytes);
}
}

namespace {

/// The nearest caller that is more than a way to malloc.
std::string asked_by(const Request& request) {
  Dl_info self{};
  dladdr(reinterpret_cast<void*>(note), &self);
  bool in_malloc = true;
  for (int i = 0; i < request.depth; ++i) {
    Dl_info info{};
    if (dladdr(request.callers[static_cast<std::size_t>(i)], &info) == 0) continue;
    const std::string_view file = info.dli_fname;
    in_malloc = in_malloc && info.dli_fbase == self.dli_fbase;
    if (in_malloc || file.find("libstdc++") != file.npos || file.find("libc.so") != file.npos ||
        file.find("libfmt") != file.npos)
      continue;
    return std::string(file.substr(file.rfind('/') + 1));
  }
  return "";
}

}  // namespace
