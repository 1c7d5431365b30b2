!! fault uninitialised
!! note An input array is mapped without its values; the twin maps them to the device.
program map_alloc_of_input
  implicit none
  integer :: i
  real :: x(100), y(100)
  do i = 1, 100
    x(i) = i
    y(i) = 1
  end do
  !$omp target teams distribute parallel do num_teams(2) thread_limit(64) map(alloc: x) map(tofrom: y) !faulty
  !fixed: !$omp target teams distribute parallel do num_teams(2) thread_limit(64) map(to: x) map(tofrom: y)
  do i = 1, 100
    y(i) = y(i) + 3 * x(i) !~
  end do
  print '(2(1x, f6.1))', y(1), y(100)
end program
