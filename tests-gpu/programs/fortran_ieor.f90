!! options -cpp
! The exclusive or of integers of 8 bytes. Initial values are not identities.
#include "fortran_checks.inc"

module reductions
  use checks
  implicit none
contains
#define TYPE integer(8)
#define SAME(a, b) EQUAL(a, b)
#define NAME xor_i8
#define START 5_8
#define OPERATOR ieor
#define COMBINE(a, b) ieor(a, b)
#define VALUE(i) int(mod(i, 64), 8)
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
    call xor_i8(sizes(k))
  end do
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
  if (failures > 0) stop 1
end program
