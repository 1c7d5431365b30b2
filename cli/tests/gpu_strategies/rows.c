void sums(int n, int m, const signed char a[restrict n][m], int *restrict o) {
#pragma scop
  for (int i = 0; i < n; i++) {
    o[i] = 0;
    #pragma warpfold strategy(vector_accumulator, 32)
    for (int j = 0; j < m; j++)
      o[i] += a[i][j];
  }
#pragma endscop
}
void products(int n, int m, const double a[restrict n][m], const double *restrict b, double *restrict o) {
#pragma scop
  for (int i = 0; i < n; i++)
    #pragma warpfold strategy(vector_accumulator, 64)
    for (int j = 0; j < m; j++)
      o[i] += a[i][j] * b[j];
#pragma endscop
}
void steps(int n, int m, const int *restrict a, int *restrict o) {
#pragma scop
  for (int i = 0; i < n; i++)
    #pragma warpfold strategy(inner_reduction)
    for (int j = 0; j < m; j++)
      o[i] = a[i * m + j] > o[i] ? a[i * m + j] : o[i];
#pragma endscop
}
