// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Cholesky's factorization, row by row, in place.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++) {   // loop: sequential
    for (j = 0; j < i; j++) {     // loop: sequential
      for (k = 0; k < j; k++)     // loop: reduction
        A[i][j] -= A[i][k] * A[j][k]; // reduction: +
      A[i][j] /= A[j][j];
    }
    for (k = 0; k < i; k++)       // loop: reduction
      A[i][i] -= A[i][k] * A[i][k]; // reduction: +
    A[i][i] = sqrt(A[i][i]);
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
