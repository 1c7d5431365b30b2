// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Where the elements of each row of a sparse matrix begin, from their numbers; and a smoothed signal: scans.
#include <stdio.h>
#include <stdlib.h>

static int offsets(int n, const int *restrict count, int *restrict begin) {
  int sum = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    begin[i] = sum;
    sum += count[i];
  }
#pragma endscop
  return sum;
}

static void smooth(int n, const double *restrict x, double *restrict y) {
  double s = x[0];
#pragma scop
  for (int i = 0; i < n; i++) {
    s = 0.25 * x[i] + 0.75 * s;
    y[i] = s;
  }
#pragma endscop
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 700000;
  int *count = malloc(n * sizeof *count), *begin = malloc(n * sizeof *begin);
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++) {
    count[i] = i * 37 % 101 % 9;
    x[i] = i * 53 % 211 - 100;
  }
  int all = offsets(n, count, begin);
  smooth(n, x, y);
  printf("%d elements; row %d begins at %d\n", all, n / 2, begin[n / 2]);
  for (int i = 0; i < 4; i++)
    printf("%.6f\n", y[(n - 1) * i / 3]);
  free(count), free(begin), free(x), free(y);
  return 0;
}
