// A cell's call as what is tried: once, to see what it gives, and again and again, to be timed.

#include "timing/trial.hpp"

#include <fmt/format.h>
#include <tutti/tutti.h>

#include <algorithm>
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

void share_text(std::string& text, MPI_Comm comm, int root) {
  auto length = static_cast<unsigned long long>(text.size());
  PMPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, root, comm);
  text.resize(length);
  constexpr std::size_t most = std::size_t{1} << 30;  // an MPI counts in ints
  for (std::size_t at = 0; at < length; at += most)
    PMPI_Bcast(text.data() + at, static_cast<int>(std::min<std::size_t>(most, length - at)),
               MPI_CHAR, root, comm);
}

}  // namespace tutti::core
