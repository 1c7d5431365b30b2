!! fault data-race
!! note Smoothing overwrites the elements that neighbours read; the twin stores into a second array.
program smoothing_in_place
  implicit none
  integer :: i
  real :: a(130), b(130)
  do i = 1, 130
    a(i) = i * i
  end do
  b = a
  !$omp target teams distribute parallel do num_teams(2) thread_limit(64) map(tofrom: a, b)
  do i = 2, 129
    a(i) = (a(i - 1) + 2 * a(i) + a(i + 1)) / 4 !~ !faulty
    !fixed: b(i) = (a(i - 1) + 2 * a(i) + a(i + 1)) / 4
  end do
  print '(2(1x, f9.1))', a(2) + b(64), a(64) + b(2)
end program
