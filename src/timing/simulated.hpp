#pragma once

namespace tutti::core {

/// Whether SimGrid's clock runs: then nothing is noisy, cold or shared by chance, and one sample
/// says it all.
#ifdef TUTTI_SIMULATED
inline constexpr bool is_simulated = true;
#else
inline constexpr bool is_simulated = false;
#endif

}  // namespace tutti::core
