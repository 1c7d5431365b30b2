// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Means of columns and their covariances: each pair of columns is an iteration's own, so that nothing is reordered.
#include <stdio.h>
#include <stdlib.h>

static void covariance(int n, int m, const double x[restrict n][m], double mean[restrict m], double c[restrict m][m]) {
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
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 200, m = argc > 2 ? atoi(argv[2]) : 120;
  double (*x)[m] = malloc(n * sizeof *x), *mean = malloc(m * sizeof *mean), (*c)[m] = malloc(m * sizeof *c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i][j] = (i * 17 + j * j * 3) % 100 / 7.0;
  covariance(n, m, x, mean, c);
  for (int j = 0; j < m; j += 13)
    printf("%a %a\n", mean[j], c[j][m - 1 - j]);
  free(x), free(mean), free(c);
  return 0;
}
