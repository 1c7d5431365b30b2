// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The gradient of a logistic regression over all records, with the prediction of each in a local variable.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(x, N, M, n, m), DATA_TYPE POLYBENCH_1D(y, N, n),
                   DATA_TYPE POLYBENCH_1D(w, M, m), DATA_TYPE POLYBENCH_1D(grad, M, m)) {
  int i, j;
#pragma scop
  for (j = 0; j < _PB_M; j++)           // loop: parallel
    grad[j] = 0;
  for (i = 0; i < _PB_N; i++) {         // loop: reduction
    DATA_TYPE z = 0;
    for (j = 0; j < _PB_M; j++)         // loop: reduction
      z += x[i][j] * w[j];              // reduction: +
    z = 1 / (1 + exp(-z)) - y[i];
    for (j = 0; j < _PB_M; j++)         // loop: parallel
      grad[j] += z * x[i][j];           // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N][M], y[N], w[M], grad[M];
  FILL(x); FILL(y); FILL(w);
  kernel(N, M, x, y, w, grad);
  SHOW(grad);
  return 0;
}
