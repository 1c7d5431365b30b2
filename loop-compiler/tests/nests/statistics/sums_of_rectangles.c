// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums of all rectangles from the corner by their definition: four loops.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(a, N, M, n, m), DATA_TYPE POLYBENCH_2D(s, N, M, n, m)) {
  int i, j, y, x;
#pragma scop
  for (i = 0; i < _PB_N; i++)         // loop: parallel
    for (j = 0; j < _PB_M; j++) {     // loop: parallel
      s[i][j] = 0;
      for (y = 0; y <= i; y++)        // loop: reduction
        for (x = 0; x <= j; x++)      // loop: reduction
          s[i][j] += a[y][x];         // reduction: +
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][M], s[N][M];
  FILL(a);
  kernel(N, M, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(s));
  SHOW(s);
  return 0;
}
