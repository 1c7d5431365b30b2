!! fault data-race
!! note Threads compare with a maximum and replace it; the twin has a reduction.
program largest
  implicit none
  integer :: i
  real :: best, a(200)
  best = -1
  do i = 1, 200
    a(i) = mod(i * 37, 199)
  end do
  !$omp target teams distribute parallel do num_teams(4) thread_limit(64) map(tofrom: best) map(to: a) !faulty
  !fixed: !$omp target teams distribute parallel do num_teams(4) thread_limit(64) reduction(max: best) map(to: a)
  do i = 1, 200
    if (a(i) > best) then !~
      best = a(i) !~
    end if
  end do
  print '(a, f6.1)', 'largest ', best
end program
