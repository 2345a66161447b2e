#include "api/gather.hpp"

#include "api/native.hpp"

namespace tutti {

std::vector<std::string> gather_texts(const std::string& mine) {
  int rank = 0, p = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &p);
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(p)), places(lengths);
  native().gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::string text;
  if (rank == 0) {
    int total = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) places[i] = total, total += lengths[i];
    text.resize(static_cast<std::size_t>(total));
  }
  native().gatherv(mine.data(), length, MPI_CHAR, text.data(), lengths.data(), places.data(),
                   MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t i = 0; rank == 0 && i < lengths.size(); ++i)
    texts.push_back(
        text.substr(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(lengths[i])));
  return texts;
}

}  // namespace tutti
