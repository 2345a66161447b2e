#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "measure/distribution.hpp"
#include "model/profile.hpp"
#include "select/predict.hpp"

namespace tutti::core::cli {

/// What verbs ask of the model: a collective on so many ranks, of so many bytes, on a machine.
struct ModelOptions {
  std::string collective, p, sizes, topology, mesh, profile;
  std::optional<int> cores;
  bool noncommutative = false;
};

/// Adds the words, and tells the one for the topology.
CLI::Option* add_model_options(CLI::App& verb, ModelOptions& options);

/// By name or file; without one what programs that start here find, else the default. Throws
/// std::invalid_argument.
Profile profile_for(const std::string& name_or_file);

/// The words as values.
struct ModelQuestion {
  Collective collective = Collective::barrier;
  std::vector<int> p;
  std::vector<std::size_t> sizes;
  std::shared_ptr<const Topology> topology;  // null: each rank on a node of its own
  Profile profile;                           // with the mesh and the cores that are asked for
  bool commutative = true;
  Distribution distribution = Distribution::regular;

  /// For ranks that live so, and the operator that is asked about.
  Machine machine_for(const Topology* topology = nullptr) const;
};

/// Throws std::invalid_argument. Without sizes where `for_all_sizes`.
ModelQuestion question_of(const ModelOptions& options, Profile profile, bool for_all_sizes);

/// One p and size: everything about it.
struct ModelPoint {
  int p = 1;
  std::size_t n = 0;
  std::optional<double> bound{};  // known of a network without nodes
  std::shared_ptr<const Topology> topology{};
  std::vector<Prediction> predictions{};

  /// As fast as the fastest.
  bool is_winner(const Prediction& prediction) const;
};

/// Every p and size, without predictions.
std::vector<ModelPoint> places_of(const ModelQuestion& question);
Problem problem_of(const ModelPoint& point, const ModelQuestion& question);
/// What the model says of each algorithm there. Throws std::invalid_argument if nothing is known of
/// the profile's nodes.
std::vector<Prediction> predictions_of(const ModelPoint& point, const ModelQuestion& question,
                                       Care care);
/// With predictions.
std::vector<ModelPoint> points_of(const ModelQuestion& question);

/// `1.20 us`
std::string duration(double seconds);
/// The links that messages were followed over, if they were.
std::optional<Mesh> mesh_of(const ModelPoint& point, const ModelQuestion& question);
/// `allreduce, p = 16, topology 4x4, n = 1M, fabric-100g`
std::string title_of(const ModelPoint& point, const ModelQuestion& question);
/// The bound and every candidate, a line for each; winners have a star.
std::string candidates_text(const ModelPoint& point);
/// p, topology, mesh, bytes, bound and every candidate.
nlohmann::ordered_json json_of(const ModelPoint& point, const ModelQuestion& question);

}  // namespace tutti::core::cli
