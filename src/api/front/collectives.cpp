// MPI's collectives through Tutti, in three forms: blocking, prepared to be started later, and with
// large counts. What Tutti does not do, and what is wrong with a call, is the MPI's own business:
// it gets the call unchanged.

#include <fmt/format.h>

#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>

#include "api/call/at_hand.hpp"
#include "api/call/communicator.hpp"
#include "api/call/describe.hpp"
#include "api/call/first_bytes.hpp"
#include "api/call/private_communicator.hpp"
#include "api/front/agree.hpp"
#include "api/front/drop_in.hpp"
#include "api/process/error.hpp"
#include "api/process/native.hpp"
#include "api/process/requests.hpp"
#include "api/process/settings.hpp"
#include "api/process/tuning.hpp"
#include "api/watch/clocks.hpp"
#include "api/watch/observer.hpp"
#include "api/watch/trace.hpp"
#include "schedule/bytes.hpp"
#include "select/choose.hpp"
#include "topology/placement.hpp"
#include "tutti/tutti.h"

namespace tutti::core {

namespace {

template <class Native>
int leave_to_the_mpi(Collective collective, MPI_Comm comm, const Operation* operation,
                     const char* why, Observed& observed, Native&& call_native) {
  const auto bytes = operation != nullptr ? common_bytes(operation->call) : std::nullopt;
  observed.leaves(
      noter_of_left(collective, operation != nullptr ? operation->call.p : 0, bytes, why),
      operation != nullptr ? operation->call.rank == 0 : counts_for_all(comm), operation);
  const int error = call_native();
  observed.end();
  return error;
}

/// A planned call. The MPI raises its errors itself.
template <class Native>
int run_planned(Operation& operation, Observed& observed, Native&& call_native) {
  Noter& noter = operation.noter();
  const bool counts = operation.call.rank == 0;
  int error = MPI_SUCCESS;
  if (operation.is_native()) [[unlikely]] {
    operation.release();
    observed.leaves(noter, counts, &operation);
    error = call_native();
  } else {
    observed.runs(noter, counts, operation);
    error = operation.run();
  }
  observed.end();
  return error;
}

constexpr const char* young = "young: too few such calls yet to prepare for";

/// Exceptions end at the C interface: as errors.
template <class Function>
int guarded(MPI_Comm comm, Function&& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return raise_code(comm, MPI_ERR_NO_MEM);
  } catch (const std::exception& failed) {
    return raise_error(comm, failed.what());
  }
}

/// An algorithm that a call was to use is not left out without a word.
int asked_in_vain(MPI_Comm comm, Collective collective, const char* why) {
  return raise_error(comm, fmt::format("an algorithm was asked for in a call of {}, but: {}",
                                       name_of(collective), why));
}

/// A call whose time is noted to learn from. Turns are counted whatever becomes of them: the other
/// ranks count theirs.
template <class Native>
int take_turn(Operation& operation, Learning& learning, MPI_Comm comm, Observed& observed,
              Native&& call_native) {
  Planning& planning = operation.state().planning();
  const std::int64_t begin = clock_now();
  int error = MPI_SUCCESS;
  try {
    const bool native = operation.is_native();
    error = run_planned(operation, observed, call_native);
    const int disagreeing = planning.end_turn(learning, begin, clock_now(), error != MPI_SUCCESS);
    if (native && error != MPI_SUCCESS) return error;  // raised already
    if (error == MPI_SUCCESS) error = disagreeing;
  } catch (...) {
    planning.end_turn(learning, begin, clock_now(), true);
    throw;
  }
  return error == MPI_SUCCESS ? error : raise_code(comm, error);
}

/// The MPI does one of the first calls of its class. Where nobody watches it is not described.
template <class Describe, class Native>
int run_young(Collective collective, CommunicatorState& state, MPI_Comm comm, Observed& observed,
              Describe&& describe, Native&& call_native) {
  if (!watches_calls.load(std::memory_order_relaxed)) [[likely]] {
    noter_of_left(collective, 0, std::nullopt, young).counts.note(state.rank() == 0);
    return call_native();
  }
  bool described = false;
  Operation& operation = state.blocking().find({}, described);
  operation.clear(collective);
  described = describe(operation);
  return leave_to_the_mpi(collective, comm, described ? &operation : nullptr, young, observed,
                          call_native);
}

/// By its arguments alone: the bytes that all ranks know of a call, and that it is to be described.
struct FirstLook {
  std::optional<std::size_t> bytes;
  bool has_fatal_count;
};

template <class Words, class Look, class Describe, class Native>
int way_of_call(Collective collective, Words&& words, MPI_Comm comm, Observed& observed,
                Look&& look, Describe&& describe, Native&& call_native) {
  const Settings& set = settings();
  int request = take_next_request();
  const bool asked = request != 0;  // for this call
  const bool off = request == 0 && set.forced[static_cast<int>(collective)].native;
  if (request == 0) request = set.forced[static_cast<int>(collective)].request;
  if (off && !watches_calls.load(std::memory_order_relaxed) && !set.check) [[unlikely]]
    return leave_to_the_mpi(collective, comm, nullptr, set.off_why, observed, call_native);
  CommunicatorState* const state = CommunicatorState::of(comm);
  if (state == nullptr) [[unlikely]] {
    if (asked && !is_native(request)) return raise_code(comm, MPI_ERR_COMM);
    return leave_to_the_mpi(collective, comm, nullptr,
                            comm == MPI_COMM_NULL ? "no communicator" : "between two groups",
                            observed, call_native);
  }
  if (const FirstLook first = request == 0 && !off && state->is_young() && !set.check
                                  ? look(*state)
                                  : FirstLook{{}, true};
      !first.has_fatal_count && state->is_young(collective, first.bytes)) [[unlikely]]
    return run_young(collective, *state, comm, observed, describe, call_native);
  const Arguments arguments = words();
  bool described = false;
  Operation& operation = state->blocking().find(arguments, described);
  if (!described) {
    operation.clear(collective);
    described = describe(operation);
    if (described) operation.remember(arguments);
  }
  if (set.check && state->unusable() == nullptr) [[unlikely]]
    if (const std::string text = disagreement(operation, described, comm); !text.empty())
      return raise_error(comm, text);
  if (operation.wrong != MPI_SUCCESS) [[unlikely]]
    return raise_code(comm, operation.wrong);
  const char* why = off ? set.off_why : !described ? "arguments for the MPI to judge" : nullptr;
  const bool is_planned = why == nullptr && operation.takes_known_plan(request);
  if (why == nullptr && !is_planned) [[unlikely]] {
    const auto is_young = [&] {  // of its class, if that was not asked before
      return (state->is_young() && state->is_young(collective, look(*state).bytes)) ||
             state->is_young_kind(operation.call);
    };
    if (request == 0 && state->unusable() == nullptr && is_young())
      return leave_to_the_mpi(collective, comm, &operation, young, observed, call_native);
    state->equip(comm, &operation.call);
    why = state->unusable();
  }
  if (described && state->blocking().is_passing(operation)) state->blocking().remember(arguments);
  if (why != nullptr && asked && described && !is_native(request)) [[unlikely]]
    return asked_in_vain(comm, collective, why);
  if (why != nullptr) [[unlikely]]
    return leave_to_the_mpi(collective, comm, described ? &operation : nullptr, why, observed,
                            call_native);
  if (Learning* const learning = is_planned ? nullptr : operation.plan(request, true)) [[unlikely]]
    return take_turn(operation, *learning, comm, observed, call_native);
  const bool native = operation.is_native();
  const int error = run_planned(operation, observed, call_native);
  return error == MPI_SUCCESS || native ? error : raise_code(comm, error);
}

/// The way of every blocking call: its arguments as words, and a first look at them.
template <class Words, class Look, class Describe, class Native>
int run_blocking(Collective collective, Words&& words, MPI_Comm comm, Look&& look,
                 Describe&& describe, Native&& call_native) {
  Observed observed(comm, true);
  return guarded(comm, [&] {
    return way_of_call(collective, words, comm, observed, look, describe, call_native);
  });
}

}  // namespace

}  // namespace tutti::core

/// A call that is prepared to be started, again and again: through Tutti, or as the MPI's own
/// nonblocking call.
struct tutti_operation_s {
  std::shared_ptr<tutti::core::CommunicatorState> state;
  std::unique_ptr<tutti::core::Operation> ours;
  std::function<int(MPI_Request*)> start_native;
  MPI_Request request = MPI_REQUEST_NULL;
  tutti::core::ExplainRow* row = nullptr;
  bool counts_for_all = false;
  std::optional<tutti::core::Observed> observed;  // a start that the MPI does
  bool started = false;
};

namespace tutti::core {

namespace {

template <class Describe, class Native>
int way_of_preparing(Collective collective, MPI_Comm comm, tutti_operation* result,
                     Describe&& describe, Native&& start_native) {
  if (result == nullptr) return raise_code(comm, MPI_ERR_ARG);
  *result = nullptr;
  auto made = std::make_unique<tutti_operation_s>();
  const Settings::Forced& forced = settings().forced[static_cast<int>(collective)];
  const int next = take_next_request();
  const bool off = next == 0 && forced.native;
  CommunicatorState* const state = off ? nullptr : CommunicatorState::of(comm);
  const bool asked = next != 0 && !is_native(next);
  if (state == nullptr && asked) return raise_code(comm, MPI_ERR_COMM);
  if (state != nullptr) {
    state->equip(comm);
    at_hand::forget(*state);  // the operation may outlive the communicator on some ranks
    made->state = state->shared_from_this();
    made->ours = std::make_unique<Operation>(*state);
    made->ours->clear(collective);
    const bool described = describe(*made->ours);
    if (settings().check && state->unusable() == nullptr)
      if (const std::string text = disagreement(*made->ours, described, comm); !text.empty())
        return raise_error(comm, text);
    if (made->ours->wrong != MPI_SUCCESS) return raise_code(comm, made->ours->wrong);
    if (described && state->unusable() && asked)
      return asked_in_vain(comm, collective, state->unusable());
    if (!described || state->unusable()) {
      made->ours = nullptr;
    } else {
      made->ours->plan(next != 0 ? next : forced.request, false);
      if (made->ours->is_native()) {
        made->row = &made->ours->noter().row();
        made->ours = nullptr;
      }
    }
  }
  if (made->ours == nullptr) {
    made->start_native = start_native;
    made->counts_for_all = counts_for_all(comm);
    if (made->row == nullptr)
      made->row = &explain_row(name_of(collective), -1, 0, "native", "",
                               off ? settings().off_why : "not done by Tutti");
  }
  *result = made.release();
  return MPI_SUCCESS;
}

template <class Describe, class Native>
int prepare(Collective collective, MPI_Comm comm, tutti_operation* result, Describe&& describe,
            Native&& start_native) {
  return guarded(
      comm, [&] { return way_of_preparing(collective, comm, result, describe, start_native); });
}

}  // namespace

}  // namespace tutti::core

using namespace tutti::core;

#define UNWRAP(...) __VA_ARGS__

extern "C" {

#define COUNT int
#define DISPL int
#define X(Name, name, parameters, arguments)                                                   \
  int tutti_##name parameters {                                                                \
    return run_blocking(                                                                       \
        Collective::name, [&] { return Arguments(Collective::name, UNWRAP arguments); }, comm, \
        [&](const CommunicatorState& state) {                                                  \
          return FirstLook{                                                                    \
              first_bytes<Collective::name>(state.p(), state.rank(), UNWRAP arguments),        \
              has_fatal_count<Collective::name>(state.p(), UNWRAP arguments)};                 \
        },                                                                                     \
        [&](Operation& operation) { return describe_##name(operation, UNWRAP arguments); },    \
        [&] {                                                                                  \
          if (anything_pending()) [[unlikely]]                                                 \
            return wait_for([&](MPI_Request* request) {                                        \
              return native().i##name(UNWRAP arguments, request);                              \
            });                                                                                \
          return native().name arguments;                                                      \
        });                                                                                    \
  }                                                                                            \
  int tutti_##name##_init(UNWRAP parameters, tutti_operation* operation) {                     \
    return prepare(                                                                            \
        Collective::name, comm, operation,                                                     \
        [&](Operation& made) { return describe_##name(made, UNWRAP arguments); },              \
        [=](MPI_Request* request) { return native().i##name(UNWRAP arguments, request); });    \
  }
#include "api/process/collectives.def"
#undef X
#undef COUNT
#undef DISPL

#ifdef TUTTI_LARGE_COUNTS
#define COUNT MPI_Count
#define DISPL MPI_Aint
#define X(Name, name, parameters, arguments)                                                   \
  int tutti_##name##_c parameters {                                                            \
    return run_blocking(                                                                       \
        Collective::name, [&] { return Arguments(Collective::name, UNWRAP arguments); }, comm, \
        [&](const CommunicatorState& state) {                                                  \
          return FirstLook{                                                                    \
              first_bytes<Collective::name>(state.p(), state.rank(), UNWRAP arguments),        \
              has_fatal_count<Collective::name>(state.p(), UNWRAP arguments)};                 \
        },                                                                                     \
        [&](Operation& operation) { return describe_##name(operation, UNWRAP arguments); },    \
        [&] {                                                                                  \
          if (anything_pending()) [[unlikely]]                                                 \
            return wait_for([&](MPI_Request* request) {                                        \
              return native().i##name##_c(UNWRAP arguments, request);                          \
            });                                                                                \
          return native().name##_c arguments;                                                  \
        });                                                                                    \
  }
#define ONLY_WITH_COUNTS
#include "api/process/collectives.def"
#undef ONLY_WITH_COUNTS
#undef X
#undef COUNT
#undef DISPL
#endif

int tutti_start(tutti_operation operation) {
  if (operation == nullptr || operation->started) return MPI_ERR_REQUEST;
  operation->started = true;
  if (operation->ours == nullptr) {
    operation->observed.emplace();
    operation->observed->leaves(noter_of(*operation->row), operation->counts_for_all);
    const int error = operation->start_native(&operation->request);
    operation->observed->pause();
    return error;
  }
  const int error = operation->ours->start();
  if (!operation->ours->done()) add_pending(*operation->ours);
  return error;
}

int tutti_test(tutti_operation operation, int* done) {
  if (operation == nullptr || done == nullptr) return MPI_ERR_REQUEST;
  *done = 1;
  if (!operation->started) return MPI_SUCCESS;
  int error = MPI_SUCCESS;
  progress_pending();
  if (operation->ours == nullptr) {
    operation->observed->resume();
    error = PMPI_Test(&operation->request, done, MPI_STATUS_IGNORE);
    if (*done)
      operation->observed->end();
    else
      operation->observed->pause();
  } else {
    *done = operation->ours->done();
    if (*done) error = operation->ours->error();
  }
  if (*done) operation->started = false;
  return error;
}

int tutti_wait(tutti_operation operation) {
  for (int done = 0;;) {
    const int error = tutti_test(operation, &done);
    if (error != MPI_SUCCESS || done) return error;
  }
}

int tutti_free(tutti_operation* operation) {
  if (operation == nullptr || *operation == nullptr) return MPI_ERR_REQUEST;
  const int error = tutti_wait(*operation);
  delete *operation;
  *operation = nullptr;
  return error;
}

const char* tutti_tune_algorithm(const tutti_operation_s* operation) {
  return (operation->ours != nullptr ? operation->ours->noter().row() : *operation->row)
      .algorithm.c_str();
}

int tutti_algorithm(const char* text, int* number) {
  if (number == nullptr) return MPI_ERR_ARG;
  *number = 0;
  if (text == nullptr || *text == '\0') return MPI_SUCCESS;
  try {
    *number = request_number(text);
  } catch (const std::invalid_argument&) {
    return MPI_ERR_ARG;
  }
  return MPI_SUCCESS;
}

int tutti_use_next(int number) {
  if (!is_request(number)) return MPI_ERR_ARG;
  set_next_request(number);
  return MPI_SUCCESS;
}

int tutti_force(const char* collective, const char* algorithm) {
  const auto which = collective_named(collective == nullptr ? "" : collective);
  if (!which) return MPI_ERR_ARG;
  try {
    settings().forced[static_cast<int>(*which)] =
        Settings::parse(*which, algorithm == nullptr ? "" : algorithm);
  } catch (const std::invalid_argument&) {
    return MPI_ERR_ARG;
  }
  return MPI_SUCCESS;
}

int tutti_trace(int on) {
  switch_trace(on != 0);
  return MPI_SUCCESS;
}

int tutti_count(const char* collective, const char* algorithm, unsigned long long* calls) {
  const auto which = collective_named(collective == nullptr ? "" : collective);
  if (!which || algorithm == nullptr || calls == nullptr) return MPI_ERR_ARG;
  if (const std::string_view name = algorithm; name != "native") {
    const auto known = algorithms_of(*which);
    if (std::none_of(known.begin(), known.end(),
                     [&](const auto* each) { return each->name == name; }))
      return MPI_ERR_ARG;
  }
  *calls = calls_of(name_of(*which), algorithm);
  return MPI_SUCCESS;
}

void tutti_begin() {
  static std::once_flag once;  // however many drop-ins there are
  std::call_once(once, [] {
    if (compare_settings()) {
      share_knowledge(MPI_COMM_WORLD);
      meet_world();
    }
    explain_at_finalize();
    trace_world();
  });
}

void tutti_meets_others(int may_be) { meet_others(may_be != 0); }

void tutti_tells_of_frees() { at_hand::tell_of_frees(); }

void tutti_lets_go(MPI_Comm comm) { at_hand::let_go(comm); }

const char* tutti_part(MPI_Comm comm, int part, int place, MPI_Comm* made) {
  const char* why = nullptr;
  *made = make_part(comm, part, place, why);
  return why;
}

void tutti_free_part(MPI_Comm part) { free_private(part); }

const char* tutti_leaves(int collective, MPI_Comm comm) {
  if (settings().forced[static_cast<std::size_t>(collective)].native) return settings().off_why;
  CommunicatorState* const state = CommunicatorState::of(comm);
  if (state == nullptr) return "no communicator";
  state->equip(comm);
  return state->unusable();
}

void tutti_leave(const tutti_left* left, void (*make)(void*), void* argument) {
  Observed observed;
  observed.leaves(
      noter_of_left(static_cast<Collective>(left->collective), left->ranks, left->bytes, left->why),
      left->rank == 0, nullptr, left->bytes);
  make(argument);
  observed.end();
}

int tutti_topology(MPI_Comm comm, int nodes[], int domains[], tutti_node_transport* transport) {
  if (nodes == nullptr || transport == nullptr) return MPI_ERR_ARG;
  CommunicatorState* const state = CommunicatorState::of(comm);
  if (state == nullptr) return MPI_ERR_COMM;
  state->equip(comm);
  const Topology* const topology = state->site().topology.get();
  for (Rank r = 0; r < state->p(); ++r) {
    nodes[r] = topology ? topology->node_of(r) : 0;
    if (domains != nullptr) domains[r] = topology ? topology->domain_of(r) : 0;
  }
  const NodeTransport& found = state->site().transport;
  *transport = {found.way, found.why, found.sleeps, found.reading};
  return MPI_SUCCESS;
}

int tutti_placement(int physical_dims, const int physical[], int torus, int logical_dims,
                    const int logical[], int places[], int* largest_hop, int* closing_hop) {
  if (places == nullptr || largest_hop == nullptr || closing_hop == nullptr) return MPI_ERR_ARG;
  if (physical_dims < 1 || physical == nullptr || logical_dims < 1 || logical == nullptr)
    return MPI_ERR_DIMS;
  try {
    const Placement found =
        place({physical, physical + physical_dims}, torus != 0, {logical, logical + logical_dims});
    std::copy(found.places.begin(), found.places.end(), places);
    *largest_hop = found.largest_hop;
    *closing_hop = found.closing_hop;
  } catch (const std::invalid_argument&) {
    return MPI_ERR_DIMS;
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  }
  return MPI_SUCCESS;
}

}  // extern "C"
