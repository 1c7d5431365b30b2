// A sum over all threads. Parameters: n s a
double sum(const double *a, int n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
