// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums of columns with the rows outermost: the inner loop is parallel, the outer carries an array.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m), DATA_TYPE POLYBENCH_1D(sum, M, m)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)   // loop: reduction
    for (j = 0; j < _PB_M; j++) // loop: parallel
      sum[j] += A[i][j];        // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M], sum[M];
  FILL(A); FILL(sum);
  kernel(N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(sum));
  SHOW(sum);
  return 0;
}
