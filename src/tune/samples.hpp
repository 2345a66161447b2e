#pragma once

#include <map>
#include <string>
#include <vector>

#include "measure/fit.hpp"
#include "measure/statistics.hpp"
#include "model/machine.hpp"

namespace tutti::core {

/// What messages of a level took, by size, and the lines through that.
struct Curve {
  std::string level;  // network or node
  std::string kind;   // exchange or one_way
  std::vector<Timing> points;
  std::vector<double> half_widths;  // of the points' intervals, as a share
  Line line;                        // through all
  std::vector<Stretch> stretches;   // with one line each
};

/// What a pair took, by size and pass.
struct Samples {
  std::vector<std::size_t> bytes;
  std::vector<std::vector<double>> exchange, one_way;
  std::vector<double> message;

  std::size_t passes() const { return exchange.empty() ? 0 : exchange.front().size(); }
};

std::vector<Timing> points_of(const Samples& samples, const std::vector<std::vector<double>>& of);
std::vector<Timing> pass_of(const Samples& samples, const std::vector<std::vector<double>>& of,
                            std::size_t pass);

/// The numbers of each pass; the spread of their medians is a number's uncertainty.
template <class Value>
Median over_passes(const Samples& samples, Value&& value) {
  std::vector<double> values;
  for (std::size_t pass = 0; pass < samples.passes(); ++pass) values.push_back(value(pass));
  return median_of(values);
}

/// By the names that profiles have for them.
std::map<std::string, double, std::less<>> uncertainty_of(const Samples& samples);

Curve curve_of(const Samples& samples, const std::vector<std::vector<double>>& of,
               const char* level, const char* kind);
/// The lines through the points of a level's two kinds, which bend at the same sizes.
void fit(Curve& exchange, Curve& one_way);

/// What a node's messages say of its rates, see NodeRates.
struct NodeFit {
  double latency, message, byte;
};
/// In an exchange each rank writes what it sends and reads what it gets: two copies. `message`:
/// what one is for him who has most work with it.
NodeFit node_fit(const std::vector<Timing>& exchange, const std::vector<Timing>& one_way,
                 double message);

}  // namespace tutti::core
