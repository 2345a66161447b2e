// How a rank waits for its neighbours.
#pragma once

#include <sched.h>

#include "execute/mpi/bound.hpp"

namespace tutti::core {

/// Looks in vain, counted. The MPI must go on meanwhile: a rank may wait for what this one has sent
/// before.
class Patience {
 public:
  Patience(const Bound& bound, bool has_other_nodes)
      : bound_(bound), most_yields_(has_other_nodes ? yields_for_nodes : yields) {}

  void moved() { idle_ = 0; }

  /// Nothing has come: another look later. Where ranks outnumber cores this one sleeps, until so
  /// many `messages` have come that a look is worth it. `asks_mpi`: the MPI is asked anyway.
  template <class Messages, class IsReady>
  void wait(Channels& channels, bool asks_mpi, bool for_reads, Messages&& messages,
            IsReady&& is_ready) {
    ++idle_;
    if (!channels.bells().sleeps()) {
      relax();
      if (idle_ % looks == 0) let_mpi_go_on(asks_mpi);
      if (idle_ % (16 * looks) == 0) sched_yield();
      return;
    }
    if (idle_ < most_yields_ || asks_mpi) {
      if (idle_ % yields == 0) let_mpi_go_on(asks_mpi);
      sched_yield();
      return;
    }
    let_mpi_go_on(asks_mpi);
    channels.bells().sleep(messages(), for_reads, is_ready);
  }

 private:
  /// The MPI goes on after so many looks in vain.
  static constexpr unsigned looks = 64;
  /// Where ranks outnumber cores: so many looks, others in between, before a rank sleeps. More if
  /// there are other nodes: for what comes from there a neighbour waits longer.
  static constexpr unsigned yields = 10, yields_for_nodes = 40;

  /// Tells the core that it waits in a loop.
  static void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }
  void let_mpi_go_on(bool is_asked_anyway) const {
    int there = 0;
    if (!is_asked_anyway)
      PMPI_Iprobe(MPI_ANY_SOURCE, bound_.binding.tag, bound_.binding.comm, &there,
                  MPI_STATUS_IGNORE);
  }

  const Bound& bound_;
  const unsigned most_yields_;
  unsigned idle_ = 0;  // looks in vain since something came
};

}  // namespace tutti::core
