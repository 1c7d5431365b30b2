// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A product of matrices over minimum and plus.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n), DATA_TYPE POLYBENCH_2D(B, N, N, n, n),
                   DATA_TYPE POLYBENCH_2D(C, N, N, n, n)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++)         // loop: parallel
    for (j = 0; j < _PB_N; j++) {     // loop: parallel
      C[i][j] = A[i][0] + B[0][j];
      for (k = 1; k < _PB_N; k++)     // loop: reduction
        if (A[i][k] + B[k][j] < C[i][j])
          C[i][j] = A[i][k] + B[k][j]; // reduction: min
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], B[N][N], C[N][N];
  FILL(A); FILL(B);
  kernel(N, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B), POLYBENCH_ARRAY(C));
  SHOW(C);
  return 0;
}
