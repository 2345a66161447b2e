// The names of iCC and NX over the C interface.

#pragma GCC visibility push(default)
#include "tutti/icc.h"
#pragma GCC visibility pop

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <list>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tutti/error.hpp"

namespace {

const char* call = "";  // the one under way

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "tutti: %s: %s\n", call, why.c_str());
  // MPICH's launcher forgets what it has not read when a rank aborts.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void check(int code) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  fail(text);
}

/// What csend() has not sent yet.
struct Pending {
  std::vector<char> data;
  std::vector<MPI_Request> requests;
};
std::list<Pending> pending;

void reap() {
  pending.remove_if([](Pending& each) {
    int done = 0;
    check(MPI_Testall(static_cast<int>(each.requests.size()), each.requests.data(), &done,
                      MPI_STATUSES_IGNORE));
    return done != 0;
  });
}

/// Every call begins here.
void enter(const char* name) {
  call = name;
  static const bool started = [] {
    int initialized = 0;
    check(MPI_Initialized(&initialized));
    if (!initialized) {
      check(MPI_Init(nullptr, nullptr));
      // What the library keeps until the MPI ends must be there before: at exit the last goes
      // first.
      check(tutti_barrier(MPI_COMM_WORLD));
      std::atexit([] {
        if (!tutti::detail::is_finalized()) MPI_Finalize();
      });
    }
    tutti::detail::at_finalize([] {
      for (Pending& each : pending)
        MPI_Waitall(static_cast<int>(each.requests.size()), each.requests.data(),
                    MPI_STATUSES_IGNORE);
    });
    return true;
  }();
  static_cast<void>(started);
}

long nodes() {
  int size = 0;
  check(MPI_Comm_size(MPI_COMM_WORLD, &size));
  return size;
}
long own() {
  int rank = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  return rank;
}

/// A number as MPI takes it.
int narrowed(const char* what, long number, long least = 0,
             int most = std::numeric_limits<int>::max()) {
  if (number < least || number > most)
    fail(std::string(what) + " is " + std::to_string(number) + ": it must be from " +
         std::to_string(least) + " to " + std::to_string(most));
  return static_cast<int>(number);
}

/// A message's type is the MPI's tag.
int tag_of(long type, long least) {
  static const int most = [] {
    int *largest = nullptr, found = 0;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&largest), &found));
    return found ? *largest : 32767;
  }();
  return narrowed("the type", type, least, most);
}

int node_number(const char* what, long node, long least) {
  if (node < least || node >= nodes())
    fail(std::string(what) + " is " + std::to_string(node) + ": there are nodes 0 to " +
         std::to_string(nodes() - 1) + (least < 0 ? ", and -1 for all others" : ""));
  return static_cast<int>(node);
}

void collect(const void* x, const std::vector<long>& lengths, void* y) {
  std::vector<int> counts, places;
  long total = 0;
  for (const long length : lengths) {
    counts.push_back(narrowed("a length", length));
    places.push_back(narrowed("the sum of the lengths", total));
    total += length;
  }
  check(tutti_allgatherv(x, counts[static_cast<std::size_t>(own())], MPI_BYTE, y, counts.data(),
                         places.data(), MPI_BYTE, MPI_COMM_WORLD));
}

MPI_Status last;  // of crecv()

}  // namespace

extern "C" {

long mynode() {
  enter("mynode");
  return own();
}
long numnodes() {
  enter("numnodes");
  return nodes();
}
long myptype() { return 0; }

void iCC_bcast(void* buf, long len, long root) {
  enter("iCC_bcast");
  check(tutti_bcast(buf, narrowed("the length", len), MPI_BYTE, node_number("the root", root, 0),
                    MPI_COMM_WORLD));
}

void iCC_gsync() {
  enter("gsync");
  check(tutti_barrier(MPI_COMM_WORLD));
}
void gsync() { iCC_gsync(); }

#define GLOBAL(name, type, mpi_type, op)                                                        \
  void iCC_g##name(type x[], long n, type*) {                                                   \
    enter("g" #name);                                                                           \
    check(tutti_allreduce(MPI_IN_PLACE, x, narrowed("the number of elements", n), mpi_type, op, \
                          MPI_COMM_WORLD));                                                     \
  }                                                                                             \
  void g##name(type x[], long n, type work[]) { iCC_g##name(x, n, work); }
GLOBAL(isum, long, MPI_LONG, MPI_SUM)
GLOBAL(iprod, long, MPI_LONG, MPI_PROD)
GLOBAL(ihigh, long, MPI_LONG, MPI_MAX)
GLOBAL(ilow, long, MPI_LONG, MPI_MIN)
GLOBAL(iand, long, MPI_LONG, MPI_BAND)
GLOBAL(ior, long, MPI_LONG, MPI_BOR)
GLOBAL(land, long, MPI_LONG, MPI_LAND)
GLOBAL(lor, long, MPI_LONG, MPI_LOR)
GLOBAL(ssum, float, MPI_FLOAT, MPI_SUM)
GLOBAL(sprod, float, MPI_FLOAT, MPI_PROD)
GLOBAL(shigh, float, MPI_FLOAT, MPI_MAX)
GLOBAL(slow, float, MPI_FLOAT, MPI_MIN)
GLOBAL(dsum, double, MPI_DOUBLE, MPI_SUM)
GLOBAL(dprod, double, MPI_DOUBLE, MPI_PROD)
GLOBAL(dhigh, double, MPI_DOUBLE, MPI_MAX)
GLOBAL(dlow, double, MPI_DOUBLE, MPI_MIN)
#undef GLOBAL

void iCC_gcol(const void* x, long xlen, void* y, long ylen, long* ncnt) {
  enter("gcol");
  narrowed("the length", xlen);
  std::vector<long> lengths(static_cast<std::size_t>(nodes()));
  check(tutti_allgather(&xlen, 1, MPI_LONG, lengths.data(), 1, MPI_LONG, MPI_COMM_WORLD));
  const long total = std::accumulate(lengths.begin(), lengths.end(), 0L);
  if (total > ylen)
    fail("all nodes together give " + std::to_string(total) + " bytes, but y has room for " +
         std::to_string(ylen));
  collect(x, lengths, y);
  if (ncnt != nullptr) *ncnt = total;
}
void gcol(const void* x, long xlen, void* y, long ylen, long* ncnt) {
  iCC_gcol(x, xlen, y, ylen, ncnt);
}
void iCC_gcolx(const void* x, const long xlens[], void* y) {
  enter("gcolx");
  collect(x, {xlens, xlens + nodes()}, y);
}
void gcolx(const void* x, const long xlens[], void* y) { iCC_gcolx(x, xlens, y); }

// An NX program may send before anybody receives, itself even: its system keeps the message. So
// does the copy here.
void csend(long type, const void* buf, long len, long node, long ptype) {
  enter("csend");
  reap();
  if (ptype != 0) fail("the process type is " + std::to_string(ptype) + ": a node has only 0");
  const int bytes = narrowed("the length", len), tag = tag_of(type, 0);
  const char* const data = static_cast<const char*>(buf);
  Pending& sent = pending.emplace_back(Pending{{data, data + bytes}, {}});
  const int to = node_number("the node", node, -1);
  for (int each = 0; each < nodes(); ++each) {
    if (to < 0 ? each == own() : each != to) continue;
    check(MPI_Isend(sent.data.data(), bytes, MPI_BYTE, each, tag, MPI_COMM_WORLD,
                    &sent.requests.emplace_back()));
  }
}

void crecv(long type, void* buf, long len) {
  enter("crecv");
  reap();
  const int bytes = narrowed("the length", len), tag = tag_of(type, -1);
  check(MPI_Recv(buf, bytes, MPI_BYTE, MPI_ANY_SOURCE, tag < 0 ? MPI_ANY_TAG : tag, MPI_COMM_WORLD,
                 &last));
}
long infocount() {
  int bytes = 0;
  MPI_Get_count(&last, MPI_BYTE, &bytes);
  return bytes;
}
long infonode() { return last.MPI_SOURCE; }
long infotype() { return last.MPI_TAG; }

}  // extern "C"
