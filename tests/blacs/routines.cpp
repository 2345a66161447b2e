// Every routine of BLACS that the drop-in replaces, by type, scope, shape and topology. Each
// process writes what it got to PREFIX.RANK; the same program with and without the drop-in must
// write the same.
//
//   routines PREFIX ROWS COLUMNS PART
//
// PART: of so many calls that could be made one is. Values are small integers, so that sums are
// exact and ties frequent.

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "blacs.hpp"

namespace {

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::ofstream out;
std::uint64_t calls = 0;  // numbers all that could be made, alike on all processes

template <class T>
void fill(std::vector<T>& values, int process, std::uint64_t salt) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = mix(mix(salt * 977 + static_cast<std::uint64_t>(process)) + i);
    const int x = static_cast<int>(bits % 13) - 6, y = static_cast<int>((bits >> 20) % 13) - 6;
    if constexpr (std::is_arithmetic_v<T>)
      values[i] = static_cast<T>(x);
    else
      values[i] = T(static_cast<typename T::value_type>(x), static_cast<typename T::value_type>(y));
  }
}

template <class T>
void write(const std::string& what, const std::vector<T>& values) {
  out << what << '\n';
  // The same number of bytes again on the next line, whatever they are.
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  out << '\n';
}

struct Grid {
  int context, rows, columns, row, column, process;
};

struct Part {
  int m, n, lda;
};
const Part parts[] = {{0, 3, 1}, {3, 0, 3}, {1, 1, 1},   {1, 5, 3},  {7, 1, 9},    {4, 3, 4},
                      {3, 4, 6}, {5, 5, 5}, {40, 3, 41}, {2, 33, 2}, {48, 50, 64}, {6, 2, 3}};

const char* const topologies[] = {" ",      "h", "t", "1", "2", "3", "9", "i",
                                  "I-ring", "d", "s", "f", "m", " ", "H", " "};

struct Scope {
  const char* name;
  int p;
};

/// Where in the grid the process is that is `rank` in the caller's scope.
void place(const Grid& grid, char scope, int rank, int& row, int& column) {
  row = scope == 'R' ? grid.row : scope == 'C' ? rank : rank / grid.columns;
  column = scope == 'R' ? rank : scope == 'C' ? grid.column : rank % grid.columns;
}

template <class T>
void all_calls(const Grid& grid, char type, std::uint64_t part_of_calls, const std::string& set) {
  const Scope scopes[] = {
      {"Row", grid.columns}, {"column", grid.rows}, {"ALL", grid.rows * grid.columns}};
  const char letters[] = {'R', 'C', 'A'};
  for (int s = 0; s < 3; ++s)
    for (const Part& part : parts)
      for (const char* top : topologies)
        for (int kind = 0; kind < 13; ++kind) {
          const std::uint64_t salt = mix(++calls);
          if (salt % part_of_calls != 0) continue;
          const Scope& scope = scopes[s];
          const Routines& call = routines(type, (salt >> 8) % 3 == 0);
          const int lda = part.lda, used = std::max(lda, part.m);
          const int there = static_cast<int>((salt >> 16) % static_cast<unsigned>(scope.p));
          int row = 0, column = 0;
          place(grid, letters[s], there, row, column);
          const bool am_there = row == grid.row && column == grid.column;
          std::vector<T> a(static_cast<std::size_t>(used) * part.n + 5);
          fill(a, grid.process, salt);
          char label[160];
          std::snprintf(label, sizeof label,
                        "%s call %llu %c kind %d %s top '%s' %dx%d lda %d at %d", set.c_str(),
                        static_cast<unsigned long long>(calls), type, kind, scope.name, top, part.m,
                        part.n, lda, there);
          if (kind == 0) {
            if (am_there)
              call.gebs(grid.context, scope.name, top, part.m, part.n, a.data(), lda);
            else
              call.gebr(grid.context, scope.name, top, part.m, part.n, a.data(), lda, row, column);
            write(label, a);
          } else if (kind <= 4) {
            const char* const uplo = kind % 2 ? "U" : "l";
            const char* const diag = kind <= 2 ? "Unit" : "n";
            if (am_there)
              call.trbs(grid.context, scope.name, top, uplo, diag, part.m, part.n, a.data(), lda);
            else
              call.trbr(grid.context, scope.name, top, uplo, diag, part.m, part.n, a.data(), lda,
                        row, column);
            write(label, a);
          } else if (kind <= 6) {
            const bool for_all = kind == 5;
            call.gsum(grid.context, scope.name, top, part.m, part.n, a.data(), lda,
                      for_all ? -1 : row, for_all ? (salt >> 24) % 2 ? -1 : column : column);
            if (for_all || am_there) write(label, a);
          } else {
            const bool for_all = kind % 2, has_owners = kind < 11;
            const int ldia = has_owners ? part.m + (kind > 8 ? 2 : 0) : -1;
            std::vector<int> rows(static_cast<std::size_t>(part.m + 2) * part.n + 3, -7),
                columns(rows);
            const auto which = (salt >> 30) % 2 ? call.gamx : call.gamn;
            which(grid.context, scope.name, top, part.m, part.n, a.data(), lda, rows.data(),
                  columns.data(), ldia, for_all ? -1 : row, column);
            if (for_all || am_there) {
              write(label, a);
              write("their rows", rows);
              write("their columns", columns);
            }
          }
        }
}

void all_types(const Grid& grid, std::uint64_t part_of_calls, const std::string& set) {
  all_calls<int>(grid, 'i', part_of_calls, set);
  all_calls<float>(grid, 's', part_of_calls, set);
  all_calls<double>(grid, 'd', part_of_calls, set);
  all_calls<std::complex<float>>(grid, 'c', part_of_calls, set);
  all_calls<std::complex<double>>(grid, 'z', part_of_calls, set);
}

Grid describe(int context, int process) {
  Grid grid{context, 0, 0, 0, 0, process};
  Cblacs_gridinfo(context, &grid.rows, &grid.columns, &grid.row, &grid.column);
  return grid;
}

void set(int context, int what, int value) { Cblacs_set(context, what, &value); }

/// Contexts whose numbers are used again, for grids of other shapes, and grids beside each other.
void contexts(int process, int processes) {
  for (int i = 0; i < 12; ++i) {
    const bool tall = i % 2, backwards = i % 3 == 0;
    const int rows = tall ? processes : 1, columns = tall ? 1 : processes;
    int context = 0;
    Cblacs_get(-1, 0, &context);
    if (backwards) {
      std::vector<int> map;
      for (int r = processes - 1; r >= 0; --r) map.push_back(r);
      Cblacs_gridmap(&context, map.data(), rows, rows, columns);
    } else {
      Cblacs_gridinit(&context, "Column", rows, columns);
    }
    const Grid grid = describe(context, process);
    std::vector<double> values(9);
    fill(values, process, static_cast<std::uint64_t>(i));
    Cdgsum2d(context, tall ? "C" : "R", " ", 3, 3, values.data(), 3, -1, -1);
    write("context " + std::to_string(i), values);
    std::vector<int> rows_found(1), columns_found(1);
    values = {static_cast<double>(i % 4 == 0 ? 5 : grid.row + grid.column)};
    Cdgamx2d(context, "A", " ", 1, 1, values.data(), 1, rows_found.data(), columns_found.data(), 1,
             -1, -1);
    write("its rows", rows_found);
    write("its columns", columns_found);
    if (i % 4 != 3) Cblacs_gridexit(context);  // the others end with all
  }
  Cblacs_freebuff(0, 1);
}

/// A grid of fewer processes than there are: the others take no part.
void smaller_grid(int process, int processes) {
  // Fortran's system contexts are not C's.
  int context = 0, nobody = -1, what = 0, rows = 1, columns = processes - 1;
  blacs_get_(&nobody, &what, &context);
  blacs_gridinit_(&context, "R", &rows, &columns);
  if (context < 0) return;
  std::vector<int> values(6);
  fill(values, process, 99);
  Cigamn2d(context, "a", " ", 2, 3, values.data(), 2, nullptr, nullptr, -1, -1, -1);
  write("smaller grid", values);
  blacs_gridexit_(&context);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: routines PREFIX ROWS COLUMNS PART\n", stderr);
    return 2;
  }
  int process = 0, processes = 0, context = 0;
  Cblacs_pinfo(&process, &processes);
  const int rows = std::atoi(argv[2]), columns = std::atoi(argv[3]);
  const auto part_of_calls = static_cast<std::uint64_t>(std::atoi(argv[4]));
  out.open(std::string(argv[1]) + "." + std::to_string(process), std::ios::binary);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", rows, columns);
  const Grid grid = describe(context, process);
  all_types(grid, part_of_calls, "plain");
  // Other trees and rings, and promises to keep.
  set(context, 11, 2);
  set(context, 12, 2);
  set(context, 13, -1);
  set(context, 14, 3);
  set(context, 15, 1);
  set(context, 16, 1);
  all_types(grid, part_of_calls * 3, "set");
  set(context, 11, -1);
  set(context, 12, 5);
  set(context, 13, 2);
  all_types(grid, part_of_calls * 8, "set again");
  contexts(process, processes);
  if (processes > 1) smaller_grid(process, processes);
  out << "the end\n";
  out.close();
  Cblacs_exit(0);
}
