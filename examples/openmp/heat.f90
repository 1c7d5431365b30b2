! Heat in a rod by an explicit method: the data stay on the device between the steps.
! warpfold fc -O2 heat.f90 -o heat && warpfold run ./heat
program heat
  implicit none
  integer, parameter :: n = 200, steps = 60
  real(8), parameter :: r = 0.25d0
  real(8) :: u(0:n), v(0:n), expected(0:n), before(0:n), total, change
  integer :: i, step, wrong

  do i = 0, n
    u(i) = merge(100.0d0, 0.0d0, i > 50 .and. i < 120)
  end do
  v = u
  expected = u

  !$omp target data map(tofrom: u) map(to: v)
  do step = 1, steps
    !$omp target teams distribute parallel do
    do i = 1, n - 1
      v(i) = u(i) + r * (u(i - 1) - 2 * u(i) + u(i + 1))
    end do
    !$omp end target teams distribute parallel do
    change = 0
    !$omp target teams distribute parallel do reduction(max: change) map(tofrom: change)
    do i = 1, n - 1
      change = max(change, abs(v(i) - u(i)))
      u(i) = v(i)
    end do
    !$omp end target teams distribute parallel do
  end do
  !$omp end target data

  do step = 1, steps
    before = expected
    do i = 1, n - 1
      expected(i) = before(i) + r * (before(i - 1) - 2 * before(i) + before(i + 1))
    end do
  end do
  ! Multiplications and additions are fused on the device: within 1e-11.
  wrong = count(abs(u - expected) > 1d-11)
  total = sum(u)
  print '(A,F0.4,A,F0.4,A,F0.4)', 'heat ', total, ', at the edge ', u(50), ', last change ', change
  print '(I0,A)', wrong, ' values differ from the host''s'
  if (wrong /= 0) stop 1
end program
