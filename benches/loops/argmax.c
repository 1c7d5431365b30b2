// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The greatest element of a matrix and its place, the first of equal ones: plain loops, and with -DBY_HAND as one writes
// them for a GPU, with a reduction of a structure.
#include <stdio.h>
#include <stdlib.h>

struct best {
  double value;
  int row, column;
};

#pragma omp declare reduction(first : struct best : omp_out =                                                          \
                                  omp_in.value > omp_out.value ||                                                      \
                                          omp_in.value == omp_out.value &&                                             \
                                              (omp_in.row < omp_out.row ||                                             \
                                               omp_in.row == omp_out.row && omp_in.column < omp_out.column)            \
                                      ? omp_in                                                                         \
                                      : omp_out) initializer(omp_priv = omp_orig)

static struct best argmax(int n, int m, const double a[restrict n][m]) {
#ifdef BY_HAND
  struct best best = {-1, -1, -1};
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : n]) map(tofrom : best) reduction(first : best)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i][j] > best.value)
        best = (struct best){a[i][j], i, j};
  return best;
#else
  double value = -1;
  int row = -1, column = -1;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i][j] > value) {
        value = a[i][j];
        row = i;
        column = j;
      }
#pragma endscop
  return (struct best){value, row, column};
#endif
}

int main(int count, char **arguments) {
  int scale = count > 1 ? atoi(arguments[1]) : 1;
  int n = 600 * scale, m = 500 * scale;
  double (*a)[m] = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 37 + j * 101) % 1009;
  struct best best = argmax(n, m, a);
  printf("%g at %d %d\n", best.value, best.row, best.column);
  return 0;
}
