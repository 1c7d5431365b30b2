!! whole
!! options -cpp
! Reductions of integers of 4 and 8 bytes by every operator of Fortran; for one more see fortran_ieor.f90.
! Initial values are not identities.
#include "fortran_checks.inc"

module reductions
  use checks
  implicit none
contains
#define TYPE integer(4)
#define SAME(a, b) EQUAL(a, b)
#define NAME add_i4
#define START 3_4
#define OPERATOR +
#define COMBINE(a, b) PLUS(a, b)
#define VALUE(i) int(mod(i, 7) - 3, 4)
#include "fortran_type.inc"
#define NAME times_i4
#define START 3_4
#define OPERATOR *
#define COMBINE(a, b) TIMES(a, b)
#define VALUE(i) int(merge(2, 1, mod(i, 200) == 7), 4)
#include "fortran_type.inc"
#define NAME low_i4
#define START 90_4
#define OPERATOR min
#define COMBINE(a, b) min(a, b)
#define VALUE(i) int(mod(i * 37, 101) - 40, 4)
#include "fortran_type.inc"
#define NAME high_i4
#define START -90_4
#define OPERATOR max
#define COMBINE(a, b) max(a, b)
#define VALUE(i) int(mod(i * 37, 101) - 40, 4)
#include "fortran_type.inc"
#define NAME and_i4
#define START 127_4
#define OPERATOR iand
#define COMBINE(a, b) iand(a, b)
#define VALUE(i) int(not(ishft(1, mod(i, 3))), 4)
#include "fortran_type.inc"
#define NAME or_i4
#define START 64_4
#define OPERATOR ior
#define COMBINE(a, b) ior(a, b)
#define VALUE(i) int(ishft(1, mod(i, 5)), 4)
#include "fortran_type.inc"
#define NAME xor_i4
#define START 5_4
#define OPERATOR ieor
#define COMBINE(a, b) ieor(a, b)
#define VALUE(i) int(mod(i, 64), 4)
#include "fortran_type.inc"
#undef TYPE
#undef SAME
#define TYPE integer(8)
#define SAME(a, b) EQUAL(a, b)
#define NAME add_i8
#define START 3_8
#define OPERATOR +
#define COMBINE(a, b) PLUS(a, b)
#define VALUE(i) int(mod(i, 7) - 3, 8)
#include "fortran_type.inc"
#define NAME times_i8
#define START 3_8
#define OPERATOR *
#define COMBINE(a, b) TIMES(a, b)
#define VALUE(i) int(merge(2, 1, mod(i, 200) == 7), 8)
#include "fortran_type.inc"
#define NAME low_i8
#define START 90_8
#define OPERATOR min
#define COMBINE(a, b) min(a, b)
#define VALUE(i) int(mod(i * 37, 101) - 40, 8)
#include "fortran_type.inc"
#define NAME high_i8
#define START -90_8
#define OPERATOR max
#define COMBINE(a, b) max(a, b)
#define VALUE(i) int(mod(i * 37, 101) - 40, 8)
#include "fortran_type.inc"
#define NAME and_i8
#define START 127_8
#define OPERATOR iand
#define COMBINE(a, b) iand(a, b)
#define VALUE(i) int(not(ishft(1, mod(i, 3))), 8)
#include "fortran_type.inc"
#define NAME or_i8
#define START 64_8
#define OPERATOR ior
#define COMBINE(a, b) ior(a, b)
#define VALUE(i) int(ishft(1, mod(i, 5)), 8)
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
    call add_i4(sizes(k))
    call times_i4(sizes(k))
    call low_i4(sizes(k))
    call high_i4(sizes(k))
    call and_i4(sizes(k))
    call or_i4(sizes(k))
    call xor_i4(sizes(k))
    call add_i8(sizes(k))
    call times_i8(sizes(k))
    call low_i8(sizes(k))
    call high_i8(sizes(k))
    call and_i8(sizes(k))
    call or_i8(sizes(k))
  end do
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
  if (failures > 0) stop 1
end program
