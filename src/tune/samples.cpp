// What messages took, by size and pass, made rates, uncertainties and curves.

#include "tune/samples.hpp"

#include <algorithm>

#include "topology/transport.hpp"

namespace tutti::core {

std::vector<Timing> points_of(const Samples& samples, const std::vector<std::vector<double>>& of) {
  std::vector<Timing> points;
  for (std::size_t i = 0; i < of.size(); ++i)
    points.push_back({static_cast<double>(samples.bytes[i]), median_of(of[i]).value});
  return points;
}

std::vector<Timing> pass_of(const Samples& samples, const std::vector<std::vector<double>>& of,
                            std::size_t pass) {
  std::vector<Timing> points;
  for (std::size_t i = 0; i < of.size(); ++i)
    points.push_back({static_cast<double>(samples.bytes[i]), of[i][pass]});
  return points;
}

std::map<std::string, double, std::less<>> uncertainty_of(const Samples& samples) {
  std::map<std::string, double, std::less<>> found;
  for (const auto& [name, rate] : {std::pair{"alpha", &Rates::alpha},
                                   {"beta", &Rates::beta},
                                   {"alpha_uni", &Rates::alpha_uni},
                                   {"beta_uni", &Rates::beta_uni}})
    found[name] = over_passes(samples, [&, rate = rate](std::size_t pass) {
                    return rates_of(pass_of(samples, samples.exchange, pass),
                                    pass_of(samples, samples.one_way, pass)).*
                           rate;
                  }).half_width();
  return found;
}

Curve curve_of(const Samples& samples, const std::vector<std::vector<double>>& of,
               const char* level, const char* kind) {
  Curve curve{level, kind, points_of(samples, of), {}, {}, {}};
  for (const std::vector<double>& each : of)
    curve.half_widths.push_back(median_of(each).half_width());
  return curve;
}

void fit(Curve& exchange, Curve& one_way) {
  for (const Stretch& each : fit_stretches({exchange.points, one_way.points})) {
    exchange.stretches.push_back({each.from, {each.lines[0]}});
    one_way.stretches.push_back({each.from, {each.lines[1]}});
  }
}

NodeFit node_fit(const std::vector<Timing>& exchange, const std::vector<Timing>& one_way,
                 double message) {
  std::vector<Timing> small, large;
  for (const Timing& each : one_way)
    if (each.bytes <= Transport::most_sent) small.push_back(each);
  for (const Timing& each : exchange) {
    NeighbourRound round;
    round.add(Kind::recv, 0, each.bytes);
    if (each.bytes > Transport::most_sent && !round.stays(each.bytes, 1, false, 1))
      large.push_back(each);
  }
  const Line little = fit_line(small), much = fit_line(large.empty() ? exchange : large);
  const double work = std::min(message, little.alpha / 2), byte = much.beta / 2;
  return {little.alpha - 2 * work, work, byte};
}

}  // namespace tutti::core
