!! environment WARPFOLD_CHECK_LEAKS=0
! Taskloops in Fortran. flang 22 allocates the loop's variable and never frees it.
#include "fortran_checks.inc"
module work
  use checks
contains
  subroutine loops(n)
    integer, intent(in) :: n
    integer :: i, s, a(500)
    s = 7
    a = 0
    !$omp target parallel num_threads(32) map(tofrom: s, a)
    !$omp single
    !$omp taskloop shared(s, a)
    do i = 1, n
      a(i) = a(i) + i
      !$omp atomic
      s = s + i
    end do
    !$omp end taskloop
    !$omp end single
    !$omp end target parallel
    call check("taskloop", n, s == 7 + n * (n + 1) / 2 .and. sum(a) == n * (n + 1) / 2)
  end subroutine
end module

program p
  use work
  integer :: k
  integer, parameter :: sizes(4) = [0, 1, 33, 500]
  do k = 1, 4
    call loops(sizes(k))
  end do
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
end program
