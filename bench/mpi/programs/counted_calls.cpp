// So many calls each of an allreduce of 8 bytes, a broadcast of 1 KB and an alltoall of 64 KB; none
// at all for 0.
//
//   mpirun -n 4 counted_calls [calls]

#include <vector>

#include "program.hpp"

int main(int argc, char** argv) {
  const long calls = argument(argc, argv, 1, 200);
  MPI_Init(&argc, &argv);
  int rank = 0, p = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (calls > 0) {
    const int block = 65536 / p;
    std::vector<char> in(65536, static_cast<char>(rank)), out(65536);
    double mine = 1, sum = 0, all = 0;
    const double begin = MPI_Wtime();
    for (long i = 0; i < calls; ++i) {
      MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      MPI_Bcast(out.data(), 1024, MPI_BYTE, 0, MPI_COMM_WORLD);
      MPI_Alltoall(in.data(), block, MPI_BYTE, out.data(), block, MPI_BYTE, MPI_COMM_WORLD);
      all += sum;
    }
    tell(all, MPI_Wtime() - begin);
  }
  MPI_Finalize();
}
