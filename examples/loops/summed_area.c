// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A summed-area table, as its definition says: each element is the sum of all pixels above and to the left of it. Of an
// element and the one above it the sums share all but a row, and of a row's elements the sums share all but a pixel.
#include <stdio.h>
#include <stdlib.h>

static void summed_area(int n, int m, const unsigned char pixel[restrict n][m], int sum[restrict n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      sum[i][j] = 0;
      for (int a = 0; a <= i; a++)
        for (int b = 0; b <= j; b++)
          sum[i][j] += pixel[a][b];
    }
#pragma endscop
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 120, m = argc > 2 ? atoi(argv[2]) : 90;
  unsigned char (*pixel)[m] = malloc(n * sizeof *pixel);
  int (*sum)[m] = malloc(n * sizeof *sum);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      pixel[i][j] = i * 31 + j * 7;
  summed_area(n, m, pixel, sum);
  for (int i = 0; i < n; i += 17)
    printf("%d %d %d\n", i, sum[i][0], sum[i][m - 1]);
  free(pixel), free(sum);
  return 0;
}
