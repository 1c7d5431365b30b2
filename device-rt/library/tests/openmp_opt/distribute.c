// Regions inside a loop of teams: SPMD mode, and shared variables in statically allocated shared memory.
//= calls nothing
//= none .local
//= none barrier.sync
//= at most 6 bar.sync
//= fails with -openmp-opt-disable-spmdization
//= fails with -openmp-opt-disable-deglobalization
void rows(double *a, int n) { // OMP111
#pragma omp target teams distribute map(tofrom : a[0 : n * 64]) // OMP120
  for (int i = 0; i < n; i++) { // OMP111
    double t = a[i * 64]; // OMP111
#pragma omp parallel for // OMP101
    for (int j = 0; j < 64; j++) a[i * 64 + j] += t;
  }
}
