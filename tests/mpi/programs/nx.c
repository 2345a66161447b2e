/* A program for NX: no mpi.h, no MPI_Init. Exit code 0: every call gave what NX says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/icc.h>

static long me, p;

static void expect(int holds, const char* what) {
  if (holds) return;
  printf("node %ld of %ld: %s is wrong\n", me, p, what);
  exit(1);
}

/* Each global operation on vectors of n, under both names; `of(k, i)` is what node k has. */
#define GLOBAL(name, type, of, combined)                       \
  do {                                                         \
    long k, i;                                                 \
    type x[7], y[7], work[7], expected;                        \
    for (i = 0; i < 7; ++i) x[i] = y[i] = (type)of(me, i);     \
    g##name(x, 7, work);                                       \
    iCC_g##name(y, 7, NULL);                                   \
    for (i = 0; i < 7; ++i) {                                  \
      expected = (type)of(0, i);                               \
      for (k = 1; k < p; ++k) {                                \
        const type a = expected, b = (type)of(k, i);           \
        expected = (type)(combined);                           \
      }                                                        \
      expect(x[i] == expected && y[i] == expected, "g" #name); \
    }                                                          \
  } while (0)
#define SMALL(k, i) ((k) + (i) + 1)
#define MIXED(k, i) (((k)*5 + (i)*3) % 11 - 4)
#define BITS(k, i) (~(1L << ((k) + (i))))
#define TRUTH(k, i) ((k) == 1 ? (i) % 2 * 5 : 3)

#define ALL_GLOBALS(letter, type)                   \
  GLOBAL(letter##sum, type, MIXED, a + b);          \
  GLOBAL(letter##prod, type, SMALL, a* b);          \
  GLOBAL(letter##high, type, MIXED, a > b ? a : b); \
  GLOBAL(letter##low, type, MIXED, a < b ? a : b)

static void globals(void) {
  ALL_GLOBALS(i, long);
  ALL_GLOBALS(s, float);
  ALL_GLOBALS(d, double);
  GLOBAL(iand, long, BITS, a& b);
  GLOBAL(ior, long, SMALL, a | b);
  if (p > 1) { /* of one node's numbers alone nothing is made */
    GLOBAL(land, long, TRUTH, a&& b);
    GLOBAL(lor, long, TRUTH, a || b);
  }
}

/* Node k has k + 1 times the letter k. */
static void collects(void) {
  char mine[64], all[4096], again[4096], expected[4096];
  long* lengths = malloc((size_t)p * sizeof(long));
  long k, total = 0, count = -1;
  memset(mine, 'a' + (int)me, sizeof mine);
  for (k = 0; k < p; ++k) {
    lengths[k] = k + 1;
    memset(expected + total, 'a' + (int)k, (size_t)lengths[k]);
    total += lengths[k];
  }
  gcol(mine, me + 1, all, sizeof all, &count);
  expect(count == total && memcmp(all, expected, (size_t)total) == 0, "gcol");
  iCC_gcol(mine, me + 1, all, total, &count);
  expect(count == total, "iCC_gcol");
  gcolx(mine, lengths, again);
  expect(memcmp(again, expected, (size_t)total) == 0, "gcolx");
  memset(again, 0, sizeof again);
  iCC_gcolx(mine, lengths, again);
  expect(memcmp(again, expected, (size_t)total) == 0, "iCC_gcolx");
  free(lengths);
}

static void broadcasts(void) {
  long root, k;
  for (root = 0; root < p; ++root) {
    double x[1000];
    x[999] = me == root ? 1.5 * (double)root : -1;
    iCC_bcast(x, sizeof x, root);
    expect(x[999] == 1.5 * (double)root, "iCC_bcast");
  }
  /* Everybody tells everybody else, long messages too, before anybody receives. */
  {
    const long bytes = 1 << 20;
    char* out = malloc((size_t)bytes);
    char* in = malloc((size_t)bytes);
    memset(out, 'A' + (int)me, (size_t)bytes);
    csend(7, out, bytes, -1, 0);
    memset(out, 0, (size_t)bytes);
    for (k = 1; k < p; ++k) {
      crecv(7, in, bytes);
      expect(infocount() == bytes && infotype() == 7 && infonode() != me, "what crecv says");
      expect(in[0] == 'A' + (int)infonode() && in[bytes - 1] == in[0], "csend to -1");
    }
    free(out);
    free(in);
  }
}

static void messages(void) {
  const long next = (me + 1) % p;
  long x = me, y = -1;
  csend(1, &x, sizeof x, next, myptype()); /* to itself if there is no other */
  x = me + 100;
  csend(2, &x, sizeof x, next, 0);
  crecv(2, &y, sizeof y); /* chosen by type */
  expect(y == (me + p - 1) % p + 100, "crecv of a type");
  crecv(-1, &y, sizeof y);
  expect(y == (me + p - 1) % p && infotype() == 1, "crecv of any type");
}

int main(int argc, char** argv) {
  me = mynode();
  p = numnodes();
  if (argc > 1 && strcmp(argv[1], "--wrong") == 0) {
    char all[1];
    long count;
    if (strcmp(argv[2], "root") == 0) iCC_bcast(all, 1, p);
    if (strcmp(argv[2], "node") == 0) csend(1, all, 1, -2, 0);
    if (strcmp(argv[2], "ptype") == 0) csend(1, all, 1, 0, 1);
    if (strcmp(argv[2], "room") == 0) gcol(all, 1, all, p - 1, &count);
    if (strcmp(argv[2], "length") == 0) iCC_bcast(all, 1L << 31, 0);
    return 0;
  }
  globals();
  collects();
  broadcasts();
  messages();
  gsync();
  iCC_gsync();
  return 0;
}
