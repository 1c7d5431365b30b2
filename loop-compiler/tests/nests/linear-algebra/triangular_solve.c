// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Forward substitution, row by row.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n), DATA_TYPE POLYBENCH_1D(x, N, n),
                   DATA_TYPE POLYBENCH_1D(b, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) { // loop: sequential
    x[i] = b[i];
    for (j = 0; j < i; j++)     // loop: reduction
      x[i] -= A[i][j] * x[j];   // reduction: +
    x[i] = x[i] / A[i][i];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], x[N], b[N];
  FILL(A); FILL(b);
  for (int i = 0; i < N; i++)
    A[i][i] += 2 * N;
  kernel(N, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(b));
  SHOW(x);
  return 0;
}
