double f(int n, const double a[n]) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma endscop
  return s;
}
