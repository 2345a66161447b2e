// What reductions take of a core, for each kind of operator and element.

#include "tune/mpi/reductions.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <map>

#include "api/machine/exchange.hpp"
#include "measure/fit.hpp"
#include "measure/statistics.hpp"
#include "reduce/kernels.hpp"

namespace tutti::core {
namespace {

/// An operator of a program's own.
void add_doubles(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* from = static_cast<const double*>(in);
  auto* to = static_cast<double*>(inout);
  for (int i = 0; i < *count; ++i) to[i] += from[i];
}

/// Seconds per byte of an operand, in each pass: the slope over several sizes.
std::vector<double> slopes(const std::function<void(void*, void*, std::size_t bytes)>& combine) {
  constexpr std::size_t most = 1u << 20;
  constexpr int passes = 11;
  std::vector<double> a(most / sizeof(double), 1), b(most / sizeof(double), 1);
  std::vector<double> found;
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<Timing> points;
    for (std::size_t bytes = most / 64; bytes <= most; bytes *= 4) {
      const auto calls = static_cast<int>(std::max<std::size_t>(1, most / 8 / bytes));
      const auto once = [&] { combine(a.data(), b.data(), bytes); };
      points.push_back({static_cast<double>(bytes), time_calls(1, calls, once, once).front()});
    }
    found.push_back(fit_line(points).beta);
  }
  return found;
}

/// gamma by name, that of sums of doubles as an empty one.
std::map<std::string, Median> gammas() {
  std::map<std::string, Median> found;
  const std::pair<const char*, Operator> operators[] = {{"sum", Operator::sum},
                                                        {"product", Operator::prod},
                                                        {"extreme", Operator::max},
                                                        {"logical", Operator::land},
                                                        {"bitwise", Operator::band}};
  const std::pair<const char*, Type> types[] = {{"integer", Type::int32},
                                                {"float", Type::float32},
                                                {"double", Type::float64},
                                                {"complex", Type::complex64}};
  for (const auto& [operation, op] : operators)
    for (const auto& [kind, type] : types) {
      const std::string name = fmt::format("{}_{}", operation, kind);
      const auto known = gamma_names();
      const bool is_gamma = op == Operator::sum && type == Type::float64;
      if (!is_gamma && std::find(known.begin(), known.end(), name) == known.end()) continue;
      const Kernel kernel = kernel_for(op, type);
      const std::size_t size = size_of(type);
      found[is_gamma ? "" : name] =
          median_of(slopes([&](void* left, void* right, std::size_t bytes) {
            kernel(left, right, right, bytes / size);
          }));
    }
  MPI_Op own = MPI_OP_NULL;
  PMPI_Op_create(add_doubles, 1, &own);
  found["user"] = median_of(slopes([&](void* in, void* inout, std::size_t bytes) {
    PMPI_Reduce_local(in, inout, static_cast<int>(bytes / sizeof(double)), MPI_DOUBLE, own);
  }));
  PMPI_Op_free(&own);
  return found;
}

}  // namespace

void set_gammas(Profile& profile) {
  for (const auto& [name, median] : gammas())
    if (name.empty()) {
      profile.rates.gamma = median.value;
      profile.uncertainty["gamma"] = median.half_width();
    } else {
      profile.gammas[name] = median.value;
    }
}

}  // namespace tutti::core
