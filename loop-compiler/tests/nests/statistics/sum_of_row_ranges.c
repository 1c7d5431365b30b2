// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The sum over rows of largest minus smallest: private extremes and a sum in one loop.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(a, N, M, n, m), DATA_TYPE *out) {
  int i, j;
  DATA_TYPE low, high, s = 0;
#pragma scop
  for (i = 0; i < _PB_N; i++) {     // loop: reduction+private
    low = a[i][0];
    high = a[i][0];
    for (j = 1; j < _PB_M; j++) {   // loop: reduction
      low = fmin(low, a[i][j]);     // reduction: fmin
      high = fmax(high, a[i][j]);   // reduction: fmax
    }
    s += high - low;                // reduction: +
  }
#pragma endscop
  *out = s;
}

int main(void) {
  static DATA_TYPE a[N][M], out;
  FILL(a);
  kernel(N, M, POLYBENCH_ARRAY(a), &out);
  SHOW(out);
  return 0;
}
