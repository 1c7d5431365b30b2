// No region at all: one thread works, and the others exit.
//= calls nothing
//= none .local
//= none barrier.sync
//= at most 1 bar.sync
//= fails with -openmp-opt-disable-spmdization
void serial(double *a, int n) {
#pragma omp target map(tofrom : a[0 : n]) // OMP120
  for (int i = 0; i < n; i++) a[i] += i;
}
