! Heat on a rod until it changes no more: an allreduce in every step, a gather at the end. An
! unchanged MPI program in Fortran.

program heat
  use mpi_f08
  implicit none
  integer, parameter :: n = 100
  integer :: r, p, step
  double precision :: rod(0:n + 1), next(n), change, most
  double precision, allocatable :: all(:)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, r)
  call MPI_Comm_size(MPI_COMM_WORLD, p)
  allocate (all(n * p))

  ! The left end is kept at 1, the right end at 0.
  rod = 0
  do step = 1, 2000
    call exchange_ends
    next = 0.5d0 * (rod(0:n - 1) + rod(2:n + 1))
    change = maxval(abs(next - rod(1:n)))
    rod(1:n) = next
    call MPI_Allreduce(change, most, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    if (most < 1d-4) exit
  end do

  call MPI_Gather(rod(1:n), n, MPI_DOUBLE_PRECISION, all, n, MPI_DOUBLE_PRECISION, 0, &
                  MPI_COMM_WORLD)
  if (r == 0) print '(a, i0, a, f6.4)', 'after ', min(step, 2000), ' steps the mean is ', &
    sum(all) / size(all)
  call MPI_Finalize()

contains

  subroutine exchange_ends
    integer :: left, right
    left = merge(r - 1, MPI_PROC_NULL, r > 0)
    right = merge(r + 1, MPI_PROC_NULL, r < p - 1)
    if (r == 0) rod(0) = 1
    if (r == p - 1) rod(n + 1) = 0
    call MPI_Sendrecv(rod(1), 1, MPI_DOUBLE_PRECISION, left, 0, rod(n + 1), 1, &
                      MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(rod(n), 1, MPI_DOUBLE_PRECISION, right, 1, rod(0), 1, &
                      MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine
end program
