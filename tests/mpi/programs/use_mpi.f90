! All 17 blocking collectives of MPI through `use mpi`, each checked. Stops with 1 if one is wrong.

program collectives
  use mpi
  implicit none
  integer :: p, r, root, total, i, ierr, one, wrong
  integer, allocatable :: mine(:), all(:), ones(:), places(:), bytes(:)
  integer, allocatable :: types(:)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, r, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierr)
  allocate (mine(p), all(p), ones(p), places(p), bytes(p), types(p))
  root = p - 1
  total = p * (p - 1) / 2
  wrong = 0
  ones = 1
  types = MPI_INTEGER
  do i = 1, p
    places(i) = i - 1
    bytes(i) = 4 * (i - 1)
  end do

  call MPI_Barrier(MPI_COMM_WORLD, ierr)

  one = -1
  if (r == root) one = 42
  call MPI_Bcast(one, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  call check('bcast', one == 42)

  call prepare
  call MPI_Scatter(mine, 1, MPI_INTEGER, one, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  call check('scatter', one == 100 * root + r)
  one = -1
  call MPI_Scatterv(mine, ones, places, MPI_INTEGER, one, 1, MPI_INTEGER, root, &
                    MPI_COMM_WORLD, ierr)
  call check('scatterv', one == 100 * root + r)

  call prepare
  call MPI_Gather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  if (r == root) call check('gather', all(p) == 100 * (p - 1) .and. all(1) == 0)
  call prepare
  call MPI_Gatherv(mine, 1, MPI_INTEGER, all, ones, places, MPI_INTEGER, root, &
                   MPI_COMM_WORLD, ierr)
  if (r == root) call check('gatherv', all(p) == 100 * (p - 1) .and. all(1) == 0)
  call prepare
  call MPI_Allgather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check('allgather', all(p) == 100 * (p - 1) .and. all(1) == 0)
  call prepare
  all(r + 1) = mine(1)
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check('allgather in place', all(p) == 100 * (p - 1) .and. all(1) == 0)
  call prepare
  call MPI_Allgatherv(mine, 1, MPI_INTEGER, all, ones, places, MPI_INTEGER, &
                      MPI_COMM_WORLD, ierr)
  call check('allgatherv', all(p) == 100 * (p - 1) .and. all(1) == 0)

  call prepare
  call MPI_Reduce(mine, all, p, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, ierr)
  if (r == root) call check('reduce', all(p) == 100 * total + p * (p - 1))
  call prepare
  call MPI_Allreduce(mine, all, p, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check('allreduce', all(p) == 100 * total + p * (p - 1))
  call prepare
  call MPI_Allreduce(MPI_IN_PLACE, mine, p, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  call check('allreduce in place', mine(1) == 100 * (p - 1))
  call prepare
  call MPI_Reduce_scatter(mine, one, ones, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check('reduce_scatter', one == 100 * total + p * r)
  one = -1
  call MPI_Reduce_scatter_block(mine, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check('reduce_scatter_block', one == 100 * total + p * r)

  call prepare
  call MPI_Alltoall(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check('alltoall', all(p) == 100 * (p - 1) + r .and. all(1) == r)
  call prepare
  call MPI_Alltoallv(mine, ones, places, MPI_INTEGER, all, ones, places, MPI_INTEGER, &
                     MPI_COMM_WORLD, ierr)
  call check('alltoallv', all(p) == 100 * (p - 1) + r .and. all(1) == r)
  call prepare
  call MPI_Alltoallw(mine, ones, bytes, types, all, ones, bytes, types, MPI_COMM_WORLD, ierr)
  call check('alltoallw', all(p) == 100 * (p - 1) + r .and. all(1) == r)

  call prepare
  call MPI_Scan(mine, all, p, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check('scan', all(p) == 50 * r * (r + 1) + (r + 1) * (p - 1))
  call prepare
  call MPI_Exscan(mine, all, p, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (r == 0) call check('exscan', all(p) == -1)
  if (r > 0) call check('exscan', all(p) == 50 * r * (r - 1) + r * (p - 1))

  call MPI_Finalize(ierr)
  if (wrong /= 0) stop 1

contains

  subroutine prepare
    do i = 1, p
      mine(i) = 100 * r + i - 1
    end do
    all = -1
    one = -1
  end subroutine

  subroutine check(collective, holds)
    character(*), intent(in) :: collective
    logical, intent(in) :: holds
    if (holds) return
    wrong = 1
    print *, collective, ' is wrong on rank ', r
  end subroutine
end program
