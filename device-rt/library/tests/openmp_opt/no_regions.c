// Generic mode without regions: no worker loop.
//= calls nothing
//= none prototype
//= at most 1 barrier.sync
//= fails with -openmp-opt-disable-state-machine-rewrite
void counted(double *a) {
#pragma omp target map(tofrom : a[0 : 1]) // OMP130
  {
#pragma omp critical
    a[0] += 1;
  }
}
