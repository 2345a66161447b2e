// Under the drop-in a call of BLACS that is repeated allocates nothing: what is packed goes to
// memory that is kept. This program's malloc stands in front of the C library's and notes who asks;
// what the MPI allocates for its messages does not count. Ends with 1 if Tutti asks.

#include <cstdio>
#include <functional>
#include <vector>

#include "../mpi/malloc_notes.hpp"
#include "blacs.hpp"

int main() {
  int process = 0, processes = 0, context = 0, found = 0;
  Cblacs_pinfo(&process, &processes);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, processes);
  std::array<void*, 1> nobody;
  backtrace(nobody.data(), 1);  // its first call allocates
  constexpr int m = 20, n = 30, lda = 25;
  std::vector<double> a(lda * n, process);
  std::vector<int> rows(m * n), columns(m * n);
  const std::function<void()> calls[] = {
      [&] {
        if (process == 0)
          Cdgebs2d(context, "Row", " ", m, n, a.data(), lda);
        else
          Cdgebr2d(context, "Row", " ", m, n, a.data(), lda, 0, 0);
      },
      [&] {
        if (process == 0)
          Cdtrbs2d(context, "Row", "3", "L", "U", m, n, a.data(), lda);
        else
          Cdtrbr2d(context, "Row", "3", "L", "U", m, n, a.data(), lda, 0, 0);
      },
      [&] { Cdgsum2d(context, "Row", " ", m, n, a.data(), lda, -1, -1); },
      [&] { Cdgsum2d(context, "Row", "t", m, n, a.data(), lda, 0, 0); },
      [&] {
        Cdgamx2d(context, "Row", " ", m, n, a.data(), lda, rows.data(), columns.data(), m, -1, -1);
      }};
  for (int which = 0; which < 5; ++which) {
    noted = 0;
    for (int i = 0; i < 30; ++i) {
      notes = i >= 10;
      calls[which]();
      notes = false;
    }
    int ours = 0;
    for (std::size_t i = 0; i < noted; ++i) ours += asked_by(requests[i]).starts_with("libtutti");
    if (ours > 0) std::printf("FAILED call %d allocates %d times\n", which, ours);
    found += ours;
  }
  Cblacs_exit(0);
  return found > 0;
}
