// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// y = A x with the lower half of a symmetric matrix: both halves of each entry are added to y.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n), DATA_TYPE POLYBENCH_1D(x, N, n),
                   DATA_TYPE POLYBENCH_1D(y, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {   // loop: reduction
    for (j = 0; j < i; j++) {     // loop: reduction
      y[i] += A[i][j] * x[j];     // reduction: +
      y[j] += A[i][j] * x[i];     // reduction: +
    }
    y[i] += A[i][i] * x[i];       // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], x[N], y[N];
  FILL(A); FILL(x);
  kernel(N, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(y));
  SHOW(y);
  return 0;
}
