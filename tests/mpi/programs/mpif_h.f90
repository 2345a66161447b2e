! All 17 blocking collectives of MPI through mpif.h, each checked. Stops with 1 if one is wrong.

program collectives
  implicit none
  include 'mpif.h'
  integer, allocatable :: types(:)
  include 'collectives.inc'
end program
