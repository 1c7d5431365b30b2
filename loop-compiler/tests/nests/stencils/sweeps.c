// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// One sweep along each axis in place: the loop across the axis is parallel, the one along it is not.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)           // loop: parallel
    for (j = 1; j < _PB_M; j++)         // loop: sequential
      A[i][j] = 0.75 * A[i][j] - 0.25 * A[i][j - 1];
  for (i = _PB_N - 2; i >= 0; i--)      // loop: sequential
    for (j = 0; j < _PB_M; j++)         // loop: parallel
      A[i][j] = 0.75 * A[i][j] - 0.25 * A[i + 1][j];
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M];
  FILL(A);
  kernel(N, M, POLYBENCH_ARRAY(A));
  SHOW(A);
  return 0;
}
