// A described call, made empty.

#include "api/call/description.hpp"

#include "api/call/communicator.hpp"

namespace tutti::core {

void Description::clear(Collective collective) {
  arguments_ = {};
  lasts = true;
  lists.clear();
  call.collective = collective;
  call.p = state_.p();
  if (call.topology != state_.site().topology) call.topology = state_.site().topology;
  call.rank = state_.rank();
  call.root = 0;
  call.in_place = false;
  call.commutative = true;
  call.work = Work::sum_double;
  call.count = 0;
  call.counts.clear();
  call.send_counts.clear();
  call.recv_counts.clear();
  in.clear();
  out.clear();
  filled = false;
  out_bytes = 0;
  call.element_bytes = 1;
  op = MPI_OP_NULL;
  wrong = MPI_SUCCESS;
}

}  // namespace tutti::core
