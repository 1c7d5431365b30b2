// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// y = A^T (A x) with the row's product in one variable: private copies and a reduction of an array in one loop.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m), DATA_TYPE POLYBENCH_1D(x, M, m),
                   DATA_TYPE POLYBENCH_1D(y, M, m)) {
  int i, j;
  DATA_TYPE t;
#pragma scop
  for (i = 0; i < _PB_N; i++) {   // loop: reduction+private
    t = 0;
    for (j = 0; j < _PB_M; j++)   // loop: reduction
      t += A[i][j] * x[j];        // reduction: +
    for (j = 0; j < _PB_M; j++)   // loop: parallel
      y[j] += A[i][j] * t;        // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M], x[M], y[M];
  FILL(A); FILL(x); FILL(y);
  kernel(N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(y));
  SHOW(y);
  return 0;
}
