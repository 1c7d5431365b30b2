! Linear algebra, bits, conversions. Loops instead of array expressions: at -O0 those call flang's host runtime.

subroutine item(input, output) bind(c)
  use iso_c_binding
  implicit none
  integer(c_int32_t), intent(in) :: input(0:63)
  integer(c_int32_t), intent(out) :: output(0:15)
  real(c_double) :: a(4, 4), b(4, 4), c(4, 4), d
  real(c_float) :: s
  integer(c_int64_t), parameter :: low = int(z'7fffffff', c_int64_t)
  integer(c_int64_t) :: wide
  integer(c_int16_t) :: small
  integer :: i, j, k, n
  logical :: mask

  do i = 0, 15
    output(i) = 0
  end do
  do j = 1, 4
    do i = 1, 4
      a(i, j) = input(4 * (i - 1) + j - 1) / 2.0d0**20
      b(i, j) = input(16 + 4 * (j - 1) + i - 1) / 2.0d0**24
    end do
  end do
  do j = 1, 4
    do i = 1, 4
      c(i, j) = 0
      do k = 1, 4
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
  do i = 1, 4
    d = c(i, 2) * 2 - a(3, i)
    output(i - 1) = leading(d)
  end do
  d = sqrt(abs(c(1, 1))) + a(2, 2) - 3.5d0 * aint(a(2, 2) / 3.5d0) + sign(b(1, 1), -1d0) + dim(a(1, 2), b(2, 1))
  output(8) = leading(d)
  s = 0
  do i = 0, 62, 2
    s = s + real(input(i), c_float) * 0.5 - real(input(i + 1), c_float) * 0.25
  end do
  output(10) = leading(real(s, c_double))
  wide = 0
  do i = 0, 31
    wide = ieor(ishftc(wide, 5), int(input(i), c_int64_t) * input(63 - i))
  end do
  output(11) = int(iand(wide, low), c_int32_t)
  output(12) = int(ishft(wide, -33), c_int32_t)
  small = 0
  n = 0
  do i = 0, 15
    mask = btest(input(i), 3) .neqv. input(i) > input(i + 16)
    if (mask) n = n + 1
    small = small + int(iand(input(i), 255), c_int16_t)
  end do
  output(13) = merge(int(small), -1, n > 8) + n
  output(14) = popcnt(input(5)) + leadz(input(6)) * 64 + trailz(input(7)) * 4096
  output(15) = int(s / 2.0**26 + 0.5) + floor(b(1, 2)) + ceiling(b(3, 3)) + int(a(1, 1))
contains

  ! The first 30 bits of a number.
  pure function leading(x) result(bits)
    real(c_double), intent(in) :: x
    integer(c_int32_t) :: bits
    real(c_double) :: y
    y = x
    do while (abs(y) >= 2d0**30)
      y = y / 2
    end do
    do while (abs(y) < 2d0**29 .and. y /= 0)
      y = y * 2
    end do
    bits = int(y, c_int32_t)
  end function
end subroutine
