// Finds the MPI's own collectives: it is built twice, for the library and for the drop-in.

#include "api/process/native.hpp"

#ifdef TUTTI_PRELOAD
#include <dlfcn.h>
#define REAL(function) reinterpret_cast<decltype(&function)>(dlsym(RTLD_NEXT, #function))
#else
#define REAL(function) &function
#endif

namespace tutti::core {

const Native& native() {
  static const Native table = [] {
    Native n;
#define X(Name, name, parameters, arguments) \
  n.name = REAL(PMPI_##Name);                \
  n.i##name = REAL(PMPI_I##name);
#include "api/process/collectives.def"
#undef X
#ifdef TUTTI_LARGE_COUNTS
#define X(Name, name, parameters, arguments) \
  n.name##_c = REAL(PMPI_##Name##_c);        \
  n.i##name##_c = REAL(PMPI_I##name##_c);
#define ONLY_WITH_COUNTS
#include "api/process/collectives.def"
#undef ONLY_WITH_COUNTS
#undef X
#endif
    return n;
  }();
  return table;
}

}  // namespace tutti::core
