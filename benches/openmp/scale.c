// No reduction. Parameters: n b a
void scale(const double *a, double *b, int n) {
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(from : b[0 : n])
  for (int i = 0; i < n; i++) b[i] = 2 * a[i];
}
