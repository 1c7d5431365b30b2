! Derived types, recursion, select case, do while, sorting by index, a table with the save attribute.

module kinds
  use iso_c_binding
  implicit none

  type particle
    real(c_float) :: position(3), speed(3)
    integer(c_int32_t) :: charge
  end type

  integer(c_int32_t), parameter :: weights(0:7) = [3, 1, 4, 1, 5, 9, 2, 6]

contains

  recursive function fibonacci(n) result(f)
    integer(c_int32_t), value :: n
    integer(c_int32_t) :: f
    if (n < 2) then
      f = n
    else
      f = fibonacci(n - 1) + fibonacci(n - 2)
    end if
  end function

  subroutine move(p, dt)
    type(particle), intent(inout) :: p
    real(c_float), intent(in) :: dt
    integer :: i
    do i = 1, 3
      p%speed(i) = p%speed(i) - dt * p%position(i) * p%charge
      p%position(i) = p%position(i) + dt * p%speed(i)
    end do
  end subroutine

  pure function classify(x) result(k)
    integer(c_int32_t), intent(in) :: x
    integer(c_int32_t) :: k
    select case (iand(x, 15))
    case (0)
      k = 1
    case (1:3, 9)
      k = 20
    case (4, 6, 8)
      k = 300
    case (10:)
      k = 4000
    case default
      k = 50000
    end select
  end function

  subroutine sort(values, order, n)
    integer, intent(in) :: n
    integer(c_int32_t), intent(in) :: values(n)
    integer, intent(out) :: order(n)
    integer :: i, j, keep
    do i = 1, n
      order(i) = i
    end do
    do i = 2, n
      keep = order(i)
      j = i - 1
      do while (j >= 1)
        if (values(order(j)) <= values(keep)) exit
        order(j + 1) = order(j)
        j = j - 1
      end do
      order(j + 1) = keep
    end do
  end subroutine

end module

subroutine item(input, output) bind(c)
  use kinds
  implicit none
  integer(c_int32_t), intent(in) :: input(0:63)
  integer(c_int32_t), intent(out) :: output(0:15)
  type(particle) :: p(4)
  integer :: order(20), i, k, steps
  integer(c_int32_t) :: n

  do i = 0, 15
    output(i) = 0
  end do
  do i = 1, 4
    do k = 1, 3
      p(i)%position(k) = input(4 * i + k - 1) / 2.0**30
      p(i)%speed(k) = 0.5 / k
    end do
    p(i)%charge = iand(input(4 * i + 3), 3) - 1
  end do
  do k = 1, 5
    do i = 1, 4
      call move(p(i), 0.125)
    end do
  end do
  do i = 1, 3
    output(i - 1) = int((p(1)%position(i) + p(4)%speed(i)) * 2.0**24)
  end do
  output(3) = fibonacci(iand(input(20), 7))
  do i = 0, 31
    output(4) = output(4) + classify(input(i)) * weights(iand(i, 7))
  end do
  call sort(input(0:19), order, 20)
  do i = 1, 20
    output(5) = output(5) * 3 + order(i)
  end do
  n = iand(input(21), 65535) + 1
  steps = 0
  do while (n /= 1 .and. steps < 100)
    n = merge(n / 2, 3 * n + 1, mod(n, 2) == 0)
    steps = steps + 1
  end do
  output(6) = steps
  do i = 3, 20, 4
    output(7) = output(7) + max(order(i), order(i - 2)) * i
  end do
end subroutine
