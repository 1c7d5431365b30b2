!! options -cpp
! Reductions of every operator and type of Fortran. Initial values are no neutral elements.
#define EQUAL(a, b) ((a) == (b))
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
module checks
  implicit none
  integer :: counted = 0, failures = 0
contains
  subroutine check(what, n, right)
    character(*), intent(in) :: what
    integer, intent(in) :: n
    logical, intent(in) :: right
    counted = counted + 1
    if (.not. right) then
      failures = failures + 1
      print '(a, i0, a, i0)', what // ", ", n, ": wrong, check ", counted
    end if
  end subroutine
end module

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
#define NAME xor_i8
#define START 5_8
#define OPERATOR ieor
#define COMBINE(a, b) ieor(a, b)
#define VALUE(i) int(mod(i, 64), 8)
#include "fortran_type.inc"
#undef TYPE
#undef SAME
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
    call xor_i8(sizes(k))
    call add_r4(sizes(k))
    call times_r4(sizes(k))
    call low_r4(sizes(k))
    call high_r4(sizes(k))
    call add_r8(sizes(k))
    call times_r8(sizes(k))
    call low_r8(sizes(k))
    call high_r8(sizes(k))
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
