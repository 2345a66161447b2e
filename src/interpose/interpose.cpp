// The drop-in: MPI_X and PMPI_X of every collective, in front of the MPI's own. C programs come
// through MPI_X; Fortran's interfaces of some MPIs through PMPI_X. The blocking collectives go to
// api/front/collectives.cpp; nonblocking, persistent and neighbourhood ones to the MPI, and are
// counted.

#include <dlfcn.h>
#include <mpi.h>

#include "api/front/drop_in.hpp"
#include "api/process/native.hpp"
#include "api/watch/observer.hpp"
#include "tutti/tutti.h"

namespace {

/// The MPI's own function, behind this library.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Notes calls of one function that the MPI does.
class Noted {
 public:
  Noted(const char* name, const char* why)
      : row_(tutti::core::explain_row(name, -1, 0, "native", "", why)) {}

  template <class Call>
  int run(MPI_Comm comm, Call&& call) {
    // What the call begins ends later, in calls that are not seen.
    tutti::core::Observed observed(comm, false);
    observed.leaves(tutti::core::noter_of(row_), tutti::core::counts_for_all(comm));
    const int error = call();
    observed.end();
    return error;
  }

 private:
  tutti::core::ExplainRow& row_;
};

// Both names come here: by its exported name MPI_Init could be that of another drop-in, which may
// have called PMPI_Init.
int begun_alone(int error) {
  if (error == MPI_SUCCESS) tutti_tells_of_frees();
  if (begun(error) != MPI_SUCCESS) return error;
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  tutti_meets_others(parent != MPI_COMM_NULL);
  return error;
}
int start(int* argc, char*** argv) {
  static const auto own = real<decltype(PMPI_Init)>("PMPI_Init");
  return begun_alone(own(argc, argv));
}
int start_thread(int* argc, char*** argv, int required, int* provided) {
  static const auto own = real<decltype(PMPI_Init_thread)>("PMPI_Init_thread");
  return begun_alone(own(argc, argv, required, provided));
}

}  // namespace

#define UNWRAP(...) __VA_ARGS__

// Both names do it themselves, as above.
#define DEFINE_NOTED(Function, label, why, parameters, arguments)                      \
  static int noted_##Function(UNWRAP parameters) {                                     \
    static const auto own = real<decltype(PMPI_##Function)>("PMPI_" #Function);        \
    static Noted noted(label, why);                                                    \
    return noted.run(comm, [&] { return own(UNWRAP arguments); });                     \
  }                                                                                    \
  int MPI_##Function(UNWRAP parameters) { return noted_##Function(UNWRAP arguments); } \
  int PMPI_##Function(UNWRAP parameters) { return noted_##Function(UNWRAP arguments); }

/// The nonblocking and the persistent form of a collective.
#define DEFINE_NONBLOCKING(name, suffix, parameters, arguments) \
  DEFINE_NOTED(I##name##suffix, "i" #name, "nonblocking",       \
               (UNWRAP parameters, MPI_Request * request), (UNWRAP arguments, request))
#define DEFINE_PERSISTENT(Name, name, suffix, parameters, arguments)      \
  DEFINE_NOTED(Name##_init##suffix, #name "_init", "persistent",          \
               (UNWRAP parameters, MPI_Info info, MPI_Request * request), \
               (UNWRAP arguments, info, request))

/// What brings processes of other worlds in, or ranks that have met some.
#define DEFINE_MEETING(Function, parameters, arguments)                                  \
  static int meeting_##Function(UNWRAP parameters) {                                     \
    static const auto own = real<decltype(PMPI_##Function)>("PMPI_" #Function);          \
    tutti_meets_others(1);                                                               \
    return own(UNWRAP arguments);                                                        \
  }                                                                                      \
  int MPI_##Function(UNWRAP parameters) { return meeting_##Function(UNWRAP arguments); } \
  int PMPI_##Function(UNWRAP parameters) { return meeting_##Function(UNWRAP arguments); }

/// What frees a communicator, under one of its names; tools behind this library see it, too.
#define DEFINE_FREEING(Function)                                      \
  int Function(MPI_Comm* comm) {                                      \
    static const auto own = real<decltype(MPI_Comm_free)>(#Function); \
    if (comm != nullptr) tutti_lets_go(*comm);                        \
    return own(comm);                                                 \
  }

extern "C" {

DEFINE_FREEING(MPI_Comm_free)
DEFINE_FREEING(PMPI_Comm_free)
DEFINE_FREEING(MPI_Comm_disconnect)
DEFINE_FREEING(PMPI_Comm_disconnect)

DEFINE_MEETING(Comm_spawn,
               (const char* command, char* argv[], int most, MPI_Info info, int root, MPI_Comm comm,
                MPI_Comm* result, int errors[]),
               (command, argv, most, info, root, comm, result, errors))
DEFINE_MEETING(Comm_spawn_multiple,
               (int count, char* commands[], char** argvs[], const int most[],
                const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm* result, int errors[]),
               (count, commands, argvs, most, infos, root, comm, result, errors))
DEFINE_MEETING(Comm_accept,
               (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* result),
               (port, info, root, comm, result))
DEFINE_MEETING(Comm_connect,
               (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* result),
               (port, info, root, comm, result))
DEFINE_MEETING(Comm_join, (int socket, MPI_Comm* result), (socket, result))
DEFINE_MEETING(Intercomm_create,
               (MPI_Comm mine, int leader, MPI_Comm peers, int other, int tag, MPI_Comm* result),
               (mine, leader, peers, other, tag, result))
DEFINE_MEETING(Intercomm_merge, (MPI_Comm between, int high, MPI_Comm* result),
               (between, high, result))

int MPI_Init(int* argc, char*** argv) { return start(argc, argv); }
int PMPI_Init(int* argc, char*** argv) { return start(argc, argv); }
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return start_thread(argc, argv, required, provided);
}
int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return start_thread(argc, argv, required, provided);
}

#define COUNT int
#define DISPL int
#define X(Name, name, parameters, arguments)                    \
  int MPI_##Name parameters { return tutti_##name arguments; }  \
  int PMPI_##Name parameters { return tutti_##name arguments; } \
  DEFINE_NONBLOCKING(name, , parameters, arguments)
#include "api/process/collectives.def"
#undef X
#define X(Name, name, parameters, arguments)                        \
  DEFINE_NOTED(Name, #name, "neighbourhood", parameters, arguments) \
  DEFINE_NONBLOCKING(name, , parameters, arguments)
#include "interpose/neighbours.def"
#undef X
#if MPI_VERSION >= 4
#define X(Name, name, parameters, arguments) DEFINE_PERSISTENT(Name, name, , parameters, arguments)
#include "api/process/collectives.def"
#include "interpose/neighbours.def"
#undef X
#endif
#undef COUNT
#undef DISPL

#ifdef TUTTI_LARGE_COUNTS
#define ONLY_WITH_COUNTS
#define COUNT MPI_Count
#define DISPL MPI_Aint
#define X(Name, name, parameters, arguments)                            \
  int MPI_##Name##_c parameters { return tutti_##name##_c arguments; }  \
  int PMPI_##Name##_c parameters { return tutti_##name##_c arguments; } \
  DEFINE_NONBLOCKING(name, _c, parameters, arguments)                   \
  DEFINE_PERSISTENT(Name, name, _c, parameters, arguments)
#include "api/process/collectives.def"
#undef X
#define X(Name, name, parameters, arguments)                            \
  DEFINE_NOTED(Name##_c, #name, "neighbourhood", parameters, arguments) \
  DEFINE_NONBLOCKING(name, _c, parameters, arguments)                   \
  DEFINE_PERSISTENT(Name, name, _c, parameters, arguments)
#include "interpose/neighbours.def"
#undef X
#endif

}  // extern "C"
