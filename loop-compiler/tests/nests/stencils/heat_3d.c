// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Heat in a cube, explicit steps between two arrays.
#include "nest.h"

static void kernel(int tsteps, int n, DATA_TYPE POLYBENCH_3D(A, N, N, N, n, n, n),
                   DATA_TYPE POLYBENCH_3D(B, N, N, N, n, n, n)) {
  int t, i, j, k;
#pragma scop
  for (t = 1; t <= TSTEPS; t++) {             // loop: sequential
    for (i = 1; i < _PB_N - 1; i++)           // loop: parallel
      for (j = 1; j < _PB_N - 1; j++)         // loop: parallel
        for (k = 1; k < _PB_N - 1; k++)       // loop: parallel
          B[i][j][k] = SCALAR_VAL(0.125) * (A[i + 1][j][k] - SCALAR_VAL(2.0) * A[i][j][k] + A[i - 1][j][k]) +
                       SCALAR_VAL(0.125) * (A[i][j + 1][k] - SCALAR_VAL(2.0) * A[i][j][k] + A[i][j - 1][k]) +
                       SCALAR_VAL(0.125) * (A[i][j][k + 1] - SCALAR_VAL(2.0) * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
    for (i = 1; i < _PB_N - 1; i++)           // loop: parallel
      for (j = 1; j < _PB_N - 1; j++)         // loop: parallel
        for (k = 1; k < _PB_N - 1; k++)       // loop: parallel
          A[i][j][k] = B[i][j][k];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N][N], B[N][N][N];
  FILL(A); FILL(B);
  kernel(TSTEPS, N, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  SHOW(A);
  return 0;
}
