// Regions of several kernels, one inside another: each is inlined into its kernel, instead of all of them into the
// runtime's function that starts regions.
//= calls nothing
//= none .local
//= none barrier.sync
//= none call.uni __kmpc
//= fails with -openmp-opt-disable-folding
#define LOOP(NAME, REGION)                                                                                     \
  void NAME(double *a, int n) {                                                                                \
    _Pragma(REGION) for (int i = 0; i < n; i++) a[i] = a[i] * i + 1;                                           \
  }
LOOP(one, "omp target parallel for map(tofrom : a[0 : n])")
LOOP(two, "omp target parallel for map(tofrom : a[0 : n]) schedule(dynamic)")
LOOP(three, "omp target parallel for map(tofrom : a[0 : n]) schedule(guided)")
LOOP(four, "omp target parallel for map(tofrom : a[0 : n]) schedule(runtime)")
long inner(int n) {
  long total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
  for (int i = 0; i < n; i++) {
    long own = i;
#pragma omp parallel for reduction(+ : own)
    for (int j = 0; j < 9; j++) own += j * i + 1;
    total += own;
  }
  return total;
}
