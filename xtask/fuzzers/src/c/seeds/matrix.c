void f(int n, int m, double c[restrict n][m], double a[n][m], double b[m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i][j] *= 0.5;
      for (int k = 0; k < n; ++k)
        c[i][j] += a[i][k] * b[k][j];
    }
#pragma endscop
}
