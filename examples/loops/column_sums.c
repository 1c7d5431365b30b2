// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The sum of each column of a matrix: the outer loop carries it, and each worker has copies of all sums.
#include <stdio.h>
#include <stdlib.h>

static void column_sums(int n, int m, const double a[restrict n][m], double *restrict sum) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum[j] += a[i][j];
#pragma endscop
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1500, m = argc > 2 ? atoi(argv[2]) : 700;
  double (*a)[m] = malloc(n * sizeof *a), *sum = calloc(m, sizeof *sum);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 31 + j * 7) % 64 / 8.0;
  column_sums(n, m, a, sum);
  for (int j = 0; j < m; j += 97)
    printf("%d %a\n", j, sum[j]);
  free(a), free(sum);
  return 0;
}
