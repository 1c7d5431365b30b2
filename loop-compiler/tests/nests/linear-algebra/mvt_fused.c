// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The two products in one nest: each loop carries one of them.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x1, N, n), DATA_TYPE POLYBENCH_1D(x2, N, n),
                   DATA_TYPE POLYBENCH_1D(y, N, n), DATA_TYPE POLYBENCH_2D(A, N, N, n, n)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++)     // loop: reduction
    for (int j = 0; j < _PB_N; j++) { // loop: reduction
      x1[i] += A[i][j] * y[j];        // reduction: +
      x2[j] -= A[i][j] * y[i];        // reduction: +
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], x1[N], x2[N], y[N];
  FILL(A); FILL(x1); FILL(x2); FILL(y);
  kernel(N, POLYBENCH_ARRAY(x1), POLYBENCH_ARRAY(x2), POLYBENCH_ARRAY(y), POLYBENCH_ARRAY(A));
  SHOW(x1); SHOW(x2);
  return 0;
}
