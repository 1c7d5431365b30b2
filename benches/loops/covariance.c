// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Means of columns and their covariances: plain loops, and with -DBY_HAND as one writes them for a GPU, with a thread for
// each column and each pair of columns.
#include <stdio.h>
#include <stdlib.h>

static void covariance(int n, int m, const double x[restrict n][m], double mean[restrict m], double c[restrict m][m]) {
#ifdef BY_HAND
#pragma omp target data map(to : x[0 : n]) map(from : mean[0 : m], c[0 : m])
  {
#pragma omp target teams distribute parallel for
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        sum += x[i][j];
      mean[j] = sum / n;
    }
#pragma omp target teams distribute parallel for collapse(2)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m; k++)
        if (k >= j) {
          double sum = 0;
          for (int i = 0; i < n; i++)
            sum += (x[i][j] - mean[j]) * (x[i][k] - mean[k]);
          c[j][k] = sum / (n - 1);
          c[k][j] = c[j][k];
        }
  }
#else
#pragma scop
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += x[i][j];
    mean[j] /= n;
  }
  for (int j = 0; j < m; j++)
    for (int k = j; k < m; k++) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        sum += (x[i][j] - mean[j]) * (x[i][k] - mean[k]);
      c[j][k] = sum / (n - 1);
      c[k][j] = c[j][k];
    }
#pragma endscop
#endif
}

int main(int count, char **arguments) {
  int scale = count > 1 ? atoi(arguments[1]) : 1;
  int n = 200 * scale, m = 120 * scale;
  double (*x)[m] = malloc(n * sizeof *x), *mean = malloc(m * sizeof *mean), (*c)[m] = malloc(m * sizeof *c), sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i][j] = (i * 17 + j * j * 3) % 100 / 8.0;
  covariance(n, m, x, mean, c);
  for (int j = 0; j < m; j++)
    for (int k = 0; k < m; k++)
      sum += c[j][k] * (j + 2 * k);
  printf("%.6g\n", sum);
  return 0;
}
