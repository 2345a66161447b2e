#pragma once

#include "request/request.hpp"
#include "select/predict.hpp"

namespace tutti::core {

/// What the model takes for an algorithm with these parameters, all of them given: its closed form
/// or, where ranks share nodes, an estimate.
double predicted_seconds(const Problem& problem, const Machine& machine, const Algorithm& algorithm,
                         const Parameters& parameters);

/// What is worth a measurement: algorithms with the model's parameters and with others near them
/// (segments and blocks around the optimum, radixes, leaders, shapes, inner algorithms), the
/// fastest by the model first, in the order of the table where equal. At most `most`; none that
/// takes more than `factor` times the best; at most two sets of parameters of one algorithm, and
/// not two that take the same: they differ in name only.
std::vector<Prediction> candidates(const Problem& problem, const Machine& machine, std::size_t most,
                                   double factor);

/// Everything that candidates() picks from.
std::vector<Prediction> all_candidates(const Problem& problem, const Machine& machine);

/// A prediction as what to ask for: parameters that the model finds by itself are left out, so that
/// they follow the size of a call.
Request shortest_request(const Problem& problem, const Machine& machine,
                         const Prediction& prediction);

}  // namespace tutti::core
