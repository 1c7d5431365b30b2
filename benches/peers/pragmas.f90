! Reductions as OpenMP's directives have them; called as the CUDA peers are (peer.h). OMP_NUM_TEAMS decides the grid.
program pragmas
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  character(32) :: reduction, word
  integer(int64) :: n, start, end, rate
  integer :: times, launch
  real(real64) :: fastest, seconds
  logical :: right
  if (command_argument_count() /= 4) stop 2
  call get_command_argument(1, reduction)
  call get_command_argument(2, word)
  read (word, *) n
  call get_command_argument(4, word)
  read (word, *) times
  call system_clock(count_rate=rate)
  fastest = 1e9_real64
  select case (reduction)
  case ('sum_i32')
    call sum_i32
  case ('sum_f32')
    call sum_f32
  case ('sum_f64')
    call sum_f64
  case ('min_f32')
    call min_f32
  case ('dot_f64')
    call dot_f64
  case default
    stop 9
  end select
  if (.not. right) error stop 'wrong result'
  print '(f0.9)', fastest
contains
  subroutine finish
    call system_clock(end)
    seconds = real(end - start, real64)/real(rate, real64)
    fastest = min(fastest, seconds)
  end subroutine

  subroutine sum_i32
    integer(int32), allocatable :: a(:)
    integer(int32) :: s
    integer(int64) :: i
    allocate (a(n))
    do i = 1, n
      a(i) = merge(1, 0, mod(i - 1, 64_int64) == 5)
    end do
    !$omp target enter data map(to: a)
    do launch = 1, times
      s = 0
      call system_clock(start)
      !$omp target teams distribute parallel do reduction(+: s)
      do i = 1, n
        s = s + a(i)
      end do
      call finish
    end do
    right = s == sum(a)
  end subroutine

  subroutine sum_f32
    real(real32), allocatable :: a(:)
    real(real32) :: s
    integer(int64) :: i
    allocate (a(n))
    do i = 1, n
      a(i) = merge(1, 0, mod(i - 1, 64_int64) == 5)
    end do
    !$omp target enter data map(to: a)
    do launch = 1, times
      s = 0
      call system_clock(start)
      !$omp target teams distribute parallel do reduction(+: s)
      do i = 1, n
        s = s + a(i)
      end do
      call finish
    end do
    right = s == sum(a)
  end subroutine

  subroutine sum_f64
    real(real64), allocatable :: a(:)
    real(real64) :: s
    integer(int64) :: i
    allocate (a(n))
    do i = 1, n
      a(i) = merge(1, 0, mod(i - 1, 64_int64) == 5)
    end do
    !$omp target enter data map(to: a)
    do launch = 1, times
      s = 0
      call system_clock(start)
      !$omp target teams distribute parallel do reduction(+: s)
      do i = 1, n
        s = s + a(i)
      end do
      call finish
    end do
    right = s == sum(a)
  end subroutine

  subroutine min_f32
    real(real32), allocatable :: a(:)
    real(real32) :: s
    integer(int64) :: i
    allocate (a(n))
    a = 1
    !$omp target enter data map(to: a)
    do launch = 1, times
      s = 3
      call system_clock(start)
      !$omp target teams distribute parallel do reduction(min: s)
      do i = 1, n
        s = min(s, a(i))
      end do
      call finish
    end do
    right = s == 1
  end subroutine

  subroutine dot_f64
    real(real64), allocatable :: a(:), b(:)
    real(real64) :: s
    integer(int64) :: i
    allocate (a(n), b(n))
    do i = 1, n
      a(i) = merge(1, 0, mod(i - 1, 64_int64) == 5)
      b(i) = merge(1, 0, mod(i - 1, 64_int64) == 5 .or. mod(i, 64_int64) == 7)
    end do
    !$omp target enter data map(to: a, b)
    do launch = 1, times
      s = 0
      call system_clock(start)
      !$omp target teams distribute parallel do reduction(+: s)
      do i = 1, n
        s = s + a(i)*b(i)
      end do
      call finish
    end do
    right = s == sum(a*b)
  end subroutine
end program
