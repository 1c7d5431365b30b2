// Two known regions in generic mode: the workers compare pointers, and call none.
//= calls malloc free heap_is_full vprintf
//= none prototype
//= some barrier.sync
//= at most 7 barrier.sync
//= fails with -openmp-opt-disable-state-machine-rewrite
void regions(double *a, int n) { // OMP111
#pragma omp target map(tofrom : a[0 : n]) // OMP131
  {
#pragma omp critical
    a[0] += 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += 5;
  }
}
