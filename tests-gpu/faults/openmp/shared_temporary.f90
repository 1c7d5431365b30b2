!! fault data-race
!! note A temporary variable is mapped and so shared by all threads; in the twin it is private.
program shared_temporary
  implicit none
  integer :: i
  real :: t, a(128), b(128)
  t = 0
  do i = 1, 128
    a(i) = i
    b(i) = -i
  end do
  ! Exchange a with b backwards.
  !$omp target teams distribute parallel do num_teams(2) thread_limit(64) map(tofrom: a, b, t) !faulty
  !fixed: !$omp target teams distribute parallel do num_teams(2) thread_limit(64) map(tofrom: a, b) private(t)
  do i = 1, 128
    t = a(i) !~
    a(i) = b(129 - i)
    b(129 - i) = t !~
  end do
  print '(4(1x, f6.1))', a(1), a(128), b(1), b(128)
end program
