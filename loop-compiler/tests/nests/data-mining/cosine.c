// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Cosines of all pairs of rows, three sums in one loop; variables declared outside, so both outer loops are private.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(x, N, M, n, m), DATA_TYPE POLYBENCH_2D(c, N, N, n, n)) {
  int i, j, k;
  DATA_TYPE ab, aa, bb;
#pragma scop
  for (i = 0; i < _PB_N; i++)           // loop: private
    for (j = 0; j < _PB_N; j++) {       // loop: private
      ab = 0;
      aa = 0;
      bb = 0;
      for (k = 0; k < _PB_M; k++) {     // loop: reduction
        ab += x[i][k] * x[j][k];        // reduction: +
        aa += x[i][k] * x[i][k];        // reduction: +
        bb += x[j][k] * x[j][k];        // reduction: +
      }
      c[i][j] = ab / sqrt(aa * bb);
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N][M], c[N][N];
  FILL(x);
  kernel(N, M, x, c);
  SHOW(c);
  return 0;
}
