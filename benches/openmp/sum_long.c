// As sum.c with a 64-bit loop variable. Parameters: n s a
double sum(const double *a, long n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n])
  for (long i = 0; i < n; i++) s += a[i];
  return s;
}
