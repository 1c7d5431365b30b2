!! whole
!! options -cpp
! Reductions of integers of 1 and 2 bytes by every operator of Fortran. Initial values are not identities.
#include "fortran_checks.inc"

module reductions
  use checks
  implicit none
contains
#define TYPE integer(1)
#define SAME(a, b) EQUAL(a, b)
#define NAME add_i1
#define START 3_1
#define OPERATOR +
#define COMBINE(a, b) PLUS(a, b)
#define VALUE(i) int(mod(i, 7) - 3, 1)
#include "fortran_type.inc"
#define NAME times_i1
#define START 3_1
#define OPERATOR *
#define COMBINE(a, b) TIMES(a, b)
#define VALUE(i) int(merge(2, 1, mod(i, 200) == 7), 1)
#include "fortran_type.inc"
#define NAME low_i1
#define START 90_1
#define OPERATOR min
#define COMBINE(a, b) min(a, b)
#define VALUE(i) int(mod(i * 37, 101) - 40, 1)
#include "fortran_type.inc"
#define NAME high_i1
#define START -90_1
#define OPERATOR max
#define COMBINE(a, b) max(a, b)
#define VALUE(i) int(mod(i * 37, 101) - 40, 1)
#include "fortran_type.inc"
#define NAME and_i1
#define START 127_1
#define OPERATOR iand
#define COMBINE(a, b) iand(a, b)
#define VALUE(i) int(not(ishft(1, mod(i, 3))), 1)
#include "fortran_type.inc"
#define NAME or_i1
#define START 64_1
#define OPERATOR ior
#define COMBINE(a, b) ior(a, b)
#define VALUE(i) int(ishft(1, mod(i, 5)), 1)
#include "fortran_type.inc"
#define NAME xor_i1
#define START 5_1
#define OPERATOR ieor
#define COMBINE(a, b) ieor(a, b)
#define VALUE(i) int(mod(i, 64), 1)
#include "fortran_type.inc"
#undef TYPE
#undef SAME
#define TYPE integer(2)
#define SAME(a, b) EQUAL(a, b)
#define NAME add_i2
#define START 3_2
#define OPERATOR +
#define COMBINE(a, b) PLUS(a, b)
#define VALUE(i) int(mod(i, 7) - 3, 2)
#include "fortran_type.inc"
#define NAME times_i2
#define START 3_2
#define OPERATOR *
#define COMBINE(a, b) TIMES(a, b)
#define VALUE(i) int(merge(2, 1, mod(i, 200) == 7), 2)
#include "fortran_type.inc"
#define NAME low_i2
#define START 90_2
#define OPERATOR min
#define COMBINE(a, b) min(a, b)
#define VALUE(i) int(mod(i * 37, 101) - 40, 2)
#include "fortran_type.inc"
#define NAME high_i2
#define START -90_2
#define OPERATOR max
#define COMBINE(a, b) max(a, b)
#define VALUE(i) int(mod(i * 37, 101) - 40, 2)
#include "fortran_type.inc"
#define NAME and_i2
#define START 127_2
#define OPERATOR iand
#define COMBINE(a, b) iand(a, b)
#define VALUE(i) int(not(ishft(1, mod(i, 3))), 2)
#include "fortran_type.inc"
#define NAME or_i2
#define START 64_2
#define OPERATOR ior
#define COMBINE(a, b) ior(a, b)
#define VALUE(i) int(ishft(1, mod(i, 5)), 2)
#include "fortran_type.inc"
#define NAME xor_i2
#define START 5_2
#define OPERATOR ieor
#define COMBINE(a, b) ieor(a, b)
#define VALUE(i) int(mod(i, 64), 2)
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
    call add_i1(sizes(k))
    call times_i1(sizes(k))
    call low_i1(sizes(k))
    call high_i1(sizes(k))
    call and_i1(sizes(k))
    call or_i1(sizes(k))
    call xor_i1(sizes(k))
    call add_i2(sizes(k))
    call times_i2(sizes(k))
    call low_i2(sizes(k))
    call high_i2(sizes(k))
    call and_i2(sizes(k))
    call or_i2(sizes(k))
    call xor_i2(sizes(k))
  end do
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
  if (failures > 0) stop 1
end program
