// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta B x: two reductions in one innermost loop.
#include "nest.h"

static void kernel(int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE POLYBENCH_2D(A, N, N, n, n),
                   DATA_TYPE POLYBENCH_2D(B, N, N, n, n), DATA_TYPE POLYBENCH_1D(tmp, N, n),
                   DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(y, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++) {   // loop: parallel
    tmp[i] = SCALAR_VAL(0.0);
    y[i] = SCALAR_VAL(0.0);
    for (j = 0; j < _PB_N; j++) { // loop: reduction
      tmp[i] = A[i][j] * x[j] + tmp[i]; // reduction: +
      y[i] = B[i][j] * x[j] + y[i];     // reduction: +
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], B[N][N], tmp[N], x[N], y[N];
  FILL(A); FILL(B); FILL(x);
  kernel(N, 1.5, 1.25, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B), POLYBENCH_ARRAY(tmp), POLYBENCH_ARRAY(x),
         POLYBENCH_ARRAY(y));
  SHOW(y); SHOW(tmp);
  return 0;
}
