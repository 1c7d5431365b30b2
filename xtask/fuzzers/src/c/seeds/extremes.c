double fabs(double);
int f(int n, float *a, double *best) {
  int at = -1;
  float most = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (!(a[i] <= most)) {
      most = a[i];
      at = i;
    }
    if (fabs(a[i]) > *best)
      *best = fabs(a[i]);
    if (a[i] == 0)
      continue;
    at = at < 3 ? at : at + 1;
  }
#pragma endscop
  return at;
}
