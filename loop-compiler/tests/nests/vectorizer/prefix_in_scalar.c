// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A prefix sum through a scalar.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
  DATA_TYPE s = 0;
#pragma scop
  for (int i = 0; i < _PB_N; i++) { // loop: scan
    s += a[i];                      // reduction: +
    b[i] = s;
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(a);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(b);
  return 0;
}
