// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums over a triangle of pairs by their distance.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(r, N, n)) {
  int lag, i;
#pragma scop
  for (lag = 0; lag < _PB_N; lag++) {       // loop: parallel
    r[lag] = 0;
    for (i = 0; i < _PB_N - lag; i++)       // loop: reduction
      r[lag] += x[i] * x[i + lag];          // reduction: +
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N], r[N];
  FILL(x);
  kernel(N, POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(r));
  SHOW(r);
  return 0;
}
