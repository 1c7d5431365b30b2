// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// LU factorization by updates of the rest of the matrix: the outermost loop carries updates, and more than them.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n)) {
  int i, j, k;
#pragma scop
  for (k = 0; k < _PB_N; k++) {           // loop: sequential
    for (j = k + 1; j < _PB_N; j++)       // loop: parallel
      A[j][k] = A[j][k] / A[k][k];
    for (i = k + 1; i < _PB_N; i++)       // loop: parallel
      for (j = k + 1; j < _PB_N; j++)     // loop: parallel
        A[i][j] = A[i][j] - A[i][k] * A[k][j]; // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N];
  FILL(A);
  for (int i = 0; i < N; i++)
    A[i][i] += 2 * N;
  kernel(N, POLYBENCH_ARRAY(A));
  SHOW(A);
  return 0;
}
