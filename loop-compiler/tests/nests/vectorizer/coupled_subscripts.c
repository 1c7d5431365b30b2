// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// All elements of an anti-diagonal are one cell: each loop alone writes distinct ones.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_1D(a, N + M, n + m), DATA_TYPE POLYBENCH_2D(b, N, M, n, m)) {
#pragma scop
  for (int i = 0; i < _PB_N; i++)   // loop: reduction
    for (int j = 0; j < _PB_M; j++) // loop: parallel
      a[i + j] += b[i][j];          // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N + M], b[N][M];
  FILL(a); FILL(b);
  kernel(N, M, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
