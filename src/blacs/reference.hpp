// The BLACS's own routines, behind this library.

#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace tutti::core::blacs {

/// The BLACS's own routine, behind this library.
template <class Function>
Function* reference(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    std::fprintf(stderr,
                 "tutti: %s was called, but there is no BLACS behind libtutti-blacs.so: add its "
                 "library to LD_PRELOAD, or link it after this one\n",
                 name);
    std::abort();
  }
  return reinterpret_cast<Function*>(found);
}

}  // namespace tutti::core::blacs
