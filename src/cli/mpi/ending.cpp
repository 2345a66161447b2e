// How a verb ends early: asked by a signal.

#include "cli/mpi/ending.hpp"

#include <csignal>

#include "timing/stopwatch.hpp"

namespace tutti::core::cli {

void end_on_signals() {
#ifndef TUTTI_SIMULATED  // there all ranks are one process, which may as well end at once
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupt(); });
#endif
}

}  // namespace tutti::core::cli
