#pragma once

#include <optional>

#include "select/predict.hpp"

namespace tutti::core {

/// What a prediction's messages take if bytes cost nothing: by closed form for n bytes, or, where
/// the problem's ranks share nodes, by estimate, with the care that the prediction was made with.
double latency_of(const Prediction& prediction, const Problem& problem, double n,
                  const Machine& machine, Care care);

/// Why the first of the predictions, which come fastest first, is the fastest: one sentence.
/// Without data: that nothing is to be done.
std::string reason(const std::vector<Prediction>& predictions, const Problem& problem,
                   std::size_t n, const Machine& machine, std::optional<double> bound, Care care);

}  // namespace tutti::core
