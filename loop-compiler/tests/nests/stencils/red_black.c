// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Gauss-Seidel in two colours: within a colour nothing depends on anything.
#include "nest.h"

static void kernel(int tsteps, int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m)) {
  int t, i, j;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++) {                      // loop: sequential
    for (i = 1; i < _PB_N - 1; i++)                       // loop: parallel
      for (j = 1 + i % 2; j < _PB_M - 1; j += 2)          // loop: parallel
        A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
    for (i = 1; i < _PB_N - 1; i++)                       // loop: parallel
      for (j = 2 - i % 2; j < _PB_M - 1; j += 2)          // loop: parallel
        A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M];
  FILL(A);
  kernel(TSTEPS, N, M, POLYBENCH_ARRAY(A));
  SHOW(A);
  return 0;
}
