// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A step with the largest change of any point, kept for each step.
#include "nest.h"

static void kernel(int tsteps, int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m),
                   DATA_TYPE POLYBENCH_2D(B, N, M, n, m), DATA_TYPE POLYBENCH_1D(change, TSTEPS, tsteps)) {
  int t, i, j;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++) {      // loop: sequential
    change[t] = 0;
    for (i = 1; i < _PB_N - 1; i++)       // loop: reduction
      for (j = 1; j < _PB_M - 1; j++) {   // loop: reduction
        B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
        change[t] = fmax(change[t], fabs(B[i][j] - A[i][j])); // reduction: fmax
      }
    for (i = 1; i < _PB_N - 1; i++)       // loop: parallel
      for (j = 1; j < _PB_M - 1; j++)     // loop: parallel
        A[i][j] = B[i][j];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M], B[N][M], change[TSTEPS];
  FILL(A);
  kernel(TSTEPS, N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B), POLYBENCH_ARRAY(change));
  SHOW(A); SHOW(change);
  return 0;
}
