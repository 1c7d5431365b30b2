// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// C = alpha A A^T + beta C on the lower triangle.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE POLYBENCH_2D(C, N, N, n, n),
                   DATA_TYPE POLYBENCH_2D(A, N, M, n, m)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++) {       // loop: parallel
    for (j = 0; j <= i; j++)          // loop: parallel
      C[i][j] *= beta;
    for (k = 0; k < _PB_M; k++)       // loop: reduction
      for (j = 0; j <= i; j++)        // loop: parallel
        C[i][j] += alpha * A[i][k] * A[j][k]; // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE C[N][N], A[N][M];
  FILL(A); FILL(C);
  kernel(N, M, 1.5, 1.25, POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(A));
  SHOW(C);
  return 0;
}
