! All 17 blocking collectives of MPI through `use mpi_f08`, each checked. Stops with 1 if one is wrong.

program collectives
  use mpi_f08
  implicit none
  type(MPI_Datatype), allocatable :: types(:)
  include 'collectives.inc'
end program
