// An array that no other thread uses: registers or the stack instead of shared memory.
//= calls blend mixed
//= none __kmpc_alloc_shared
//= at most 2 bar.sync
//= fails with -openmp-opt-disable
#pragma omp begin declare target
__attribute__((noinline)) static double mixed(double *x, int i) {
  x[i & 3] += 1;
  return x[0] + x[3];
}
__attribute__((noinline)) static double blend(int i) {
  double x[4] = {1, 2, 3, 4}; // OMP110
  return mixed(x, i);
}
#pragma omp end declare target
void each(double *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += blend(i);
}
