// What `tutti tune` measures first: the numbers of a profile, stage by stage, each by those ranks
// that it needs.

#include "tune/mpi/rates.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "api/machine/across.hpp"
#include "api/process/mpi_name.hpp"
#include "api/process/tuning.hpp"
#include "execute/mpi/execution.hpp"
#include "select/profiles.hpp"
#include "timing/provenance.hpp"
#include "timing/simulated.hpp"
#include "timing/stopwatch.hpp"
#include "timing/trial.hpp"
#include "tune/mpi/interface.hpp"
#include "tune/mpi/network.hpp"
#include "tune/mpi/node.hpp"
#include "tune/mpi/reductions.hpp"

namespace tutti::core {
namespace {

using Json = nlohmann::ordered_json;

class Measurement {
 public:
  Measurement(MPI_Comm world, double budget, const Report& report)
      : world_(world), budget_(budget), report_(report), topology_(topology_seen(world)) {
    PMPI_Comm_rank(world, &rank_);
    cores_ = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    PMPI_Bcast(&cores_, 1, MPI_INT, 0, world);
  }

  MeasuredRates run() {
    const Topology& where = *topology_;
    const int last = where.nodes() - 1;
    const Rank far = where.ranks_of(last)[0];
    Profile& profile = result_.profile;
    profile.name = "measured";
    profile.source = "tutti tune";
    profile.measured_on = here(mpi_name());
    tutti_tune_pieces(Cutting{}.bytes);  // not those of a profile that is about to be replaced
    if (last > 0) {
      stage({0, far}, 0, "size of pieces",
            [&](MPI_Comm comm) { profile.piece = best_piece(comm); });
      tutti_tune_pieces(profile.piece);
      network(far);
    }
    if (const auto node = crowded_node()) within_node(*node);
    posting(last > 0 ? far : where.ranks_of(0)[1]);
    if (last > 0) interface(last);
    combining();
    switching();
    return result_;
  }

 private:
  /// These ranks work on a communicator of their own, in this order; the others sleep meanwhile.
  template <class Work>
  void stage(const std::vector<Rank>& ranks, double share, const std::string& what, Work&& work) {
    if (rank_ == 0) report_(share, what);
    const auto place = std::find(ranks.begin(), ranks.end(), rank_);
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_split(world_, place == ranks.end() ? MPI_UNDEFINED : 0,
                    static_cast<int>(place - ranks.begin()), &comm);
    if (comm != MPI_COMM_NULL) {
      work(comm);
      PMPI_Comm_free(&comm);
    }
    meet_asleep(world_);
    if (any_interrupted(world_)) throw Interrupted{};
    spread(ranks.front());
  }

  std::function<void(double)> progress(double from, double to, const char* what) const {
    return [this, from, to, what](double share) {
      if (rank_ == 0) report_(from + share * (to - from), what);
    };
  }

  /// The first node with several ranks, in domains if there is one.
  std::optional<int> crowded_node() const {
    for (int node = 0; node < topology_->nodes(); ++node)
      if (across_domains(*topology_, node)) return node;
    for (int node = 0; node < topology_->nodes(); ++node)
      if (topology_->size_of(node) > 1) return node;
    return std::nullopt;
  }

  void add_curves(const Samples& samples, const char* level) {
    result_.curves.push_back(curve_of(samples, samples.exchange, level, "exchange"));
    result_.curves.push_back(curve_of(samples, samples.one_way, level, "one_way"));
  }

  /// What the level's samples say about the profile's rates.
  void set_rates(const Samples& samples) {
    Profile& profile = result_.profile;
    profile.rates =
        rates_of(points_of(samples, samples.exchange), points_of(samples, samples.one_way));
    profile.uncertainty.merge(uncertainty_of(samples));
  }

  void network(Rank far) {
    stage({0, far}, 0, "network", [&](MPI_Comm comm) {
      Pair pair(comm, false);
      const auto samples = sample(pair, 0.4 * budget_, progress(0, 0.4, "network"));
      if (!samples) return;
      set_rates(*samples);
      add_curves(*samples, "network");
    });
    const std::vector<Stretch>& with = result_.curves[0].stretches;
    for (std::size_t i = 0; with.size() > 1 && i < with.size(); ++i) {
      const Line &both = with[i].lines[0], &one = result_.curves[1].stretches[i].lines[0];
      result_.profile.steps.push_back(
          {static_cast<std::size_t>(with[i].from), both.alpha, both.beta, one.alpha, one.beta});
    }
  }

  void within_node(int node) {
    const auto ranks = topology_->ranks_of(node);
    const bool alone = topology_->nodes() == 1;
    const auto domains = across_domains(*topology_, node);
    const Rank first = domains ? (*domains)[0] : ranks[0];
    stage({first, domains ? (*domains)[1] : ranks[1]}, 0.4, "node", [&](MPI_Comm comm) {
      Pair pair(comm, true);
      const auto samples =
          sample(pair, (alone ? 0.6 : 0.3) * budget_, progress(alone ? 0 : 0.4, 0.7, "node"));
      if (!samples) return;
      set_node_rates(comm, *samples, cores_, result_.profile);
      if (alone) set_rates(*samples);
      add_curves(*samples, "node");
    });
    if (domains)
      stage({domains->begin(), domains->end()}, 0.72, "domains", [&](MPI_Comm comm) {
        result_.profile.node->across = measure_across(comm, {0, 1, 2});
      });
    if (alone)
      result_.remarks.emplace_back(
          "alpha and beta are those of messages within the node: all ranks "
          "share one, so that no network was seen");
  }

  void posting(Rank other) {
    stage({0, other}, 0.75, "posting", [&](MPI_Comm comm) {
      const Median post = median_of(post_times(comm));
      result_.profile.rates.post = post.value;
      result_.profile.uncertainty["post"] = post.half_width();
    });
  }

  /// As many pairs at once as both nodes have ranks.
  void interface(int last) {
    const auto here = topology_->ranks_of(0), there = topology_->ranks_of(last);
    const auto most = static_cast<int>(std::min(here.size(), there.size()));
    if (most < 2) {
      result_.remarks.emplace_back("interface: between nodes there is only one pair of ranks");
      return;
    }
    std::vector<Rank> ranks;
    for (int i = 0; i < most; ++i) ranks.insert(ranks.end(), {here[i], there[i]});
    stage(ranks, 0.85, "interface",
          [&](MPI_Comm comm) { measure_interface(comm, result_.profile); });
  }

  void combining() {
    if (is_simulated) {
      result_.remarks.emplace_back("gamma is 0: computation takes no time in a simulation");
      return;
    }
    stage({0}, 0.9, "reductions", [&](MPI_Comm) { set_gammas(result_.profile); });
  }

  void switching() {
    const auto node = crowded_node();
    if (!node) return;
    const int ranks = topology_->size_of(*node);
    if (is_simulated || ranks <= cores_) {
      result_.remarks.emplace_back(fmt::format(
          "switch_us is that of {}: ranks do not outnumber cores here", default_profile().name));
      return;
    }
    const auto of_node = topology_->ranks_of(*node);
    stage({of_node.begin(), of_node.end()}, 0.95, "switches",
          [&](MPI_Comm comm) { set_switching(comm, 0.1 * budget_, result_.profile); });
  }

  /// The others learn what a stage has found.
  void spread(Rank root) {
    std::string text = rank_ == root ? to_text() : "";
    share_text(text, world_, root);
    from_text(text);
  }
  std::string to_text() const {
    Json curves = Json::array();
    for (const Curve& each : result_.curves) {
      Json points = Json::array();
      for (std::size_t i = 0; i < each.points.size(); ++i)
        points.push_back({each.points[i].bytes, each.points[i].seconds, each.half_widths[i]});
      curves.push_back({each.level, each.kind, points});
    }
    return Json{format_profile(result_.profile), curves}.dump();
  }
  void from_text(const std::string& text) {
    const Json json = Json::parse(text);
    result_.profile = parse_profile(json[0].get<std::string>(), "of another rank");
    result_.curves.clear();
    for (const Json& each : json[1]) {
      Curve curve{each[0], each[1], {}, {}, {}, {}};
      for (const Json& point : each[2]) {
        curve.points.push_back({point[0], point[1]});
        curve.half_widths.push_back(point[2]);
      }
      curve.line = fit_line(curve.points);
      result_.curves.push_back(std::move(curve));
    }
    // The two of a level stand side by side.
    for (std::size_t i = 0; i + 1 < result_.curves.size(); i += 2)
      fit(result_.curves[i], result_.curves[i + 1]);
  }

  const MPI_Comm world_;
  const double budget_;
  const Report& report_;
  const std::shared_ptr<const Topology> topology_;
  int rank_ = 0, cores_ = 0;
  MeasuredRates result_;
};

}  // namespace

MeasuredRates measure_rates(MPI_Comm world, double budget, const Report& report) {
  int p = 0;
  PMPI_Comm_size(world, &p);
  if (p < 2)
    throw std::invalid_argument(
        "tune measures messages between ranks: start at least two, mpirun -n 2 tutti tune");
  return Measurement(world, budget, report).run();
}

}  // namespace tutti::core
