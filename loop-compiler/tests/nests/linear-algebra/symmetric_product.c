// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// C = alpha A B + beta C with the lower half of a symmetric A: the innermost loop writes other rows of C.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE POLYBENCH_2D(C, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(A, N, N, n, n), DATA_TYPE POLYBENCH_2D(B, N, M, n, m)) {
  int i, j, k;
  DATA_TYPE below;
#pragma scop
  for (i = 0; i < _PB_N; i++)       // loop: sequential
    for (j = 0; j < _PB_M; j++) {   // loop: private
      below = 0;
      for (k = 0; k < i; k++) {     // loop: reduction
        C[k][j] += alpha * B[i][j] * A[i][k]; // reduction: +
        below += B[k][j] * A[i][k]; // reduction: +
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * below;
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE C[N][M], A[N][N], B[N][M];
  FILL(A); FILL(B); FILL(C);
  kernel(N, M, 1.5, 1.25, POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  SHOW(C);
  return 0;
}
