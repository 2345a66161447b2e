#include "timing/trial.hpp"

#include <fmt/format.h>
#include <tutti/tutti.h>

#include <numeric>
#include <stdexcept>

#include "timing/simulated.hpp"

namespace tutti::core {

Stopwatch::Start usual_start(Collective collective) {
  if (is_simulated) return Stopwatch::Start::clock;
  return collective == Collective::barrier ? Stopwatch::Start::row : Stopwatch::Start::barrier;
}

int number_of(const std::string& algorithm) {
  int number = 0;
  if (tutti_algorithm(algorithm.c_str(), &number) != MPI_SUCCESS)
    throw std::runtime_error(fmt::format("the library does not know {}", algorithm));
  return number;
}

std::vector<char> run_once(MPI_Comm comm, CellCall& cell_call, const Calls& calls, int number) {
  cell_call.fill();
  tutti_use_next(number);
  int error = cell_call.call(calls), worst = MPI_SUCCESS;
  PMPI_Allreduce(&error, &worst, 1, MPI_INT, MPI_MAX, comm);
  if (worst != MPI_SUCCESS) throw std::runtime_error(error_text(worst));
  return cell_call.result();
}

Candidate candidate_for(CellCall& cell_call, const std::string& name, int number, bool always) {
  const auto refresh = [&cell_call] { cell_call.refresh(); };
  if (name == "native" && number == 0)
    return {name, [&cell_call] { return cell_call.call(native_calls()); }, always, refresh};
  return {name,
          [&cell_call, number] {
            tutti_use_next(number);
            return cell_call.call(tutti_calls());
          },
          always, refresh};
}

std::vector<std::string> gather_texts(const std::string& mine, MPI_Comm comm) {
  int rank = 0, p = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &p);
  const auto length = static_cast<int>(mine.size());
  std::vector<int> lengths(p), offsets(p);
  PMPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm);
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
  std::string all(rank == 0 ? offsets.back() + lengths.back() : 0, '\0');
  PMPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR,
               0, comm);
  std::vector<std::string> texts;
  for (int r = 0; rank == 0 && r < p; ++r) texts.push_back(all.substr(offsets[r], lengths[r]));
  return texts;
}

void share_text(std::string& text, MPI_Comm comm) {
  auto length = static_cast<int>(text.size());
  PMPI_Bcast(&length, 1, MPI_INT, 0, comm);
  text.resize(length);
  PMPI_Bcast(text.data(), length, MPI_CHAR, 0, comm);
}

}  // namespace tutti::core
