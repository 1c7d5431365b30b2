// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two matrix-vector products, one with the matrix transposed.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x1, N, n), DATA_TYPE POLYBENCH_1D(x2, N, n),
                   DATA_TYPE POLYBENCH_1D(y1, N, n), DATA_TYPE POLYBENCH_1D(y2, N, n),
                   DATA_TYPE POLYBENCH_2D(A, N, N, n, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)   // loop: parallel
    for (j = 0; j < _PB_N; j++) // loop: reduction
      x1[i] = x1[i] + A[i][j] * y1[j]; // reduction: +
  for (i = 0; i < _PB_N; i++)   // loop: parallel
    for (j = 0; j < _PB_N; j++) // loop: reduction
      x2[i] = x2[i] + A[j][i] * y2[j]; // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], x1[N], x2[N], y1[N], y2[N];
  FILL(A); FILL(x1); FILL(x2); FILL(y1); FILL(y2);
  kernel(N, POLYBENCH_ARRAY(x1), POLYBENCH_ARRAY(x2), POLYBENCH_ARRAY(y1), POLYBENCH_ARRAY(y2), POLYBENCH_ARRAY(A));
  SHOW(x1); SHOW(x2);
  return 0;
}
