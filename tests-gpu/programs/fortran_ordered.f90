!! fails O0 O2 because flang 22 runs a loop with ordered regions as one without
!! prints T
! Ordered regions.
program p
  implicit none
  integer :: i, k, a(100)
  k = 0
  a = 0
  !$omp target parallel do ordered map(tofrom: k, a)
  do i = 1, 100
    !$omp ordered
    k = k + 1
    a(k) = i
    !$omp end ordered
  end do
  print '(l1)', all(a == [(i, i = 1, 100)])
end program
