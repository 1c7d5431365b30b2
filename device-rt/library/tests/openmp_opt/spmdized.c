// A store by the main thread, and a region: SPMD mode, with the store guarded and a barrier after it.
//= calls nothing
//= none .local
//= at most 7 bar.sync
//= none barrier.sync
//= fails with -openmp-opt-disable-spmdization
//= fails with -openmp-opt-disable-deglobalization
//= fails with -openmp-opt-disable-folding
void store(double *a, int n) { // OMP111
#pragma omp target map(tofrom : a[0 : n]) // OMP120
  {
    a[0] = 3;
#pragma omp parallel for // OMP101
    for (int i = 0; i < n; i++) a[i] += 1;
  }
}
