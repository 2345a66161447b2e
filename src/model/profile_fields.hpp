#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/profile.hpp"

// The numbers of a profile's file, for those who read and write it.

namespace tutti::core {

/// A number in the file, and what one of its units is in seconds.
template <class Of>
struct ProfileField {
  std::string_view name;
  double Of::*rate;
  double unit;
};

inline constexpr std::array rate_fields{
    ProfileField{"alpha_us", &Rates::alpha, 1e-6},
    ProfileField{"beta_ns_per_byte", &Rates::beta, 1e-9},
    ProfileField{"gamma_ns_per_byte", &Rates::gamma, 1e-9},
    ProfileField{"alpha_uni_us", &Rates::alpha_uni, 1e-6},
    ProfileField{"beta_uni_ns_per_byte", &Rates::beta_uni, 1e-9},
};
inline constexpr std::array node_fields{
    ProfileField{"latency_us", &NodeRates::latency, 1e-6},
    ProfileField{"message_us", &NodeRates::message, 1e-6},
    ProfileField{"attach_us", &NodeRates::attach, 1e-6},
    ProfileField{"copy_ns_per_byte", &NodeRates::byte, 1e-9},
    ProfileField{"switch_us", &NodeRates::switching, 1e-6},
};

inline constexpr std::array step_fields{
    ProfileField{"alpha_us", &Step::alpha, 1e-6},
    ProfileField{"beta_ns_per_byte", &Step::beta, 1e-9},
    ProfileField{"alpha_uni_us", &Step::alpha_uni, 1e-6},
    ProfileField{"beta_uni_ns_per_byte", &Step::beta_uni, 1e-9},
};
inline constexpr ProfileField reading_field{"attach_copies", &NodeRates::reading, 1};
inline constexpr ProfileField across_field{"across", &NodeRates::across, 1};
inline constexpr ProfileField again_field{"again", &NodeRates::again, 1};
inline constexpr ProfileField post_field{"post_us", &Rates::post, 1e-6};
inline constexpr ProfileField decision_field{"us", &Decision::seconds, 1e-6};

/// The order of what was measured at a size.
inline bool is_shorter(const std::pair<std::string, double>& a,
                       const std::pair<std::string, double>& b) {
  return std::tie(a.second, a.first) < std::tie(b.second, b.first);
}

}  // namespace tutti::core
