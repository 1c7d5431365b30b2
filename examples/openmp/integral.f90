! Integrals by Simpson's rule: a module procedure that host and device call.
! warpfold fc -O2 integral.f90 -o integral && warpfold run ./integral
module functions
  implicit none
contains
  pure function bell(x) result(y)
    !$omp declare target
    real(8), intent(in) :: x
    real(8) :: y
    y = 1 / (1 + x * x)
  end function

  function simpson(a, b, n) result(s)
    real(8), intent(in) :: a, b
    integer, intent(in) :: n
    real(8) :: s, h
    integer :: i
    h = (b - a) / n
    s = bell(a) + bell(b)
    !$omp target teams distribute parallel do reduction(+: s) map(tofrom: s)
    do i = 1, n - 1
      s = s + merge(4.0d0, 2.0d0, mod(i, 2) == 1) * bell(a + i * h)
    end do
    !$omp end target teams distribute parallel do
    s = s * h / 3
  end function
end module

program integral
  use functions
  implicit none
  real(8) :: quarter, half
  logical :: good
  quarter = simpson(0.0d0, 1.0d0, 1000)
  half = simpson(-1.0d0, 1.0d0, 2000)
  ! The error of the rule is far below this.
  good = abs(4 * quarter - acos(-1.0d0)) < 1d-12 .and. abs(half - 2 * quarter) < 1d-12
  print '(A,F0.10)', 'four times the arc tangent of 1: ', 4 * quarter
  print '(A,L1)', 'as it should be: ', good
  if (.not. good) stop 1
end program
