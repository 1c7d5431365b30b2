// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The greatest element of a matrix and its place; of equal ones the first.
#include <stdio.h>
#include <stdlib.h>

static void argmax(int n, int m, const double a[restrict n][m], double *restrict value, int *restrict place) {
  double most = -1;
  int row = -1, column = -1;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i][j] > most) {
        most = a[i][j];
        row = i;
        column = j;
      }
#pragma endscop
  *value = most;
  place[0] = row;
  place[1] = column;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 900, m = argc > 2 ? atoi(argv[2]) : 800;
  double (*a)[m] = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 37 + j * 101) % 1009;
  double most;
  int place[2];
  argmax(n, m, a, &most, place);
  printf("%g at %d, %d\n", most, place[0], place[1]);
  free(a);
  return 0;
}
