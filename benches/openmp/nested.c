// Sums of rows of 1024 elements in each team, and the sum of these over all teams. Parameters: n a s
double nested(const double *a, int n) {
  double s = 0;
#pragma omp target teams distribute reduction(+ : s) map(to : a[0 : n])
  for (int i = 0; i < n; i += 1024) {
    double row = 0;
#pragma omp parallel for reduction(+ : row)
    for (int j = i; j < (i + 1024 < n ? i + 1024 : n); j++) row += a[j];
    s += row;
  }
  return s;
}
