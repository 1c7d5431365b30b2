// The product of two arrays. Parameters: n s a d
double dot(const double *a, const double *d, int n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n], d[0 : n])
  for (int i = 0; i < n; i++) s += a[i] * d[i];
  return s;
}
