// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The closest of all pairs: a minimum with two indices over a triangle.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(d, N, N, n, n), DATA_TYPE *smallest, int POLYBENCH_1D(pair, 2, 2)) {
  int i, j;
  int a = 0, b = 1;
  DATA_TYPE low = d[0][1];
#pragma scop
  for (i = 0; i < _PB_N; i++)           // loop: reduction
    for (j = i + 1; j < _PB_N; j++)     // loop: reduction
      if (d[i][j] < low) {
        low = d[i][j];                  // reduction: argmin
        a = i;                          // reduction: argmin
        b = j;                          // reduction: argmin
      }
#pragma endscop
  *smallest = low, pair[0] = a, pair[1] = b;
}

int main(void) {
  static DATA_TYPE d[N][N], smallest;
  static int pair[2];
  FILL(d);
  kernel(N, d, &smallest, pair);
  SHOW(smallest); SHOW_INT(pair);
  return 0;
}
