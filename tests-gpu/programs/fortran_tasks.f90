! Tasks and critical regions in Fortran. flang's tasks are functions without a result, clang's
! return an int.
#include "fortran_checks.inc"
module work
  use checks
contains
  subroutine tasks(n)
    integer, intent(in) :: n
    integer :: i, s, t
    s = 0
    t = 0
    !$omp target parallel num_threads(32) map(tofrom: s, t)
    !$omp single
    do i = 1, n
      !$omp task firstprivate(i) shared(s)
      !$omp atomic
      s = s + i
      !$omp end task
    end do
    !$omp taskwait
    t = s
    !$omp end single
    !$omp end target parallel
    call check("task", n, s == n * (n + 1) / 2 .and. t == s)
  end subroutine

  subroutine groups(n)
    integer, intent(in) :: n
    integer :: i, s, t
    s = 0
    t = 0
    !$omp target parallel num_threads(32) map(tofrom: s, t)
    !$omp masked
    !$omp taskgroup
    do i = 1, n
      !$omp task firstprivate(i) shared(s) if(mod(i, 2) == 0)
      !$omp atomic
      s = s + 1
      !$omp end task
    end do
    !$omp end taskgroup
    t = s
    !$omp end masked
    !$omp end target parallel
    call check("taskgroup", n, s == n .and. t == n)
  end subroutine

  subroutine critical_regions(n)
    integer, intent(in) :: n
    integer :: i, s, t
    s = 0
    t = 0
    !$omp target teams distribute parallel do map(tofrom: s, t)
    do i = 1, n
      !$omp critical
      s = s + i
      !$omp end critical
      !$omp critical (named)
      t = t + 1
      !$omp end critical (named)
    end do
    call check("critical", n, s == n * (n + 1) / 2 .and. t == n)
  end subroutine
end module

program p
  use work
  integer :: k
  integer, parameter :: sizes(4) = [0, 1, 33, 500]
  do k = 1, 4
    call tasks(sizes(k))
    call groups(sizes(k))
    call critical_regions(sizes(k))
  end do
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
end program
