! What flang offloads besides reductions of scalars: loops of all shapes, regions, atomics, data. Regions in
! generic mode have one thread, because flang leaves their variables in the main thread's local memory.
module things
  implicit none
  integer :: counted = 0, failures = 0
  type point
    real(8) :: x
    integer :: n(3)
  end type
contains
  subroutine check(what, got, expected)
    character(*), intent(in) :: what
    integer(8), intent(in) :: got, expected
    counted = counted + 1
    if (got /= expected) then
      failures = failures + 1
      print '(a, i0, a, i0)', what // ": ", got, ", not ", expected
    end if
  end subroutine

  pure integer function square(i)
    !$omp declare target
    integer, intent(in) :: i
    square = i * i
  end function

  subroutine loops(n)
    integer, intent(in) :: n
    integer :: hits(0:6000), cells(20, 21, 22), i, j, k, wrong
    hits = 0
    !$omp target teams distribute parallel do map(tofrom: hits)
    do i = 0, n - 1
      hits(i) = hits(i) + 1
    end do
    call check("distribute parallel do", int(sum(hits), 8), int(n, 8))
    !$omp target teams distribute parallel do num_teams(7) thread_limit(96) map(tofrom: hits)
    do i = n - 1, 0, -1
      hits(i) = hits(i) + 1
    end do
    call check("downwards", int(sum(hits), 8), 2_8 * n)
    !$omp target parallel do num_threads(64) map(tofrom: hits)
    do i = 0, n - 1, 3
      hits(i) = hits(i) + 1
    end do
    call check("steps", int(sum(hits), 8), 2_8 * n + (n + 2) / 3)
    !$omp target teams distribute map(tofrom: hits)
    do i = 0, n - 1
      hits(i) = square(i)
    end do
    wrong = 0
    do i = 0, 6000
      if (i < n .and. hits(i) /= i * i) wrong = wrong + 1
      if (i >= n .and. hits(i) /= 0) wrong = wrong + 1
    end do
    call check("distribute", int(wrong, 8), 0_8)
    cells = 0
    !$omp target teams distribute parallel do collapse(3) map(tofrom: cells)
    do i = 1, 22
      do j = 1, 21
        do k = 1, 20
          cells(k, j, i) = cells(k, j, i) + k + 100 * j + 10000 * i
        end do
      end do
    end do
    wrong = 0
    do i = 1, 22
      do j = 1, 21
        do k = 1, 20
          if (cells(k, j, i) /= k + 100 * j + 10000 * i) wrong = wrong + 1
        end do
      end do
    end do
    call check("collapse", int(wrong, 8), 0_8)
    !$omp target teams distribute parallel do simd map(tofrom: hits)
    do i = 0, n - 1
      hits(i) = -i
    end do
    call check("simd", int(sum(int(hits, 8)), 8), -int(n, 8) * (n - 1) / 2)
  end subroutine

  subroutine several()
    integer :: i, first
    integer(8) :: total
    real(8) :: x, y
    type(point) :: p
    total = 3
    x = 1.5d0
    y = -1d6
    first = 7
    !$omp target teams distribute parallel do reduction(+: total, x) reduction(max: y) &
    !$omp& map(tofrom: total, x, y)
    do i = 1, 1000
      total = total + i + first
      x = x + 0.5d0
      y = max(y, real(mod(i * 37, 101), 8))
    end do
    call check("several, integer", total, 3_8 + 500500 + 7000)
    call check("several, real", int(x * 2, 8), 1003_8)
    call check("several, max", int(y, 8), 100_8)
    p = point(1d0, [1, 2, 3])
    !$omp target map(tofrom: p)
    p%x = p%x + 1
    do i = 1, 3
      p%n(i) = p%n(i) * 10
    end do
    !$omp end target
    call check("derived type", int(p%x, 8) * 1000 + sum(p%n), 2060_8)
  end subroutine

  subroutine memory()
    real(8), allocatable :: a(:), b(:)
    integer :: i
    allocate(a(1000), b(1000))
    a = 1
    b = 0
    !$omp target data map(to: a) map(from: b)
    !$omp target teams distribute parallel do
    do i = 1, 1000
      b(i) = 2 * a(i) + i
    end do
    a = 5
    !$omp target update to(a)
    !$omp target teams distribute parallel do
    do i = 1, 1000
      b(i) = b(i) + a(i)
    end do
    !$omp end target data
    call check("target data", int(sum(b), 8), 7000_8 + 500500)
    !$omp target enter data map(to: a)
    !$omp target map(present, alloc: a)
    a(7) = 70
    !$omp end target
    call check("not yet", int(a(7), 8), 5_8)
    !$omp target exit data map(from: a)
    call check("back", int(a(7), 8), 70_8)
    deallocate(a, b)
  end subroutine

  subroutine atomics()
    integer :: i, n, most, bits, captured, seen(0:499)
    integer(8) :: wide
    real(8) :: x
    n = 1
    most = -5
    bits = 0
    wide = 0
    x = 0
    seen = 0
    !$omp target teams distribute parallel do num_teams(4) map(tofrom: n, most, bits, wide, x, seen) private(captured)
    do i = 1, 500
      !$omp atomic capture
      captured = n
      n = n + 1
      !$omp end atomic
      !$omp atomic update
      seen(captured - 1) = seen(captured - 1) + 1
      !$omp atomic
      most = max(most, mod(i * 37, 101))
      !$omp atomic
      bits = ior(bits, ishft(1, mod(i, 10)))
      !$omp atomic
      wide = wide + 1000000000_8
      !$omp atomic
      x = x + 0.5d0
    end do
    call check("atomic +", int(n, 8), 501_8)
    call check("each value once", int(count(seen == 1), 8), 500_8)
    call check("atomic max", int(most, 8), 100_8)
    call check("atomic ior", int(bits, 8), 1023_8)
    call check("atomic of 8 bytes", wide, 500000000000_8)
    call check("atomic real", int(x, 8), 250_8)
  end subroutine

  subroutine regions()
    integer :: s, t, c, i, first
    s = 0
    t = 0
    c = 0
    first = 0
    !$omp target parallel num_threads(64) map(tofrom: s, t, c, first)
    !$omp atomic
    s = s + 1
    !$omp barrier
    !$omp master
    t = t + s
    !$omp end master
    !$omp barrier
    !$omp critical (lock)
    c = c + 1
    !$omp end critical (lock)
    !$omp barrier
    !$omp single
    first = first + c
    !$omp end single
    !$omp do
    do i = 1, 100
      !$omp atomic
      s = s + i
    end do
    !$omp end do
    !$omp end target parallel
    ! Unoptimised such a region has one thread with flang 22, and with flang 23 all but those of the main warp.
    call check("threads", int(merge(1, 0, t == 64 .or. t == 32 .or. t == 1), 8), 1_8)
    call check("critical", int(c, 8), int(t, 8))
    call check("single", int(first, 8), int(t, 8))
    call check("do", int(s, 8), t + 5050_8)
    s = 0
    t = 5
    !$omp target teams num_teams(9) map(tofrom: s) reduction(+: t)
    !$omp atomic
    s = s + 1
    t = t + 2
    !$omp end target teams
    call check("teams", int(s, 8), 9_8)
    call check("reduction of teams", int(t, 8), 23_8)
    s = 0
    !$omp target map(tofrom: s)
    !$omp parallel do reduction(+: s)
    do i = 1, 100
      s = s + i
    end do
    !$omp end target
    call check("parallel do in target", int(s, 8), 5050_8)
  end subroutine
end module

program main
  use things
  implicit none
  call loops(0)
  call loops(1)
  call loops(6000)
  call several()
  call memory()
  call atomics()
  call regions()
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
  if (failures > 0) stop 1
end program
