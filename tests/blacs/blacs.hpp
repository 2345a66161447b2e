#pragma once

// BLACS for the programs here, which no header declares: of each type the routines by their C names
// and by their Fortran names, alike to call.

#include <complex>

extern "C" {
void Cblacs_pinfo(int* process, int* processes);
void Cblacs_get(int context, int what, int* value);
void Cblacs_set(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* layout, int rows, int columns);
void Cblacs_gridmap(int* context, int* map, int ld, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
void Cblacs_gridexit(int context);
void Cblacs_freebuff(int context, int wait);
void Cblacs_barrier(int context, const char* scope);
void Cblacs_exit(int go_on);
void blacs_get_(int* context, int* what, int* value);
void blacs_gridinit_(int* context, const char* layout, int* rows, int* columns);
void blacs_gridexit_(int* context);

#define DECLARE(x)                                                                                 \
  void C##x##gebs2d(int, const char*, const char*, int, int, void*, int);                          \
  void C##x##gebr2d(int, const char*, const char*, int, int, void*, int, int, int);                \
  void C##x##trbs2d(int, const char*, const char*, const char*, const char*, int, int, void*,      \
                    int);                                                                          \
  void C##x##trbr2d(int, const char*, const char*, const char*, const char*, int, int, void*, int, \
                    int, int);                                                                     \
  void C##x##gsum2d(int, const char*, const char*, int, int, void*, int, int, int);                \
  void C##x##gamx2d(int, const char*, const char*, int, int, void*, int, int*, int*, int, int,     \
                    int);                                                                          \
  void C##x##gamn2d(int, const char*, const char*, int, int, void*, int, int*, int*, int, int,     \
                    int);                                                                          \
  void x##gebs2d_(int*, const char*, const char*, int*, int*, void*, int*);                        \
  void x##gebr2d_(int*, const char*, const char*, int*, int*, void*, int*, int*, int*);            \
  void x##trbs2d_(int*, const char*, const char*, const char*, const char*, int*, int*, void*,     \
                  int*);                                                                           \
  void x##trbr2d_(int*, const char*, const char*, const char*, const char*, int*, int*, void*,     \
                  int*, int*, int*);                                                               \
  void x##gsum2d_(int*, const char*, const char*, int*, int*, void*, int*, int*, int*);            \
  void x##gamx2d_(int*, const char*, const char*, int*, int*, void*, int*, int*, int*, int*, int*, \
                  int*);                                                                           \
  void x##gamn2d_(int*, const char*, const char*, int*, int*, void*, int*, int*, int*, int*, int*, \
                  int*);
DECLARE(i)
DECLARE(s)
DECLARE(d)
DECLARE(c)
DECLARE(z)
#undef DECLARE
}

struct Routines {
  void (*gebs)(int, const char*, const char*, int, int, void*, int);
  void (*gebr)(int, const char*, const char*, int, int, void*, int, int, int);
  void (*trbs)(int, const char*, const char*, const char*, const char*, int, int, void*, int);
  void (*trbr)(int, const char*, const char*, const char*, const char*, int, int, void*, int, int,
               int);
  void (*gsum)(int, const char*, const char*, int, int, void*, int, int, int);
  void (*gamx)(int, const char*, const char*, int, int, void*, int, int*, int*, int, int, int);
  void (*gamn)(int, const char*, const char*, int, int, void*, int, int*, int*, int, int, int);
};

#define C_NAMES(x)                                                                      \
  {                                                                                     \
    C##x##gebs2d, C##x##gebr2d, C##x##trbs2d, C##x##trbr2d, C##x##gsum2d, C##x##gamx2d, \
        C##x##gamn2d                                                                    \
  }
#define FORTRAN_NAMES(x)                                                                          \
  {                                                                                               \
    [](int k, const char* s, const char* t, int m, int n, void* a, int lda) {                     \
      x##gebs2d_(&k, s, t, &m, &n, a, &lda);                                                      \
    },                                                                                            \
        [](int k, const char* s, const char* t, int m, int n, void* a, int lda, int r, int c) {   \
          x##gebr2d_(&k, s, t, &m, &n, a, &lda, &r, &c);                                          \
        },                                                                                        \
        [](int k, const char* s, const char* t, const char* u, const char* d, int m, int n,       \
           void* a, int lda) { x##trbs2d_(&k, s, t, u, d, &m, &n, a, &lda); },                    \
        [](int k, const char* s, const char* t, const char* u, const char* d, int m, int n,       \
           void* a, int lda, int r,                                                               \
           int c) { x##trbr2d_(&k, s, t, u, d, &m, &n, a, &lda, &r, &c); },                       \
        [](int k, const char* s, const char* t, int m, int n, void* a, int lda, int r, int c) {   \
          x##gsum2d_(&k, s, t, &m, &n, a, &lda, &r, &c);                                          \
        },                                                                                        \
        [](int k, const char* s, const char* t, int m, int n, void* a, int lda, int* ra, int* ca, \
           int ldia, int r,                                                                       \
           int c) { x##gamx2d_(&k, s, t, &m, &n, a, &lda, ra, ca, &ldia, &r, &c); },              \
        [](int k, const char* s, const char* t, int m, int n, void* a, int lda, int* ra, int* ca, \
           int ldia, int r,                                                                       \
           int c) { x##gamn2d_(&k, s, t, &m, &n, a, &lda, ra, ca, &ldia, &r, &c); }               \
  }

/// By the type's letter.
inline const Routines& routines(char letter, bool fortran) {
  static const Routines c_names[] = {C_NAMES(i), C_NAMES(s), C_NAMES(d), C_NAMES(c), C_NAMES(z)};
  static const Routines fortran_names[] = {FORTRAN_NAMES(i), FORTRAN_NAMES(s), FORTRAN_NAMES(d),
                                           FORTRAN_NAMES(c), FORTRAN_NAMES(z)};
  const int index = letter == 'i'   ? 0
                    : letter == 's' ? 1
                    : letter == 'd' ? 2
                    : letter == 'c' ? 3
                                    : 4;
  return fortran ? fortran_names[index] : c_names[index];
}
