!! whole
!! options -cpp
! Reductions of complex numbers and logical values by every operator of Fortran. Initial values are not
! identities.
#include "fortran_checks.inc"

module reductions
  use checks
  implicit none
contains
#define TYPE complex(4)
#define SAME(a, b) EQUAL(a, b)
#define NAME add_c4
#define START (1, 2)
#define OPERATOR +
#define COMBINE(a, b) PLUS(a, b)
#define VALUE(i) cmplx(mod(i, 7), -i, 4)
#include "fortran_type.inc"
#define NAME times_c4
#define START (1, 2)
#define OPERATOR *
#define COMBINE(a, b) TIMES(a, b)
#define VALUE(i) merge(cmplx(0, 1, 4), cmplx(1, 0, 4), mod(i, 50) == 7)
#include "fortran_type.inc"
#undef TYPE
#undef SAME
#define TYPE complex(8)
#define SAME(a, b) EQUAL(a, b)
#define NAME add_c8
#define START (1, 2)
#define OPERATOR +
#define COMBINE(a, b) PLUS(a, b)
#define VALUE(i) cmplx(mod(i, 7), -i, 8)
#include "fortran_type.inc"
#define NAME times_c8
#define START (1, 2)
#define OPERATOR *
#define COMBINE(a, b) TIMES(a, b)
#define VALUE(i) merge(cmplx(0, 1, 8), cmplx(1, 0, 8), mod(i, 50) == 7)
#include "fortran_type.inc"
#undef TYPE
#undef SAME
#define TYPE logical(4)
#define SAME(a, b) ((a) .eqv. (b))
#define NAME both_l4
#define START .true.
#define OPERATOR .and.
#define COMBINE(a, b) ((a) .and. (b))
#define VALUE(i) logical(mod(i, 300) /= 299, 4)
#include "fortran_type.inc"
#define NAME either_l4
#define START .false.
#define OPERATOR .or.
#define COMBINE(a, b) ((a) .or. (b))
#define VALUE(i) logical(mod(i, 300) == 299, 4)
#include "fortran_type.inc"
#define NAME same_l4
#define START .false.
#define OPERATOR .eqv.
#define COMBINE(a, b) ((a) .eqv. (b))
#define VALUE(i) logical(mod(i, 3) == 1, 4)
#include "fortran_type.inc"
#define NAME differ_l4
#define START .true.
#define OPERATOR .neqv.
#define COMBINE(a, b) ((a) .neqv. (b))
#define VALUE(i) logical(mod(i, 3) == 1, 4)
#include "fortran_type.inc"
#undef TYPE
#undef SAME
#define TYPE logical(1)
#define SAME(a, b) ((a) .eqv. (b))
#define NAME both_l1
#define START .true.
#define OPERATOR .and.
#define COMBINE(a, b) ((a) .and. (b))
#define VALUE(i) logical(mod(i, 300) /= 299, 1)
#include "fortran_type.inc"
#define NAME either_l1
#define START .false.
#define OPERATOR .or.
#define COMBINE(a, b) ((a) .or. (b))
#define VALUE(i) logical(mod(i, 300) == 299, 1)
#include "fortran_type.inc"
#define NAME same_l1
#define START .false.
#define OPERATOR .eqv.
#define COMBINE(a, b) ((a) .eqv. (b))
#define VALUE(i) logical(mod(i, 3) == 1, 1)
#include "fortran_type.inc"
#define NAME differ_l1
#define START .true.
#define OPERATOR .neqv.
#define COMBINE(a, b) ((a) .neqv. (b))
#define VALUE(i) logical(mod(i, 3) == 1, 1)
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
    call add_c4(sizes(k))
    call times_c4(sizes(k))
    call add_c8(sizes(k))
    call times_c8(sizes(k))
    call both_l4(sizes(k))
    call either_l4(sizes(k))
    call same_l4(sizes(k))
    call differ_l4(sizes(k))
    call both_l1(sizes(k))
    call either_l1(sizes(k))
    call same_l1(sizes(k))
    call differ_l1(sizes(k))
  end do
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
  if (failures > 0) stop 1
end program
