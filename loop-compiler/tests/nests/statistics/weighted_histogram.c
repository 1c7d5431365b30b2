// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums of weights by class, and a count, over a plane of points.
#include "nest.h"

static void kernel(int n, int m, int POLYBENCH_2D(bin, N, M, n, m), DATA_TYPE POLYBENCH_2D(w, N, M, n, m),
                   DATA_TYPE POLYBENCH_1D(sum, L, L), int POLYBENCH_1D(count, L, L)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)         // loop: reduction
    for (j = 0; j < _PB_M; j++) {     // loop: reduction
      sum[bin[i][j]] += w[i][j];      // reduction: +
      count[bin[i][j]] += 1;          // reduction: +
    }
#pragma endscop
}

int main(void) {
  static int bin[N][M], count[L];
  static DATA_TYPE w[N][M], sum[L];
  FILL_INDEX(bin, L); FILL(w);
  kernel(N, M, bin, w, sum, count);
  SHOW(sum); SHOW_INT(count);
  return 0;
}
