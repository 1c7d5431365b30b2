! Constructs and clauses that the other Fortran programs do not have. What flang 22 lacks is in docs/openmp.md.
#include "fortran_checks.inc"
module work
  use omp_lib
  use checks
contains
  subroutine test_loop()
    integer :: i, s
    s = 0
    !$omp target teams loop reduction(+: s) map(tofrom: s)
    do i = 1, 1000
      s = s + i
    end do
    call check("loop", 0, s == 500500)
  end subroutine

  subroutine test_parallel_loop()
    integer :: i, s
    s = 0
    !$omp target parallel loop reduction(+: s) map(tofrom: s)
    do i = 1, 1000
      s = s + i
    end do
    call check("parallel_loop", 0, s == 500500)
  end subroutine

  subroutine test_sections()
    integer :: a, b, c
    a = 0; b = 0; c = 0
    !$omp target map(tofrom: a, b, c)
    !$omp parallel
    !$omp sections
    !$omp section
    a = 1
    !$omp section
    b = 2
    !$omp section
    c = 3
    !$omp end sections
    !$omp end parallel
    !$omp end target
    call check("sections", 0, a + b + c == 6)
  end subroutine

  subroutine test_masked()
    integer :: s
    s = 0
    !$omp target parallel num_threads(64) map(tofrom: s)
    !$omp masked
    s = s + 1
    !$omp end masked
    !$omp end target parallel
    call check("masked", 0, s == 1)
  end subroutine

  subroutine test_lastprivate()
    integer :: i, x
    x = 0
    !$omp target parallel do lastprivate(x) map(tofrom: x)
    do i = 1, 1000
      x = i
    end do
    call check("lastprivate", 0, x == 1000)
  end subroutine

  subroutine test_simd()
    integer :: i, s
    s = 0
    !$omp target simd reduction(+: s) map(tofrom: s)
    do i = 1, 1000
      s = s + i
    end do
    call check("simd", 0, s == 500500)
  end subroutine

  subroutine test_teams_reduction()
    integer :: s
    s = 0
    !$omp target teams num_teams(9) reduction(+: s) map(tofrom: s)
    s = s + 1
    !$omp end target teams
    call check("teams_reduction", 0, s == 9)
  end subroutine

  subroutine test_collapse_schedule()
    integer :: i, j, s
    s = 0
    !$omp target teams distribute parallel do collapse(2) schedule(static, 3) dist_schedule(static, 5) reduction(+: s) map(tofrom: s)
    do i = 1, 30
      do j = 1, 40
        s = s + i * j
      end do
    end do
    call check("collapse_schedule", 0, s == 465 * 820)
  end subroutine

  subroutine test_declare_reduction()
    integer :: i
    real(8) :: m
    !$omp declare reduction(biggest: real(8): omp_out = max(omp_out, omp_in)) initializer(omp_priv = -1d300)
    m = -5
    !$omp target teams distribute parallel do reduction(biggest: m) map(tofrom: m)
    do i = 1, 1000
      m = max(m, real(mod(i * 37, 1009), 8))
    end do
    call check("declare_reduction", 0, m == 1008)
  end subroutine

  subroutine test_derived()
    type point
      real(8) :: x
      integer :: n
    end type
    type(point) :: p(100)
    integer :: i
    !$omp target teams distribute parallel do map(from: p)
    do i = 1, 100
      p(i)%x = i * 0.5d0
      p(i)%n = i
    end do
    call check("derived", 0, sum(p%n) == 5050 .and. sum(p%x) == 2525d0)
  end subroutine

  subroutine test_allocatable()
    integer, allocatable :: a(:)
    integer :: i
    allocate(a(100))
    a = 0
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = 1, 100
      a(i) = i
    end do
    call check("allocatable", 0, sum(a) == 5050)
  end subroutine

  subroutine test_queries()
    integer :: t, n, h
    !$omp target teams num_teams(3) thread_limit(64) map(from: t, n, h)
    if (omp_get_team_num() == 0) then
      t = omp_get_num_teams()
      n = omp_get_num_threads()
      h = merge(1, 0, omp_is_initial_device())
    end if
    !$omp end target teams
    call check("queries", 0, t == 3 .and. n == 1 .and. h == 0)
  end subroutine
end module

program p
  use work
  call test_loop()
  call test_parallel_loop()
  call test_sections()
  call test_masked()
  call test_lastprivate()
  call test_simd()
  call test_teams_reduction()
  call test_collapse_schedule()
  call test_declare_reduction()
  call test_derived()
  call test_allocatable()
  call test_queries()
  print '(i0, a, i0, a)', counted, " checks, ", failures, " failures"
end program
