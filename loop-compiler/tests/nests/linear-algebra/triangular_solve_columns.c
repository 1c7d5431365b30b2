// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Forward substitution, column by column: the solved entry is subtracted from all the rest.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n), DATA_TYPE POLYBENCH_1D(x, N, n)) {
  int i, j;
#pragma scop
  for (j = 0; j < _PB_N; j++) {         // loop: sequential
    x[j] = x[j] / A[j][j];
    for (i = j + 1; i < _PB_N; i++)     // loop: parallel
      x[i] -= A[i][j] * x[j];           // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], x[N];
  FILL(A); FILL(x);
  for (int i = 0; i < N; i++)
    A[i][i] += 2 * N;
  kernel(N, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(x));
  SHOW(x);
  return 0;
}
