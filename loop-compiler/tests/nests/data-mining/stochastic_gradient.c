// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A step per record: the weights of a record depend on the step before, though each update is a sum.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE rate, DATA_TYPE POLYBENCH_2D(x, N, M, n, m), DATA_TYPE POLYBENCH_1D(y, N, n),
                   DATA_TYPE POLYBENCH_1D(w, M, m)) {
  int i, j;
  DATA_TYPE error;
#pragma scop
  for (i = 0; i < _PB_N; i++) {         // loop: sequential
    error = -y[i];
    for (j = 0; j < _PB_M; j++)         // loop: reduction
      error += w[j] * x[i][j];          // reduction: +
    for (j = 0; j < _PB_M; j++)         // loop: parallel
      w[j] -= rate * error * x[i][j];   // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N][M], y[N], w[M];
  FILL(x); FILL(y); FILL(w);
  kernel(N, M, SCALAR_VAL(0.125), x, y, w);
  SHOW(w);
  return 0;
}
