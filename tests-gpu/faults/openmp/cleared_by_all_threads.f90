!! fault data-race
!! note An array that the region clears once, before its parallel part. In the faulty program no barrier is between writes and reads of it.
program cleared
  use omp_lib
  implicit none
  integer :: out, v, t, i, all(64)
  out = 0
  !$omp target map(tofrom: out) map(alloc: all)
  do i = 1, 64
    all(i) = 0
  end do
  !$omp parallel num_threads(64) private(t, v)
  t = omp_get_thread_num() + 1
  all(t) = t !~
  !fixed: !$omp barrier
  v = all(mod(t + 32, 64) + 1) !~
  !$omp atomic
  out = out + v
  !$omp end parallel
  !$omp end target
  print *, out
end program
