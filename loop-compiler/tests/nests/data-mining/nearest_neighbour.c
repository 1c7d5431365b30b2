// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The distance to the nearest other point, with the point itself excluded by a guard.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(x, N, M, n, m), DATA_TYPE POLYBENCH_1D(near, N, n)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++) {           // loop: parallel
    near[i] = SCALAR_VAL(1e30);
    for (j = 0; j < _PB_N; j++) {         // loop: reduction
      if (i != j) {
        DATA_TYPE d = 0;
        for (k = 0; k < _PB_M; k++)       // loop: reduction
          d += fabs(x[i][k] - x[j][k]);   // reduction: +
        near[i] = fmin(near[i], d);       // reduction: fmin
      }
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N][M], near[N];
  FILL(x);
  kernel(N, M, x, near);
  SHOW(near);
  return 0;
}
