// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A matrix-vector product with the loops exchanged and the target set in a nest of its own.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(a, N, M, n, m), DATA_TYPE POLYBENCH_1D(x, M, m),
                   DATA_TYPE POLYBENCH_1D(y, N, n)) {
  int i, j;
#pragma scop
  for (i = 0; i < _PB_N; i++)     // loop: parallel
    y[i] = 0;
  for (j = 0; j < _PB_M; j++)     // loop: reduction
    for (i = 0; i < _PB_N; i++)   // loop: parallel
      y[i] += a[i][j] * x[j];     // reduction: +
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N][M], x[M], y[N];
  FILL(a); FILL(x);
  kernel(N, M, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(y));
  SHOW(y);
  return 0;
}
