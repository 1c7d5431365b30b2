// A loop of the whole grid: of the runtime only arithmetic on ids and the barriers around the region are left.
//= calls nothing
//= none .local
//= none barrier.sync
//= at most 2 bar.sync
//= at most 1 %tid.x;
//= fails with -openmp-opt-disable-folding
void scale(double *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] *= 2;
}
