#pragma once

#include <cstddef>

struct tutti_operation_s;

/// How the command steers the library that it measures, and what it asks it. Not for programs.

namespace tutti::core {

/// What holds in place of the environment's words; null: those hold.
struct Tuning {
  const char* profile = nullptr;  // TUTTI_PROFILE
  const char* trace = nullptr;    // TUTTI_TRACE
};

}  // namespace tutti::core

extern "C" {
/// Before the first collective, on all ranks alike. Besides, what is measured is what was asked
/// for, or the choice: nobody takes turns unless TUTTI_LEARN says so.
void tutti_tune_settings(const tutti::core::Tuning& tuning);

/// Messages between nodes are cut so from now on, whatever a profile says, unless TUTTI_PIECE does.
/// All ranks call it at the same point.
void tutti_tune_pieces(std::size_t bytes);

/// The algorithm of a call that was prepared; `native`: the MPI's own. The text stays.
const char* tutti_tune_algorithm(const tutti_operation_s* operation);
}
