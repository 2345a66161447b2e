// A call of BLACS that is wrong, by its number: it must end as without the drop-in.

#include <cstdio>
#include <cstdlib>

#include "blacs.hpp"

int main(int argc, char** argv) {
  const int which = argc == 2 ? std::atoi(argv[1]) : -1;
  int process = 0, processes = 0, context = 0;
  Cblacs_pinfo(&process, &processes);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, processes);
  double a[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  double b[16] = {};
  int rows[16] = {}, columns[16] = {};
  switch (which) {
    case 0: Cdgsum2d(context, "x", " ", 2, 2, a, 2, -1, -1); break;      // the scope
    case 1: Cdgebs2d(context, "?", " ", 2, 2, a, 2); break;              // the scope
    case 2: Cdgsum2d(context, "All", "q", 2, 2, a, 2, -1, -1); break;    // the topology
    case 3: Cdtrbs2d(context, "All", "0", "U", "N", 2, 2, a, 2); break;  // the topology
    case 4:                                                              // the scope
      Cdgamx2d(context, "b", " ", 2, 2, a, 2, rows, columns, 2, -1, -1);
      break;
    case 5: Cdgsum2d(context, "All", " ", -2, 2, a, 2, -1, -1); break;       // the rows
    case 6: Cdgebs2d(context, "All", " ", 2, -1, a, 2); break;               // the columns
    case 7: Cdgsum2d(context, "All", " ", 2, 2, a, 2, 0, processes); break;  // the destination
    case 8:                                                                  // nobody's context
      Cblacs_gridexit(context);
      Cdgsum2d(context, "All", " ", 2, 2, a, 2, -1, -1);
      break;
    case 9: Cblacs_gridexit(context + 100); break;  // nobody's context
    case 10:                                        // the leading dimension
      Cdgsum2d(context, "All", " ", 4, 2, a, 1, -1, -1);
      if (process == 0) std::printf("%g %g\n", a[0], a[7]);
      break;
    case 11:  // the leading dimension of a broadcast
      if (process == 1)
        Cdgebs2d(context, "All", " ", 4, 2, a, 1);
      else
        Cdgebr2d(context, "All", " ", 4, 2, b, 2, 0, 1);
      if (process == 2)
        for (const double each : b) std::printf("%g ", each);
      break;
    case 12:  // of a trapezoid
      if (process == 1)
        Cdtrbs2d(context, "All", " ", "L", "N", 4, 2, a, 3);
      else
        Cdtrbr2d(context, "All", " ", "L", "N", 4, 2, b, 1, 0, 1);
      if (process == 2)
        for (const double each : b) std::printf("%g ", each);
      break;
    case 13:  // of a maximum and of the places where it was found
      a[process] = 100 + process;
      Cdgamx2d(context, "All", " ", 4, 2, a, 1, rows, columns, 2, -1, -1);
      if (process == 0)
        for (int i = 0; i < 16; ++i) std::printf("%g %d %d ", a[i], rows[i], columns[i]);
      break;
    default: std::fputs("no such call\n", stderr); return 2;
  }
  Cblacs_exit(0);
}
