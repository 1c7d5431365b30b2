// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums of columns: plain loops, and with -DBY_HAND as one writes them for a GPU.
#include <stdio.h>
#include <stdlib.h>

static void column_sums(int n, int m, const double a[restrict n][m], double *restrict sum) {
#ifdef BY_HAND
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(tofrom : sum[0 : m])
  for (int j = 0; j < m; j++) {
    double own = sum[j];
    for (int i = 0; i < n; i++)
      own += a[i][j];
    sum[j] = own;
  }
#else
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum[j] += a[i][j];
#pragma endscop
#endif
}

int main(int count, char **arguments) {
  int scale = count > 1 ? atoi(arguments[1]) : 1;
  int n = 1200 * scale, m = 1000 * scale;
  double (*a)[m] = malloc(n * sizeof *a), *sum = calloc(m, sizeof *sum), check = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 31 + j * 7) % 64 / 8.0;
  column_sums(n, m, a, sum);
  for (int j = 0; j < m; j++)
    check += sum[j] * (j + 1);
  printf("%a\n", check);
  return 0;
}
