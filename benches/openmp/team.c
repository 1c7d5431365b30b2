// A sum over one team. Parameters: n s a
double team(const double *a, int n) {
  double s = 0;
#pragma omp target parallel for reduction(+ : s) map(to : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
