// A function of another unit may contain any region: the workers compare with the one known region, and call
// others through a pointer.
//= calls malloc free heap_is_full vprintf elsewhere
//= some prototype
//= some barrier.sync
//= fails with -openmp-opt-disable-state-machine-rewrite
#pragma omp begin declare target
extern void elsewhere(double *);
#pragma omp end declare target
void unknown(double *a, int n) { // OMP111
#pragma omp target map(tofrom : a[0 : n]) // OMP132
  {
    elsewhere(a); // OMP121 OMP133
#pragma omp parallel for // OMP101
    for (int i = 0; i < n; i++) a[i] *= 2;
  }
}
