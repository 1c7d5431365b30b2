// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Nine points in place.
#include "nest.h"

static void kernel(int tsteps, int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n)) {
  int t, i, j;
#pragma scop
  for (t = 0; t <= _PB_TSTEPS - 1; t++)     // loop: sequential
    for (i = 1; i <= _PB_N - 2; i++)        // loop: sequential
      for (j = 1; j <= _PB_N - 2; j++)      // loop: sequential
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / SCALAR_VAL(9.0);
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N];
  FILL(A);
  kernel(TSTEPS, N, POLYBENCH_ARRAY(A));
  SHOW(A);
  return 0;
}
