// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Modified Gram-Schmidt.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m), DATA_TYPE POLYBENCH_2D(R, M, M, m, m),
                   DATA_TYPE POLYBENCH_2D(Q, N, M, n, m)) {
  int i, j, k;
  DATA_TYPE norm;
#pragma scop
  for (k = 0; k < _PB_M; k++) {         // loop: sequential
    norm = SCALAR_VAL(0.0);
    for (i = 0; i < _PB_N; i++)         // loop: reduction
      norm += A[i][k] * A[i][k];        // reduction: +
    R[k][k] = sqrt(norm + 1);
    for (i = 0; i < _PB_N; i++)         // loop: parallel
      Q[i][k] = A[i][k] / R[k][k];
    for (j = k + 1; j < _PB_M; j++) {   // loop: parallel
      R[k][j] = SCALAR_VAL(0.0);
      for (i = 0; i < _PB_N; i++)       // loop: reduction
        R[k][j] += Q[i][k] * A[i][j];   // reduction: +
      for (i = 0; i < _PB_N; i++)       // loop: parallel
        A[i][j] = A[i][j] - Q[i][k] * R[k][j]; // reduction: +
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M], R[M][M], Q[N][M];
  FILL(A);
  kernel(N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(R), POLYBENCH_ARRAY(Q));
  SHOW(A); SHOW(R); SHOW(Q);
  return 0;
}
