// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// C += A B^T + B A^T on the lower triangle, a sum of two products per step.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(C, N, N, n, n), DATA_TYPE POLYBENCH_2D(A, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(B, N, M, n, m)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++)       // loop: parallel
    for (k = 0; k < _PB_M; k++)     // loop: reduction
      for (j = 0; j <= i; j++)      // loop: parallel
        C[i][j] += A[j][k] * B[i][k] + B[j][k] * A[i][k]; // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE C[N][N], A[N][M], B[N][M];
  FILL(A); FILL(B); FILL(C);
  kernel(N, M, POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  SHOW(C);
  return 0;
}
