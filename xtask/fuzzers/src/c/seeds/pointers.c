void f(int n, double **rows, double *p, double (*q)[8]) {
  double local[8];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++) {
      *(p + i) += rows[i][j] + 2[p];
      (*q)[j] = local[j];
      *(&p[i] + j) = q[i][j];
    }
#pragma endscop
}
