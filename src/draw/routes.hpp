#pragma once

#include <string>
#include <vector>

#include "topology/mesh.hpp"
#include "verify/conflicts.hpp"

namespace tutti::core {

/// A link and how many messages it carries in one step.
struct LoadedLink {
  Link link;
  int messages = 0;
};

/// The messages of each step on a mesh, and what its links carry. Text and SVG are drawn from it.
struct Routes {
  struct Step {
    std::vector<Ends> messages;
    std::vector<LoadedLink> links;  // that carry any

    int largest() const;
  };

  std::string title;
  Mesh mesh;
  std::vector<Step> steps;

  /// `no link carries two messages of one step the same way`, or how many do.
  std::string summary() const;
};

/// `name` stands in the title. The schedules must be complete and correct, and as many as the mesh
/// has ranks; std::invalid_argument if they are not, or if the mesh has more than two dimensions.
Routes routes_of(const std::string& name, const Mesh& mesh, const std::vector<Schedule>& schedules);

/// The widest mesh that routes_text draws.
inline constexpr int most_text_columns = 12;

/// Step by step the mesh with the messages on each link, and who sends to whom.
std::string routes_text(const Routes& routes, std::size_t width = 100);

/// A panel for each step: the messages along their routes, links that carry several stand out.
std::string routes_svg(const Routes& routes);

}  // namespace tutti::core
