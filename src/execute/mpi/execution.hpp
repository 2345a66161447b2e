// A rank's schedule on MPI, and through its node's memory.
#pragma once

#include <memory>
#include <vector>

#include "execute/mpi/bound.hpp"
#include "execute/mpi/local_work.hpp"
#include "execute/mpi/near.hpp"
#include "execute/mpi/notes.hpp"
#include "execute/mpi/patience.hpp"
#include "execute/mpi/rounds.hpp"
#include "execute/mpi/stages.hpp"
#include "execute/mpi/wire.hpp"
#include "execute/mpi/workspace.hpp"
#include "execute/vertices.hpp"

namespace tutti::core {

/// One rank's schedule on MPI point-to-point messages of bytes, and on channels through memory to
/// the ranks of its node. Resumable: start, progress, done. When a call is repeated it allocates
/// nothing.
class MpiExecution {
 public:
  /// `here`: the ranks of this one's node. `has_channels`: bindings have channels to them.
  MpiExecution(const Algorithm& algorithm, const Call& call, const Parameters& parameters,
               const Cutting& cutting, const NodeRanks& here, bool has_channels,
               std::shared_ptr<Workspace> workspace);
  MpiExecution(const MpiExecution&) = delete;
  MpiExecution& operator=(const MpiExecution&) = delete;

  /// All return an MPI error code. After an error nothing is under way any more.
  int start(const Binding& binding);
  int progress();
  int wait();
  bool done() const { return done_; }
  /// Bytes that it alone keeps beside the schedule.
  std::size_t memory() const { return workspace_.use_count() > 1 ? 0 : workspace_->bytes(); }

 private:
  void make_room(const Stage& stage);
  void bind_memory(const Stage& stage, std::size_t kept);
  int begin_stage(std::size_t number);
  int end_stage();
  int go_on();
  int run_ready();
  int drive(bool blocking);
  int drive_noted(bool blocking);
  int drive_near(bool blocking);
  template <bool noted>
  int drive_rounds(bool blocking);
  int abandon(int error);

  const std::shared_ptr<Workspace> workspace_;
  const bool has_channels_;
  bool done_ = true;
  std::size_t stage_number_ = 0;
  const Stage* stage_ = nullptr;
  Bound bound_;
  Notes notes_;
  Vertices vertices_;
  LocalWork work_;
  Patience patience_;
  Near near_;
  Rounds rounds_;
  Wire wire_;
  Stages stages_;
};

}  // namespace tutti::core
