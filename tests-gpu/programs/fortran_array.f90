!! fails 22 O0 O2 because flang 22 exchanges descriptors between threads, which point to memory of one thread
! A reduction of an array.
program main
  implicit none
  integer :: a(5), i, failures
  do i = 1, 5
    a(i) = i
  end do
  !$omp target teams distribute parallel do num_teams(3) reduction(+: a) map(tofrom: a)
  do i = 1, 500
    a(mod(i, 5) + 1) = a(mod(i, 5) + 1) + 1
  end do
  failures = 0
  do i = 1, 5
    if (a(i) /= 100 + i) failures = failures + 1
  end do
  print '(a, i0, a)', "5 checks, ", failures, " failures"
  if (failures > 0) stop 1
end program
