void f(int n, double a[n], double b[n], double s, double t) {
#pragma scop
  for (int i = 0; i < n; i++) {
    s = s * t + a[i];
    b[i] = s;
    t = (t + a[i]) + 1.0;
  }
  for (int step = 1; step < 8; step++)
    for (int i = step; i < n - step; i++)
      a[i] = a[i - step] + a[n - i];
#pragma endscop
}
