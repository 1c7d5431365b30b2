// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// B = alpha A^T B with a unit lower triangle A, in place: the rows below are still the old ones.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE alpha, DATA_TYPE POLYBENCH_2D(A, N, N, n, n),
                   DATA_TYPE POLYBENCH_2D(B, N, M, n, m)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++)             // loop: sequential
    for (j = 0; j < _PB_M; j++) {         // loop: parallel
      for (k = i + 1; k < _PB_N; k++)     // loop: reduction
        B[i][j] += A[k][i] * B[k][j];     // reduction: +
      B[i][j] = alpha * B[i][j];
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], B[N][M];
  FILL(A); FILL(B);
  kernel(N, M, 1.5, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  SHOW(B);
  return 0;
}
