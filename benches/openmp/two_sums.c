// Two sums of different types. Parameters: n s a t c
void two_sums(const double *a, const float *c, int n, double *x, float *y) {
  double s = 0;
  float t = 0;
#pragma omp target teams distribute parallel for reduction(+ : s, t) map(to : a[0 : n], c[0 : n])
  for (int i = 0; i < n; i++) {
    s += a[i];
    t += c[i];
  }
  *x = s;
  *y = t;
}
