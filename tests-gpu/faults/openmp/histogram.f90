!! fault data-race
!! note Threads count in the bins of a histogram; the twin counts atomically.
program histogram
  implicit none
  integer :: i, bins(0:4), a(300)
  bins = 0
  do i = 1, 300
    a(i) = mod(i * i, 5)
  end do
  !$omp target teams distribute parallel do num_teams(3) thread_limit(64) map(tofrom: bins) map(to: a)
  do i = 1, 300
    !fixed: !$omp atomic update
    bins(a(i)) = bins(a(i)) + 1 !~
  end do
  print '(5(1x, i0))', bins
end program
