!! fault data-race
!! note flang 22 lets every thread of a team execute the body of `teams distribute` around an inner `parallel do`, without the guards that SPMD mode needs: all of them set and add up the sum of a row. The twin has one loop.
program rows_in_distribute
  implicit none
  integer :: i, j, row, a(64, 4), s(4)
  do i = 1, 4
    do j = 1, 64
      a(j, i) = j * i
    end do
    s(i) = 1
  end do
  !$omp target teams distribute num_teams(2) thread_limit(32) private(j, row) map(to: a) map(tofrom: s) !faulty
  !fixed: !$omp target teams distribute parallel do num_teams(2) thread_limit(32) private(j, row) map(to: a) map(tofrom: s)
  do i = 1, 4
    row = 0
    !$omp parallel do reduction(+: row) !faulty
    do j = 1, 64
      row = row + a(j, i)
    end do
    s(i) = s(i) + row !~
  end do
  print '(4(1x, i0))', s
end program
