! BLACS from Fortran: what every process gets is printed, by one process at a time.
program from_fortran
  implicit none
  integer :: process, processes, context, rows, columns, row, column, i, j
  integer :: owner_rows(3, 2), owner_columns(3, 2)
  double precision :: a(5, 2)
  complex :: c(2, 2)
  integer :: k(4)
  real :: t(3, 4)
  character(len=200) :: line

  call blacs_pinfo(process, processes)
  call blacs_get(-1, 0, context)
  call blacs_gridinit(context, 'Column', 1, processes)
  call blacs_gridinfo(context, rows, columns, row, column)

  do j = 1, 2
    do i = 1, 5
      a(i, j) = mod(7 * i + 3 * j + 5 * process, 11) - 5
    end do
  end do
  call dgamx2d(context, 'All', ' ', 3, 2, a, 5, owner_rows, owner_columns, 3, -1, -1)
  write (line, '(10f6.1, 12i3)') a, owner_rows, owner_columns
  call show(line)

  c = cmplx(process + 1, -process)
  call cgsum2d(context, 'Row', 'h', 2, 2, c, 2, 0, processes - 1)
  if (column == processes - 1) then
    write (line, '(8f6.1)') c
  else
    line = ' '
  end if
  call show(line)

  k = process
  if (column == 0) then
    k = (/ 4, 3, 2, 1 /)
    call igebs2d(context, 'Row', 'i-ring', 4, 1, k, 4)
  else
    call igebr2d(context, 'Row', 'i-ring', 4, 1, k, 4, row, 0)
  end if
  write (line, '(4i4)') k
  call show(line)

  t = process
  if (column == processes - 1) then
    t = reshape((/ (real(i), i = 1, 12) /), (/ 3, 4 /))
    call strbs2d(context, 'All', ' ', 'Lower', 'Unit', 3, 4, t, 3)
  else
    call strbr2d(context, 'All', ' ', 'Lower', 'Unit', 3, 4, t, 3, 0, processes - 1)
  end if
  write (line, '(12f5.1)') t
  call show(line)

  call blacs_gridexit(context)
  call blacs_exit(0)

contains

  subroutine show(text)
    character(len=*), intent(in) :: text
    integer :: turn
    do turn = 0, processes - 1
      if (turn == process) then
        write (*, '(i3, a, a)') process, ': ', trim(text)
        flush (6)
      end if
      call blacs_barrier(context, 'All')
    end do
  end subroutine show
end program from_fortran
