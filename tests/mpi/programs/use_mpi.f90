! All 17 blocking collectives of MPI through `use mpi`, each checked. Stops with 1 if one is wrong.

program collectives
  use mpi
  implicit none
  integer, allocatable :: types(:)
  include 'collectives.inc'
end program
