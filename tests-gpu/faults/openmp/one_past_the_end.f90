!! fault out-of-bounds
!! note The last iteration reads the element after the end of the array; the twin has one iteration less.
program one_past_the_end
  implicit none
  integer :: i, n
  real(8) :: x(64), d(64)
  n = 64
  do i = 1, n
    x(i) = i * i
    d(i) = 0
  end do
  !$omp target teams distribute parallel do num_teams(2) thread_limit(32) map(to: x) map(tofrom: d)
  do i = 1, n !faulty
  !fixed: do i = 1, n - 1
    d(i) = x(i + 1) - x(i) !~
  end do
  print '(2(1x, f6.1))', d(1), d(63)
end program
