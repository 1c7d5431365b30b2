// A hundred regions of one team, one after the other. Parameters: n b a
void regions(const double *a, double *b, int n) {
#pragma omp target map(to : a[0 : n]) map(from : b[0 : n])
  for (int k = 0; k < 100; k++) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) b[i] = 2 * a[i];
  }
}
