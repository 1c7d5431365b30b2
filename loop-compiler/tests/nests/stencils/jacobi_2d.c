// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Five points of a plane, copied back.
#include "nest.h"

static void kernel(int tsteps, int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(B, N, M, n, m)) {
  int t, i, j;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++) {      // loop: sequential
    for (i = 1; i < _PB_N - 1; i++)       // loop: parallel
      for (j = 1; j < _PB_M - 1; j++)     // loop: parallel
        B[i][j] = SCALAR_VAL(0.2) * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (i = 1; i < _PB_N - 1; i++)       // loop: parallel
      for (j = 1; j < _PB_M - 1; j++)     // loop: parallel
        A[i][j] = B[i][j];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M], B[N][M];
  FILL(A); FILL(B);
  kernel(TSTEPS, N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  SHOW(A);
  return 0;
}
