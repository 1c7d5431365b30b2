!! fault data-race
!! note All threads add to one sum; the twin has a reduction.
program sum_without_reduction
  implicit none
  integer :: i, total, a(256)
  total = 0
  a = [(i, i = 1, 256)]
  !$omp target teams distribute parallel do num_teams(4) thread_limit(64) map(tofrom: total) map(to: a) !faulty
  !fixed: !$omp target teams distribute parallel do num_teams(4) thread_limit(64) reduction(+: total) map(to: a)
  do i = 1, 256
    total = total + a(i) !~
  end do
  print '(a, i0)', 'sum ', total
end program
