// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The smallest and the largest value of each row, by `?:` and by a guard.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m), DATA_TYPE POLYBENCH_1D(low, N, n),
                   DATA_TYPE POLYBENCH_1D(high, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {   // loop: parallel
    low[i] = A[i][0];
    high[i] = A[i][0];
    for (j = 1; j < _PB_M; j++) { // loop: reduction
      low[i] = A[i][j] < low[i] ? A[i][j] : low[i]; // reduction: min
      if (high[i] < A[i][j])
        high[i] = A[i][j];        // reduction: max
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M], low[N], high[N];
  FILL(A);
  kernel(N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(low), POLYBENCH_ARRAY(high));
  SHOW(low); SHOW(high);
  return 0;
}
