!! options -cpp
! The distribution of iterations in Fortran: schedules, dist_schedule, loops downwards, sections.
#include "fortran_checks.inc"

module things
  use checks
  implicit none
  integer, parameter :: N = 1000
contains
  subroutine once(what, hits)
    character(*), intent(in) :: what
    integer, intent(in) :: hits(:)
    call check(what, count(hits /= 1), all(hits == 1))
  end subroutine

  subroutine loops()
    integer :: hits(N), i
    hits = 0
    !$omp target parallel do num_threads(64) schedule(static) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("static", hits)
    hits = 0
    !$omp target parallel do num_threads(64) schedule(static, 3) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("static, 3", hits)
    hits = 0
    !$omp target parallel do num_threads(64) schedule(dynamic) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("dynamic", hits)
    hits = 0
    !$omp target parallel do num_threads(64) schedule(dynamic, 7) map(tofrom: hits)
    do i = N, 1, -1
      hits(i) = hits(i) + 1
    end do
    call once("dynamic, 7, downwards", hits)
    hits = 0
    !$omp target parallel do num_threads(64) schedule(guided, 2) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("guided", hits)
    hits = 0
    !$omp target parallel do num_threads(64) schedule(auto) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("auto", hits)
    hits = 0
    !$omp target parallel do num_threads(64) schedule(runtime) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("runtime", hits)
    hits = 0
    !$omp target teams distribute parallel do num_teams(5) thread_limit(64) dist_schedule(static, 10) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("dist_schedule(static, 10)", hits)
    hits = 0
    !$omp target teams distribute parallel do num_teams(5) thread_limit(64) schedule(static, 2) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("distribute, static, 2", hits)
    hits = 0
    !$omp target teams distribute parallel do num_teams(5) thread_limit(64) schedule(dynamic) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("distribute, dynamic", hits)
    hits = 0
    !$omp target teams distribute num_teams(7) dist_schedule(static, 3) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("distribute alone", hits)
    hits = 0
    !$omp target teams loop map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("teams loop", hits)
    hits = 0
    !$omp target parallel do simd num_threads(64) map(tofrom: hits)
    do i = 1, N
      hits(i) = hits(i) + 1
    end do
    call once("parallel do simd", hits)
  end subroutine

  ! Loops of all lengths, where the runtime chooses the schedule: each team has a chunk, or none.
  subroutine lengths()
    integer, parameter :: trips(9) = [0, 1, 31, 33, 127, 128, 129, 1000, 4999]
    integer, parameter :: teams(5) = [1, 3, 40, 7, 5], threads(5) = [128, 128, 32, 64, 256]
    integer, parameter :: most = 5000
    integer :: hits(most), groups, i, k, last, limit, t
    integer(8) :: j
    do k = 1, size(trips)
      do t = 1, size(teams)
        last = trips(k)
        groups = teams(t)
        limit = threads(t)
        hits = 1
        hits(1:last) = 0
        !$omp target teams distribute parallel do num_teams(groups) thread_limit(limit) map(tofrom: hits)
        do i = 1, last
          hits(i) = hits(i) + 1
        end do
        call once("a chunk for each team", hits)
        hits(1:last) = 0
        !$omp target teams distribute parallel do num_teams(groups) thread_limit(limit) map(tofrom: hits)
        do j = last, 1, -1
          hits(j) = hits(j) + 1
        end do
        call once("a chunk for each team, 64 bits", hits)
        hits(1:last) = 0
        !$omp target parallel do num_threads(limit) map(tofrom: hits)
        do i = 1, last
          hits(i) = hits(i) + 1
        end do
        call once("threads side by side", hits)
      end do
    end do
  end subroutine

  subroutine parts()
    integer :: a, b, c, s
    a = 0
    b = 0
    c = 0
    s = 5
    !$omp target map(tofrom: a, b, c)
    !$omp parallel sections
    !$omp section
    a = a + 1
    !$omp section
    b = b + 2
    !$omp section
    c = c + 3
    !$omp end parallel sections
    !$omp end target
    call check("sections", a, 100 * a + 10 * b + c == 123)
    !$omp target parallel num_threads(32) map(tofrom: s)
    !$omp sections reduction(+: s)
    !$omp section
    s = s + 10
    !$omp section
    s = s + 100
    !$omp end sections
    !$omp end target parallel
    call check("sections with a reduction", s, s == 115)
  end subroutine
end module

program main
  use things
  implicit none
  call loops()
  call lengths()
  call parts()
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
  if (failures > 0) stop 1
end program
