// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The trace, and the sum beside the diagonal: a guard that is affine.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n), DATA_TYPE POLYBENCH_1D(out, 2, 2)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)     // loop: reduction
    for (j = 0; j < _PB_N; j++)   // loop: reduction
      if (i == j)
        out[0] += A[i][j];        // reduction: +
      else
        out[1] += A[i][j];        // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], out[2];
  FILL(A); FILL(out);
  kernel(N, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
