#include "api/native.hpp"

#ifdef TUTTI_PRELOAD
#include <dlfcn.h>
#endif

namespace tutti {

const Native& native() {
  static const Native table = [] {
    Native n;
#ifdef TUTTI_PRELOAD
#define X(Name, name, parameters, arguments) \
  n.name = reinterpret_cast<decltype(n.name)>(dlsym(RTLD_NEXT, "PMPI_" #Name));
#else
#define X(Name, name, parameters, arguments) n.name = &PMPI_##Name;
#endif
#include "api/collectives.def"
#undef X
    return n;
  }();
  return table;
}

}  // namespace tutti
