// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// y = A^T (A x): a row's product is used in the same iteration that adds it to y.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m), DATA_TYPE POLYBENCH_1D(x, M, m),
                   DATA_TYPE POLYBENCH_1D(y, M, m), DATA_TYPE POLYBENCH_1D(tmp, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_M; i++)     // loop: parallel
    y[i] = 0;
  for (i = 0; i < _PB_N; i++) {   // loop: reduction
    tmp[i] = SCALAR_VAL(0.0);
    for (j = 0; j < _PB_M; j++)   // loop: reduction
      tmp[i] = tmp[i] + A[i][j] * x[j]; // reduction: +
    for (j = 0; j < _PB_M; j++)   // loop: parallel
      y[j] = y[j] + A[i][j] * tmp[i]; // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][M], x[M], y[M], tmp[N];
  FILL(A); FILL(x);
  kernel(N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(y), POLYBENCH_ARRAY(tmp));
  SHOW(y); SHOW(tmp);
  return 0;
}
