// A dynamically scheduled loop of one team. Parameters: n s a
double dynamic(const double *a, int n) {
  double s = 0;
#pragma omp target parallel for schedule(dynamic, 8) reduction(+ : s) map(to : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
