!! whole
!! options -cpp
! Reductions of real numbers by every operator of Fortran. Initial values are not identities.
#include "fortran_checks.inc"

module reductions
  use checks
  implicit none
contains
#define TYPE real(4)
#define SAME(a, b) EQUAL(a, b)
#define NAME add_r4
#define START 3
#define OPERATOR +
#define COMBINE(a, b) PLUS(a, b)
#define VALUE(i) real(mod(i, 7) - 3, 4)
#include "fortran_type.inc"
#define NAME times_r4
#define START 3
#define OPERATOR *
#define COMBINE(a, b) TIMES(a, b)
#define VALUE(i) real(merge(2, 1, mod(i, 100) == 7), 4)
#include "fortran_type.inc"
#define NAME low_r4
#define START 90
#define OPERATOR min
#define COMBINE(a, b) min(a, b)
#define VALUE(i) real(mod(i * 37, 101) - 40, 4)
#include "fortran_type.inc"
#define NAME high_r4
#define START -90
#define OPERATOR max
#define COMBINE(a, b) max(a, b)
#define VALUE(i) real(mod(i * 37, 101) - 40, 4)
#include "fortran_type.inc"
#undef TYPE
#undef SAME
#define TYPE real(8)
#define SAME(a, b) EQUAL(a, b)
#define NAME add_r8
#define START 3
#define OPERATOR +
#define COMBINE(a, b) PLUS(a, b)
#define VALUE(i) real(mod(i, 7) - 3, 8)
#include "fortran_type.inc"
#define NAME times_r8
#define START 3
#define OPERATOR *
#define COMBINE(a, b) TIMES(a, b)
#define VALUE(i) real(merge(2, 1, mod(i, 100) == 7), 8)
#include "fortran_type.inc"
#define NAME low_r8
#define START 90
#define OPERATOR min
#define COMBINE(a, b) min(a, b)
#define VALUE(i) real(mod(i * 37, 101) - 40, 8)
#include "fortran_type.inc"
#define NAME high_r8
#define START -90
#define OPERATOR max
#define COMBINE(a, b) max(a, b)
#define VALUE(i) real(mod(i * 37, 101) - 40, 8)
#include "fortran_type.inc"
#undef TYPE
#undef SAME
end module

program main
  use reductions
  implicit none
  integer :: k
  integer, parameter :: sizes(3) = [0, 1, 333]
  do k = 1, 3
    call add_r4(sizes(k))
    call times_r4(sizes(k))
    call low_r4(sizes(k))
    call high_r4(sizes(k))
    call add_r8(sizes(k))
    call times_r8(sizes(k))
    call low_r8(sizes(k))
    call high_r8(sizes(k))
  end do
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
  if (failures > 0) stop 1
end program
