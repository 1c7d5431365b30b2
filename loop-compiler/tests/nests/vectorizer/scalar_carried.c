// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A variable that keeps the previous element: read before it is written.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(a, N, n), DATA_TYPE POLYBENCH_1D(b, N, n)) {
  DATA_TYPE previous = b[_PB_N - 1];
#pragma scop
  for (int i = 0; i < _PB_N; i++) { // loop: parallel
    a[i] = (b[i] + previous) * SCALAR_VAL(0.5);
    previous = b[i];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE a[N], b[N];
  FILL(b);
  kernel(N, POLYBENCH_ARRAY(a), POLYBENCH_ARRAY(b));
  SHOW(a);
  return 0;
}
